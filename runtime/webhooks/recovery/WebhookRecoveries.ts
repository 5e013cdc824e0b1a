import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, lowestIdAt, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { WebhookEndpointDisabled, WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { RecoverWebhookEndpoint } from "@carteiro/schema/webhooks/WebhookRecovery.ts"
import { Context, Effect, Layer, Result } from "effect"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import type { WebhookCall } from "../endpoint/WebhookRegistry.ts"
import { askedSpan, keptSpan, type Span, sinceRegistered } from "./RecoverySpan.ts"
import { type Recovery, WebhookRecoveryRepo } from "./WebhookRecoveryRepo.ts"

/** Delivers to an endpoint what it missed while it was disabled or failing. */
export class WebhookRecoveries extends Context.Service<
  WebhookRecoveries,
  {
    /**
     * Answers 202 with how much was missed; a worker makes the deliveries. Refuses when the endpoint is unknown or
     * disabled, or the span is none.
     */
    start(call: WebhookCall, endpointId: string, body: RecoverWebhookEndpoint): Effect.Effect<Reply, ApiError>
    /** The last recovery of an endpoint, with how far it came. */
    latest(environmentId: string, endpointId: string): Effect.Effect<Recovery | undefined>
  }
>()("@carteiro/runtime/webhooks/recovery/WebhookRecoveries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* WebhookRecoveryRepo
      const endpoints = yield* WebhookEndpointRepo
      const commit = yield* Commit
      const ids = yield* Ids

      return WebhookRecoveries.of({
        start: Effect.fnUntraced(function* (call, endpointId, body) {
          const { environment_id } = call.caller
          const endpoint = parseId("we", endpointId) ? yield* endpoints.find(environment_id, endpointId) : undefined
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
            environment_id,
            id: ids.mint("wrc", call.now),
            endpoint_id: endpointId,
            status: "running",
            cursor_id: lowestIdAt("evt", kept.from),
            end_id: lowestIdAt("evt", kept.to + 1),
            from_at: kept.from,
            to_at: kept.to,
            missed: never_sent + failed,
            made: 0,
            held: 0,
            created_at: call.now
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
        latest: repo.latest
      })
    })
  )
}

const written = ({ from, to }: Span) => ({ from: formatTimestamp(Math.min(from, to)), to: formatTimestamp(to) })
