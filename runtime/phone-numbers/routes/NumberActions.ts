import { type OperationReply, rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  PhoneNumberConfirmationMismatch,
  PhoneNumberConflict,
  PhoneNumberNotFound,
  TargetEnvironmentNotFound
} from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { ConnectPhoneNumber, TransferPhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumberRequests.ts"
import { Context, Effect, Layer } from "effect"
import { Environments } from "../../access/Access.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { NumberLifecycles } from "../lifecycle/NumberLifecycles.ts"
import { newNumber } from "../number/NewNumber.ts"
import { convert, disconnect, type NumberChange, release, transferRefusal } from "../number/NumberChange.ts"
import { NumberDirectory } from "../number/NumberDirectory.ts"
import { NumberOwners } from "../number/NumberOwners.ts"
import type { NumberRow } from "../number/NumberRead.ts"
import { NumberReads } from "../number/NumberReads.ts"
import { insertNumber } from "../number/NumberWrites.ts"
import { Rosters } from "../number/Rosters.ts"
import { dddOf } from "./Regions.ts"

type NumberCall = ApiCall<"organization_id" | "environment_id" | "environment">

/** The most counts of an account's numbers while other calls add numbers. */
const mostCounts = 5

/** Changes numbers; conditions in the commit decide between two concurrent calls. gaps-2 K */
export class NumberActions extends Context.Service<
  NumberActions,
  {
    /** Answers 201. M-PHN-49, gaps-2 K "Connect rules" */
    connect(call: NumberCall, body: ConnectPhoneNumber): OperationReply
    /** Answers 202, and 200 when the release was already requested. gaps-2 K "Release, disconnect, convert" */
    release(call: NumberCall, id: string): OperationReply
    disconnect(call: NumberCall, id: string): OperationReply
    convert(call: NumberCall, id: string): OperationReply
    /** Answers 200, from the number's owner. M-TRF-01..08 */
    transfer(call: NumberCall & TransferCall, id: string, body: TransferPhoneNumber): OperationReply
  }
>()("@carteiro/runtime/phone-numbers/routes/NumberActions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* NumberDirectory
      const reads = yield* NumberReads
      const commit = yield* Commit
      const ids = yield* Ids
      const rosters = yield* Rosters
      const environments = yield* Environments
      const owners = yield* NumberOwners
      const lives = yield* NumberLifecycles

      const known = Effect.fnUntraced(function* ({ environment_id }: NumberCall["caller"], id: string) {
        const row = parseId("pn", id) ? yield* repo.read(environment_id, id) : undefined
        return row ?? (yield* new PhoneNumberNotFound())
      })

      const shown = Effect.fnUntraced(function* (call: NumberCall, status: number, row: NumberRow) {
        return reply(call, status, yield* reads.whole(call.caller, row, call.now))
      })

      /** Returns a number that is already as the call asks, and completes the call's key. gaps-1 B "What is stored" */
      const unchanged = (call: NumberCall, row: NumberRow) =>
        Effect.flatMap(shown(call, 200, row), (response) => commit.complete(call.claim, response))

      /**
       * Writes a change that the number's state allows, and returns the number after the commit. When another call made
       * the change meanwhile, the response is that of a repeated call. gaps-2 K "Release, disconnect, convert"
       */
      const change = (rule: (row: NumberRow, now: number) => NumberChange | "done" | ApiError) =>
        Effect.fnUntraced(function* (call: NumberCall, id: string) {
          const row = yield* known(call.caller, id)
          const decided = rule(row, call.now)
          if (decided === "done") return yield* unchanged(call, row)
          if (isApiError(decided)) return yield* decided
          const response = yield* shown(call, decided.status, decided.after)
          const written = yield* commit.write(decided.rows, { claim: call.claim, response })
          if (!written(decided.write).has(id)) {
            const now = yield* known(call.caller, id)
            return decided.isDone(now) ? yield* unchanged(call, now) : yield* new decided.Refusal()
          }
          owners.wake(id)
          lives.wake(id)
          return response
        })

      const connect = Effect.fnUntraced(function* (call: NumberCall, body: ConnectPhoneNumber, counts: number) {
        const { caller, claim, now } = call
        const { plan, rows } = yield* rosters.room(caller)
        const sandbox = caller.environment === "sandbox"
        const { insert, row } = newNumber({
          environment_id: caller.environment_id,
          environment: caller.environment,
          id: ids.mint("pn", now),
          source: "byon",
          status: sandbox ? "active" : "verifying",
          display_name: body.display_name,
          ddd: dddOf(body.phone),
          phone: body.phone,
          upstream_phone_number_id: body.upstream_phone_number_id,
          throughput_plan: plan.throughput_tier,
          monthly_fee: null,
          due_at: sandbox ? null : now,
          at: now
        })
        const response = yield* shown(call, 201, row)
        const written = yield* commit.write([insert, ...rows], { claim, response })
        if (written(insertNumber.name).has(row.id)) {
          lives.wake(row.id)
          return response
        }
        // Another number was added since the count, or this one is already live.
        const isCountedAnew = rows.length > 0 && counts < mostCounts && !(yield* repo.isLive(body))
        if (!isCountedAnew) return yield* new PhoneNumberConflict()
        return yield* connect(call, body, counts + 1)
      }) as (call: NumberCall, body: ConnectPhoneNumber, counts: number) => OperationReply

      return NumberActions.of({
        connect: (call, body) => connect(call, body, 0),

        release: change(release),
        disconnect: change(disconnect),
        convert: change(convert),

        transfer: Effect.fnUntraced(function* (call, id, body) {
          const { api_key_id, environment, environment_id, organization_id } = call.caller
          if (body.confirm_phone_number_id !== id) {
            return yield* new PhoneNumberConfirmationMismatch({ param: "confirm_phone_number_id" })
          }
          yield* known(call.caller, id)
          const target = yield* environments.find(organization_id, body.target_environment_id)
          if (target?.project_id !== body.target_project_id) return yield* new TargetEnvironmentNotFound()
          const refusal = transferRefusal(call.caller, target)
          if (refusal !== undefined) return yield* refusal
          const text = yield* owners.transfer(id, {
            organization_id,
            environment_id,
            environment,
            target_environment_id: target.id,
            reason: body.reason ?? null,
            api_key_id,
            trace_id: call.traceId,
            claim: call.claim
          })
          return rawReply(200, text)
        })
      })
    })
  )
}

/** The transfer's record names the API key that requested it. */
type TransferCall = ApiCall<"api_key_id">
