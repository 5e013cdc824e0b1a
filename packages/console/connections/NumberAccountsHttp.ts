import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { NumprovConnection } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { Effect, Layer, Result } from "effect"
import { environmentOf } from "../kit/Environments.ts"
import { field } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { addressOf } from "../kit/Lists.ts"
import { makeOperationList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { connectionsAddress } from "./ConnectionParts.ts"
import { accountTable, newAccount, numberAccountAddress, numberAccountsAddress } from "./NumberAccountParts.ts"

/** The organization's own accounts at the number provider; owners and admins add one. */
export const NumberAccountsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { numprovConnections } = yield* Operations
    const accounts = (yield* makeOperationList)("numprovConnections.list", numprovConnections.list)
    const { routes, show } = yield* environmentList({
      operation: "numberAccounts",
      path: numberAccountsAddress,
      title: "Number accounts",
      section: "connections",
      api: "providerConnections.numprov.list",
      filters: {},
      read: (environment, _search, before, count, visit) => accounts(visit, environment, before, count, {}),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => accountTable(id, rows, nothing),
      file: membersOf(
        (account: NumprovConnection) => account,
        "id",
        "display_name",
        "account_id",
        "status",
        "last_discovered_at",
        "created_at",
        "disconnected_at"
      ),
      empty: () => ({
        purpose: say("Accounts of yours at the number provider, whose numbers are connected here and stay there.")
      }),
      around: (environment, visit) =>
        Effect.succeed({
          page: {
            up: [addressOf(connectionsAddress, { environment: environment?.id }), "Connections"] as const
          },
          ...(visit.mayChange && environment !== undefined
            ? { after: newAccount(visit, environment.id, { display_name: "", account_id: "" }) }
            : {})
        })
    })

    const add = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = (name: string) => field(sent, name).trim()
      const named = { display_name: typed("display_name"), account_id: typed("account_id") }
      const webhook_secret = typed("webhook_secret")
      const payload = { ...named, api_key: typed("api_key"), ...(webhook_secret === "" ? {} : { webhook_secret }) }
      const outcome = yield* Effect.result(numprovConnections.register(asVisitor(visit, environment), { payload }))
      if (Result.isSuccess(outcome)) {
        return {
          to: numberAccountAddress(environment.id, outcome.success.id),
          audited: { subject: outcome.success.id }
        }
      }
      const refusal = outcome.failure
      return yield* show(visit, {
        place: environment,
        around: {
          page: { status: refusal.status },
          after: html`${newAccount(visit, environment.id, named, refusal)}`
        }
      })
    })

    return Layer.merge(
      routes,
      action({
        operation: "addNumberAccount",
        audit: "number_account.added",
        keeps: ["display_name", "account_id"],
        path: `${numberAccountsAddress}/:environment`,
        handler: add
      })
    )
  })
)
