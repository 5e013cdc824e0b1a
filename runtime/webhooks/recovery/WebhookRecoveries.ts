import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, lowestIdAt, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { WebhookEndpointDisabled, WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { RecoverWebhookEndpoint } from "@carteiro/schema/webhooks/WebhookRecovery.ts"
import { Context, Effect, Layer, Result } from "effect"
import { type StoredEndpoint, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import type { WebhookCall } from "../endpoint/WebhookRegistry.ts"
import { askedSpan, keptSpan, type Span, sinceRegistered } from "./RecoverySpan.ts"
import { type MissedCounts, type Recovery, type ShownRecovery, WebhookRecoveryRepo } from "./WebhookRecoveryRepo.ts"

/** The events that an endpoint missed in an outage; instants are epoch milliseconds. */
export interface Gap extends MissedCounts {
  /** The first missed event; the beginning of the outage when none was missed. */
  readonly from: number
  /** The part of the outage whose events are no longer kept. */
  readonly older: Span | undefined
}

/** Delivers to an endpoint the events that it missed while it was disabled or failing. */
export class WebhookRecoveries extends Context.Service<
  WebhookRecoveries,
  {
    /**
     * Answers 202 with the number of missed events; a worker makes the deliveries. Refuses an unknown or disabled
     * endpoint, and an invalid span.
     */
    start(call: WebhookCall, endpointId: string, body: RecoverWebhookEndpoint): OperationReply
    /** Returns the events that an endpoint has missed since its outage began; undefined without a known outage. */
    gap(endpoint: StoredEndpoint, now: number): Effect.Effect<Gap | undefined>
    /**
     * Starts a recovery of that gap with a test of the endpoint that is under way: a worker enables the endpoint when
     * the test succeeds, and then makes the deliveries.
     */
    begin(call: WebhookCall, endpointId: string, probeId: string): Effect.Effect<void, ApiError>
    /** Returns the last recovery of an endpoint, with its progress. */
    latest(environmentId: string, endpointId: string): Effect.Effect<ShownRecovery | undefined>
  }
>()("@carteiro/runtime/webhooks/recovery/WebhookRecoveries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* WebhookRecoveryRepo
      const endpoints = yield* WebhookEndpointRepo
      const commit = yield* Commit
      const ids = yield* Ids

      const find = (environmentId: string, id: string) =>
        parseId("we", id) ? endpoints.find(environmentId, id) : Effect.undefined

      const gapOf = Effect.fnUntraced(function* (endpoint: StoredEndpoint, now: number) {
        const { environment_id, id } = endpoint
        const oldest = yield* repo.oldestKept(environment_id, now)
        const stopped = stopToRecover(endpoint, oldest, yield* repo.latest(environment_id, id))
        const { last_failure_at } = endpoint.health
        const failed =
          last_failure_at !== null && last_failure_at >= oldest
            ? yield* repo.oldestFailed(environment_id, id, oldest)
            : undefined
        const begin = Math.min(stopped ?? now, failed ?? now)
        if (stopped === undefined && failed === undefined) return undefined
        const { kept, older } = keptSpan(sinceRegistered({ from: begin, to: now }, endpoint.created_at), oldest)
        const counts = yield* repo.count(environment_id, id, kept)
        const gap: Gap = { ...counts, from: counts.first_at ?? kept.from, older }
        return gap
      })

      const idle = (endpoint: StoredEndpoint, now: number): Recovery => ({
        environment_id: endpoint.environment_id,
        id: ids.mint("wrc", now),
        endpoint_id: endpoint.id,
        status: "running",
        cursor_id: lowestIdAt("evt", now),
        end_id: lowestIdAt("evt", now + 1),
        from_at: now,
        to_at: now,
        missed: 0,
        made: 0,
        held: 0,
        probe_id: null,
        awaits_probe: false,
        stop_reason: null,
        created_at: now
      })

      return WebhookRecoveries.of({
        start: Effect.fnUntraced(function* (call, endpointId, body) {
          const { environment_id } = call.caller
          const endpoint = yield* find(environment_id, endpointId)
          if (endpoint === undefined) return yield* new WebhookEndpointNotFound()
          const asked = askedSpan(body, call.now)
          if (Result.isFailure(asked)) return yield* asked.failure
          if (endpoint.health.status === "disabled") return yield* new WebhookEndpointDisabled()
          const { kept, older } = keptSpan(
            sinceRegistered(asked.success, endpoint.created_at),
            yield* repo.oldestKept(environment_id, call.now)
          )
          const { counted_to, failed, never_sent } = yield* repo.count(environment_id, endpointId, kept)
          const recovery: Recovery = {
            ...idle(endpoint, call.now),
            ...idsOf(kept),
            missed: never_sent + failed
          }
          const answer = reply(call, 202, {
            id: recovery.id,
            object: "webhook_recovery",
            webhook_endpoint_id: endpointId,
            status: "pending",
            ...written(kept),
            missed: recovery.missed,
            never_sent,
            failed,
            counted_to: formatTimestamp(counted_to),
            older: older === undefined ? null : written(older)
          })
          yield* commit.write([repo.insert(recovery)], { claim: call.claim, response: answer })
          return answer
        }),
        gap: gapOf,
        begin: Effect.fnUntraced(function* (call, endpointId, probe_id) {
          const { environment_id } = call.caller
          const endpoint = yield* find(environment_id, endpointId)
          if (endpoint === undefined) return yield* new WebhookEndpointNotFound()
          const gap = yield* gapOf(endpoint, call.now)
          const recovery: Recovery = {
            ...idle(endpoint, call.now),
            ...idsOf({ from: gap?.from ?? call.now, to: call.now }),
            missed: gap === undefined ? 0 : gap.never_sent + gap.failed,
            probe_id,
            awaits_probe: true
          }
          yield* commit.write([repo.insert(recovery)])
        }),
        latest: repo.latest
      })
    })
  )
}

const written = ({ from, to }: Span) => ({ from: formatTimestamp(Math.min(from, to)), to: formatTimestamp(to) })

/** Returns the ids between which a span's events are walked. */
const idsOf = ({ from, to }: Span) => ({
  cursor_id: lowestIdAt("evt", from),
  end_id: lowestIdAt("evt", to + 1),
  from_at: from,
  to_at: to
})

/**
 * Returns when the endpoint stopped, unless a later recovery handled that. A stop from before the oldest kept event
 * counts only while it lasts, because nothing shows when the endpoint was enabled again.
 */
const stopToRecover = (
  { health, stopped_at }: StoredEndpoint,
  oldest: number,
  last: Pick<Recovery, "status" | "created_at"> | undefined
): number | undefined => {
  if (stopped_at === null || health.status === "disabled") return stopped_at ?? undefined
  const isRecovered = last !== undefined && last.status === "completed" && last.created_at >= stopped_at
  return isRecovered || stopped_at < oldest ? undefined : stopped_at
}
