import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { type NumberCall, Numprov } from "@carteiro/provider/NumberProvider.ts"
import type { NumprovOperation } from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect } from "effect"
import { type DueOperation, NumprovRepo } from "./NumprovRepo.ts"
import { triesAgainAt } from "./NumprovState.ts"
import {
  completeDiscovery,
  connectNumprov,
  deferOperation,
  failNumprov,
  markDiscovered,
  observeResource,
  replaceNumprovKey,
  settleOperation
} from "./NumprovWrites.ts"
import { sandboxAccount, type TenantAccount } from "./SandboxAccount.ts"

/**
 * Runs the due operations of one tenant account (`npc_…`) at the number provider, one after the other. M-IMP-18, gaps-2
 * L "Number-provider connections"
 */
export const NumprovConnectionWorker = defineWorker("NumprovConnection")

/** The most pages of an inventory that are read. */
const mostPages = 200

/** Pause after a commit that was not written, in milliseconds. */
const afterRefusalMs = 1000

type FailureCode = NonNullable<NumprovOperation["error_code"]>

/** The result of a call: an answer, a permanent refusal, or a failure that is retried. */
type StepResult =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly code: FailureCode }
  | { readonly _tag: "Later"; readonly retry_after_ms: number | null }

const done: StepResult = { _tag: "Done" }

export const numprovConnectionOwners = NumprovConnectionWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* NumprovRepo
    const provider = yield* Numprov
    const clock = yield* Clock.Clock

    const accountOf = (operation: DueOperation): TenantAccount | undefined => {
      const { account_id, environment, key, numprov_connection_id: id } = operation
      if (key === undefined) return undefined
      return environment === "sandbox" ? sandboxAccount({ id, account_id }, key) : provider?.of(key)
    }

    /** Checks that the key reaches the account that it was given for. */
    const prove = (account: TenantAccount, { account_id }: DueOperation): Effect.Effect<StepResult> =>
      Effect.map(account.read, (call) =>
        call._tag === "Done" ? (call.value.id === account_id ? done : refusedKey) : askedOf(call)
      )

    /** Lists the account's numbers; commits each page by itself, because a repeated listing changes nothing. */
    const list = Effect.fnUntraced(function* (account: TenantAccount, operation: DueOperation, owner: OwnerHandle) {
      const { environment_id, numprov_connection_id } = operation
      const place = { environment_id, numprov_connection_id }
      const began_at = clock.currentTimeMillisUnsafe()
      let cursor: string | null = null
      for (let page = 0; page < mostPages; page++) {
        const call: Listed = yield* account.numbers(cursor)
        if (call._tag !== "Done") return askedOf(call)
        const observed_at = clock.currentTimeMillisUnsafe()
        const seen = new Map(
          call.value.numbers.filter(({ number }) => isPhone(number)).map((one) => [one.number_id, one])
        )
        const rows = [...seen].map(([provider_number_id, { number: phone, sms, status }]) =>
          observeResource.row({ ...place, provider_number_id, phone, sms, status, observed_at })
        )
        if (rows.length > 0) yield* owner.commit([{ rows }])
        cursor = call.value.next
        if (cursor === null) break
      }
      const at = clock.currentTimeMillisUnsafe()
      yield* owner.commit([
        {
          rows: [
            completeDiscovery.row({ ...place, began_at, at }),
            markDiscovered.row({ environment_id, id: numprov_connection_id, last_discovered_at: at })
          ]
        }
      ])
      return done
    })

    /** Runs one operation from its current step: an account is connected before its numbers are listed. */
    const ask = Effect.fnUntraced(function* (operation: DueOperation, owner: OwnerHandle) {
      const account = accountOf(operation)
      if (account === undefined) return unreachable
      if (operation.kind === "discovery") return yield* list(account, operation, owner)
      const proven = yield* prove(account, operation)
      if (proven._tag !== "Done" || operation.kind === "rotate") return proven
      const { environment_id, numprov_connection_id: id } = operation
      yield* owner.commit([{ rows: [connectNumprov.row({ environment_id, id, updated_at: owner.now() })] }])
      return yield* list(account, operation, owner)
    })

    /** Returns the rows of a result, and when the connection is due again. */
    const outcome = (operation: DueOperation, asked: StepResult, now: number): Outcome => {
      const { environment_id, id, kind, numprov_connection_id } = operation
      const settled = (status: "succeeded" | "failed", error_code: FailureCode | null) =>
        settleOperation.row({ environment_id, id, status, error_code, completed_at: now })
      const connection = { environment_id, id: numprov_connection_id }
      if (asked._tag === "Done") {
        const rotated = replaceNumprovKey.row({ ...connection, ...operation.asked, token_rotated_at: now })
        return { rows: [settled("succeeded", null), ...(kind === "rotate" ? [rotated] : [])], next: now }
      }
      const tries = operation.attempts + 1
      const again = asked._tag === "Later" ? triesAgainAt(tries, now, asked.retry_after_ms) : undefined
      if (again !== undefined) {
        return { rows: [deferOperation.row({ environment_id, id, attempts: tries, due_at: again })], next: again }
      }
      const code = asked._tag === "Failed" ? asked.code : "numprov_provider_unavailable"
      const failed = failNumprov.row({ ...connection, error_code: code, updated_at: now })
      return { rows: [settled("failed", code), ...(kind === "register" ? [failed] : [])], next: now }
    }

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const operation = yield* repo.next(owner.id)
        if (operation === undefined) return undefined
        if (operation.due_at > owner.now()) return operation.due_at
        const { next, rows } = outcome(operation, yield* ask(operation, owner), owner.now())
        const { statuses } = yield* owner.commit([{ rows }])
        return statuses[0] === "committed" ? next : owner.now() + afterRefusalMs
      })
    )
  })
)

interface Outcome {
  readonly rows: ReadonlyArray<Row>
  readonly next: number
}

type Listed = Effect.Success<ReturnType<TenantAccount["numbers"]>>

const refusedKey: StepResult = { _tag: "Failed", code: "numprov_credentials_invalid" }
/** The result without a provider or without a key that can be decrypted. */
const unreachable: StepResult = { _tag: "Failed", code: "numprov_provider_unavailable" }

/** Refusals that concern the account itself; a new key may help. vendor-wires "numprov" */
const refusesKey: ReadonlyArray<string> = ["credentials_invalid", "account_suspended"]

const askedOf = (call: Exclude<NumberCall<unknown>, { readonly _tag: "Done" }>): StepResult => {
  if (call._tag === "Unknown") return { _tag: "Later", retry_after_ms: call.retry_after_ms }
  return refusesKey.includes(call.code) ? refusedKey : unreachable
}

const isPhone = (number: string): boolean => /^\+[0-9]{8,15}$/.test(number)
