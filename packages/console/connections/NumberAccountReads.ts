import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { NumprovConnection } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { Effect } from "effect"
import { environmentOf, idOf } from "../kit/Environments.ts"
import { addressOf } from "../kit/Lists.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, type Operations } from "../kit/Operations.ts"
import type { Outcome, Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { numberAccountAddress, numberAccountsAddress } from "./NumberAccountParts.ts"

/** Numbers of an account on one page. */
const numbersShown = "50"

/** An account, the environment that it is of, and the address of its page. */
export interface FoundAccount {
  readonly environment: EnvironmentEntry
  readonly account: NumprovConnection
  readonly here: string
}

/** Returns what all pages of an account have in common. */
export const accountPage = ({ environment }: FoundAccount) => ({
  section: "connections" as const,
  environment: environment.id,
  up: [addressOf(numberAccountsAddress, { environment: environment.id }), "Number accounts"] as const
})

/** Makes what the pages of an account read of it before anything else, and their forms too. */
export const makeAccountReads = (numprovConnections: Operations["Service"]["numprovConnections"]) => {
  const requireAccount = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundAccount, ApiError> {
    const environment = yield* environmentOf(visit)
    const params = { numprov_connection_id: yield* idOf(visit, "npc") }
    const account = yield* orNotHere(numprovConnections.get(asVisitor(visit, environment), { params }))
    return { environment, account, here: numberAccountAddress(environment.id, account.id) }
  })

  /** Returns a page of the numbers that were last listed, from where the one before ended. */
  const inventoryOf = (visit: Visit, { account, environment }: FoundAccount, after: string | undefined) =>
    numprovConnections.resources(asVisitor(visit, environment), {
      params: { numprov_connection_id: account.id },
      query: { limit: numbersShown, ...(after === undefined ? {} : { starting_after: after }) }
    })

  const change = (work: (visit: Visit, one: FoundAccount, sent: URLSearchParams) => Effect.Effect<Outcome, ApiError>) =>
    Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      return yield* work(visit, yield* requireAccount(visit), sent)
    })

  return { requireAccount, inventoryOf, change }
}
