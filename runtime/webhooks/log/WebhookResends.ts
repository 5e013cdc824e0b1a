import { type OperationReply, type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { BulkResend } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { Attempt } from "../delivery/DeliveryState.ts"
import { WebhookDeliveryRepo } from "../delivery/WebhookDeliveryRepo.ts"
import type { WebhookCall } from "../endpoint/WebhookRegistry.ts"
import { WebhookEndpointEntity } from "../owner/WebhookEndpointEntity.ts"
import { bulkLimit, planBulkResend, plausibleIds, type ResendFacts, resend, resendRefusal } from "./Resend.ts"
import { readAttempt } from "./WebhookEventRead.ts"
import { type StoredWebhookEvent, SuspendedContent, WebhookEventRepo } from "./WebhookEventRepo.ts"
import { resentEvents } from "./WebhookEventWrites.ts"

/**
 * The most reads of one request before it is asked to retry, because another request took the same row's number each
 * time.
 */
const tries = 5

/** The plan of one read of the rows. */
interface Plan {
  readonly rows: ReadonlyArray<Row>
  /** The rows that take a new attempt number. */
  readonly numbered: ReadonlyArray<string>
  readonly endpoints: ReadonlySet<string>
  readonly answer: Reply
}

/**
 * Sends events again on request; two callers never take one attempt number. A-WHV-17..23, gaps-1 K "Resend", "Bulk
 * resend"
 */
export class WebhookResends extends Context.Service<
  WebhookResends,
  {
    /** Answers 202 with the attempt. */
    one(call: WebhookCall, id: string): OperationReply
    /** Answers 202 with counts and attempts; rows that cannot be sent again are skipped. */
    many(call: WebhookCall, body: BulkResend): OperationReply
  }
>()("@carteiro/runtime/webhooks/log/WebhookResends") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const events = yield* WebhookEventRepo
      const commit = yield* Commit
      const activations = yield* Activations
      const suspendedContent = yield* SuspendedContent
      const turn = Semaphore.makeUnsafe(1)
      const parts: PlanParts = { events, deliveries: yield* WebhookDeliveryRepo, ids: yield* Ids }

      const factsOf = (environmentId: string, stored: ReadonlyArray<StoredWebhookEvent>) =>
        Effect.map(stored.length === 0 ? none : suspendedContent(environmentId, stored), (suspended) =>
          stored.map(
            (event): ResendFacts => ({
              delivery: event,
              endpoint: event.endpoint,
              payloadAvailable: event.envelope !== null,
              phoneServiceSuspended: suspended.has(event.id)
            })
          )
        )

      /** Reads, plans and writes; undefined when another resend took a number meanwhile. */
      const attempt = (
        call: WebhookCall,
        plan: Effect.Effect<Plan, ApiError>
      ): Effect.Effect<Reply | undefined, ApiError> =>
        Effect.flatMap(plan, ({ rows, numbered, endpoints, answer }) => {
          if (rows.length === 0 && call.claim === undefined) return Effect.succeed(answer)
          return Effect.map(commit.write(rows, { claim: call.claim, response: answer }), (keys) => {
            const written = keys(resentEvents)
            if (!numbered.every((id) => written.has(id))) return undefined
            for (const id of endpoints) activations.wake(WebhookEndpointEntity.name, id)
            return answer
          })
        })

      const insist = (call: WebhookCall, plan: Effect.Effect<Plan, ApiError>, left: number): OperationReply =>
        Effect.flatMap(attempt(call, plan), (answer) => {
          if (answer !== undefined) return Effect.succeed(answer)
          return left > 1 ? insist(call, plan, left - 1) : Effect.fail(new ServiceUnavailable({ retry_after_ms: 1000 }))
        })

      /** Repeats requests that lost a number one after the other, so that they do not take it from each other again. */
      const carryOut = (call: WebhookCall, plan: Effect.Effect<Plan, ApiError>): OperationReply =>
        Effect.flatMap(attempt(call, plan), (answer) =>
          answer === undefined ? turn.withPermit(insist(call, plan, tries)) : Effect.succeed(answer)
        )

      return WebhookResends.of({
        one: (call, id) =>
          carryOut(
            call,
            Effect.gen(function* () {
              const { environment_id } = call.caller
              const stored = yield* events.select(environment_id, { ids: plausibleIds([id]) }, 1)
              const facts = yield* factsOf(environment_id, stored)
              const refusal = resendRefusal(facts[0])
              if (refusal !== undefined) return yield* refusal
              return planOf(parts, call, stored, facts, ([attempt]) =>
                reply(call, 202, readAttempt(attempt as Attempt))
              )
            })
          ),
        many: (call, body) =>
          carryOut(
            call,
            Effect.gen(function* () {
              const { environment_id } = call.caller
              const given = body.webhook_event_ids
              const stored = yield* events.select(
                environment_id,
                {
                  ids: given && plausibleIds(given),
                  types: body.event_type === undefined ? undefined : [body.event_type],
                  status: body.status
                },
                body.limit ?? bulkLimit
              )
              const request = { ids: given, limit: body.limit }
              const { requested, skipped, enqueue } = planBulkResend(request, yield* factsOf(environment_id, stored))
              return planOf(parts, call, stored, enqueue, (attempts) =>
                reply(call, 202, {
                  object: "webhook_bulk_resend",
                  requested,
                  enqueued: attempts.length,
                  skipped,
                  attempts: attempts.map(readAttempt)
                })
              )
            })
          )
      })
    })
  )
}

const none = Effect.succeed<ReadonlySet<string>>(new Set())

/** Makers of the rows and ids of a plan. */
interface PlanParts {
  readonly events: WebhookEventRepo["Service"]
  readonly deliveries: WebhookDeliveryRepo["Service"]
  readonly ids: Ids["Service"]
}

/** Plans one attempt for each chosen delivery; an attempt that waits already is only made due. A-WHV-17..23 */
const planOf = (
  { deliveries, events, ids }: PlanParts,
  call: WebhookCall,
  stored: ReadonlyArray<StoredWebhookEvent>,
  chosen: ReadonlyArray<ResendFacts>,
  answerOf: (attempts: ReadonlyArray<Attempt>) => Reply
): Plan => {
  const { environment_id } = call.caller
  const byId = new Map(stored.map((event) => [event.id, event]))
  const rows: Array<Row> = []
  const numbered: Array<string> = []
  const endpoints = new Set<string>()
  const attempts = chosen.map(({ delivery }) => {
    const event = byId.get(delivery.id) as StoredWebhookEvent
    const { attempt } = resend(delivery, { at: call.now, attemptId: ids.mint("att", call.now) })
    const place = { environment_id, endpoint_id: event.for_endpoint_id, webhook_event_id: event.id }
    endpoints.add(event.for_endpoint_id)
    if (event.attempts.some(({ id }) => id === attempt.id)) {
      rows.push(events.hasten({ ...place, attempt: attempt.attempt, at: call.now }))
    } else {
      numbered.push(event.id)
      rows.push(events.resend({ environment_id, id: event.id, resends: event.resends }))
      rows.push(deliveries.attempt(place, attempt))
    }
    return attempt
  })
  return { rows, numbered, endpoints, answer: answerOf(attempts) }
}
