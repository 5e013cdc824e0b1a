import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { ConnectedNumber } from "@carteiro/provider/NumberHealth.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { PhoneNumberConflict } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { ImportNumprovNumber } from "@carteiro/schema/phone-numbers/PhoneNumberRequests.ts"
import * as Errors from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Effect, Layer } from "effect"
import { AccountPlans, planAccountOf } from "../../billing/Billing.ts"
import { NumberLifecycles } from "../lifecycle/NumberLifecycles.ts"
import { newNumber } from "../number/NewNumber.ts"
import { type ImportedNumber, NumberDirectory } from "../number/NumberDirectory.ts"
import { ImportSource } from "../number/NumberPorts.ts"
import type { Enrollment } from "../number/NumberRead.ts"
import { NumberReads } from "../number/NumberReads.ts"
import { insertEnrollment, insertNumber } from "../number/NumberWrites.ts"
import { Rosters } from "../number/Rosters.ts"
import { type ImportCall, NumberImport } from "./NumberImport.ts"
import { dddOf } from "./Regions.ts"

/** The most attempts of an import while concurrent changes invalidate its reads. */
const mostLooks = 5

export const numberImportLayer = Layer.effect(
  NumberImport,
  Effect.gen(function* () {
    const repo = yield* NumberDirectory
    const reads = yield* NumberReads
    const commit = yield* Commit
    const ids = yield* Ids
    const rosters = yield* Rosters
    const plans = yield* AccountPlans
    const source = yield* ImportSource
    const reached = yield* ConnectedNumber
    const lives = yield* NumberLifecycles

    /**
     * Returns the account that can reach the number, when the caller gives the platform's id; a sandbox makes no call.
     */
    const prove = ({ environment, environment_id }: ImportCall["caller"], upstreamId: string | null) => {
      if (upstreamId === null) return Effect.succeed(undefined)
      return environment === "sandbox"
        ? Effect.succeed({ biz_account_id: undefined })
        : reached({ environment_id, upstream_phone_number_id: upstreamId })
    }

    /** Refuses a number that a concurrent call has imported. */
    const occupied = Effect.fnUntraced(function* (environmentId: string, number: ImportedNumber) {
      if (yield* repo.isImported(environmentId, number)) return yield* new Errors.NumprovNumberAlreadyImported()
      return yield* new PhoneNumberConflict()
    })

    const look = Effect.fnUntraced(function* (call: ImportCall, body: ImportNumprovNumber, looks: number) {
      const { caller, claim, now } = call
      const { environment, environment_id } = caller
      const { provider_connection_id, provider_number_id } = body
      const upstream_phone_number_id = body.upstream_phone_number_id ?? null
      if (!source.isActive) return yield* new Errors.NumprovByokUnavailable()
      const { numprov_byok_enabled } = yield* plans.inForce(planAccountOf(caller))
      if (!numprov_byok_enabled) return yield* new Errors.NumprovByokSubscriptionRequired()
      const { phone, rows } = yield* source.find(environment_id, provider_connection_id, provider_number_id, now)
      const named = { provider_connection_id, provider_number_id, phone }
      if (yield* repo.isImported(environment_id, named)) return yield* new Errors.NumprovNumberAlreadyImported()
      const room = yield* rosters.room(caller)
      if (yield* repo.isLive({ phone, upstream_phone_number_id })) return yield* occupied(environment_id, named)
      const account = yield* prove(caller, upstream_phone_number_id)
      const isWaiting = account === undefined && upstream_phone_number_id !== null
      const { insert, row } = newNumber({
        environment_id,
        environment,
        id: ids.mint("pn", now),
        source: "byon",
        status: account === undefined ? "provisioned" : "active",
        display_name: body.display_name,
        ddd: dddOf(phone),
        phone,
        upstream_phone_number_id,
        biz_account_id: account?.biz_account_id,
        throughput_plan: room.plan.throughput_tier,
        monthly_fee: null,
        due_at: isWaiting ? now : null,
        at: now
      })
      const enrollment = {
        environment_id,
        id: ids.mint("nme", now),
        phone_number_id: row.id,
        provider_connection_id,
        provider_number_id,
        terms_version: body.continuation_terms_version,
        enrolled_at: now
      }
      const shown = yield* reads.whole(caller, { ...row, enrollment: managementOf(enrollment) }, now)
      const response = reply(call, 202, shown)
      const changes = [insert, insertEnrollment.row(enrollment), ...room.rows, ...rows]
      const written = yield* commit.write(changes, { claim, response })
      if (written(insertNumber.name).has(row.id)) {
        if (isWaiting) lives.wake(row.id)
        return response
      }
      // A row that the import depends on has changed since it was read; the next attempt reads it again.
      if (looks >= mostLooks) return yield* occupied(environment_id, named)
      return yield* look(call, body, looks + 1)
    }) as (call: ImportCall, body: ImportNumprovNumber, looks: number) => OperationReply

    return NumberImport.of({ import: (call, body) => look(call, body, 1) })
  })
)

/** Returns an enrollment as a number shows it. gaps-2 K "Inner phone shapes" */
const managementOf = (enrollment: {
  readonly id: string
  readonly provider_connection_id: string
  readonly terms_version: string
  readonly enrolled_at: number
}) =>
  jsonText<Enrollment>({
    id: enrollment.id,
    object: "numprov_management",
    status: "active",
    provider_connection_id: enrollment.provider_connection_id,
    terms_version: enrollment.terms_version,
    enrolled_at: formatTimestamp(enrollment.enrolled_at),
    ended_at: null,
    renewal: null
  })
