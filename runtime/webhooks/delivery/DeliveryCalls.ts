import { failed, notAllowed, type OutboundResult } from "@carteiro/outbound/Attempt.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type OwnerQueue, type QueueKind } from "@carteiro/owners/Queue.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Random } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { secretsOfEvents } from "../../outbox/EventMask.ts"
import type { EndpointSecrets } from "../endpoint/EndpointSecrets.ts"
import { deliveryHeaders } from "../endpoint/Signature.ts"
import { type StoredEndpoint, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { type AttemptOutcome, judge, nothingToSend } from "./AttemptOutcome.ts"
import { deliveryMetrics } from "./DeliveryMetrics.ts"
import { applyAttempts, DeliveryQueue, type DueAttempt, type EndedAttempt, type EndpointNow } from "./DeliveryQueue.ts"
import { DeliverySettings, parallelAttempts } from "./DeliverySettings.ts"
import type { Stop } from "./DeliveryState.ts"
import { cancelledAtOnce, cancelledAttempts, WebhookDeliveryRepo } from "./WebhookDeliveryRepo.ts"

/** The state of an endpoint's owner, and its queue. */
export interface EndpointState {
  /** Undefined once it was deleted. */
  endpoint: StoredEndpoint | undefined
  secrets: EndpointSecrets
  /** A stop for which some waiting deliveries may not be ended yet. */
  stop: Stop | undefined
  readonly queue: OwnerQueue<EndpointState, EndpointNow | undefined, DueAttempt, AttemptOutcome>
}

type DeliveryKind = QueueKind<EndpointState, EndpointNow | undefined, DueAttempt, AttemptOutcome>

/** Services that the queues of all endpoints on a node share. */
interface DeliveryContext {
  readonly deliveries: WebhookDeliveryRepo["Service"]
  readonly endpoints: WebhookEndpointRepo["Service"]
  readonly settings: (typeof DeliverySettings)["Service"]
  readonly ids: Ids["Service"]
  readonly random: Random.Random
}

/**
 * The queue of deliveries. No attempt is reserved: one without a result is due again after a crash. Results are written
 * in batches while the next attempts, read ahead, are already being sent. gaps-1 K
 */
const deliveryKind = Effect.gen(function* () {
  const outbound = yield* Outbound
  const bodies = yield* EventBodies
  const metrics = deliveryMetrics(yield* Instruments)
  const context: DeliveryContext = {
    deliveries: yield* WebhookDeliveryRepo,
    endpoints: yield* WebhookEndpointRepo,
    settings: yield* DeliverySettings,
    ids: yield* Ids,
    random: yield* Random.Random
  }
  const kind: DeliveryKind = {
    ahead: 800,
    writeAtOnce: 256,
    retryMs: 250,
    drainMs: 2000,
    makeRows: (owner) =>
      new DeliveryQueue(
        parallelAttempts,
        ({ environment }) => context.settings.schedules[scheduleOf(environment, owner())]
      ),
    terms: ({ endpoint }) => endpoint,
    destination: ({ endpoint }) => outbound.originOf(endpoint?.url ?? ""),
    cancelWaiting: (state, owner) => cancelMore(state, owner, context),
    read: (_state, owner, { bytes, rows }) =>
      Effect.map(context.deliveries.due(owner.id, owner.now(), rows, bytes), ({ attempts, next }) => ({
        rows: attempts,
        next
      })),
    call: (attempt, state, owner) =>
      Effect.flatMap(bodies.readOne(storedEvent(attempt)), (body) => {
        if (body === undefined) return Effect.succeed(nothingToSend)
        const started = owner.now()
        const lead = owner.lead() ?? 0
        const url = outbound.tenantUrl(state.endpoint?.url ?? "")
        const posted =
          url === undefined
            ? Effect.succeed(notAllowed)
            : outbound.post({
                url,
                ...requestOf(attempt, body, state, { signedAt: started - lead, lead }, context.settings)
              })
        return Effect.map(posted, (result) => {
          if (result.exhausted) return undefined
          const outcome = outcomeOf(result)
          metrics.attempts(outcome)(1)
          metrics.seconds(outcome)((owner.now() - started) / 1000)
          return judge(result, result.body === null ? [] : secretsOf(attempt.type, body))
        })
      }),
    trace: (attempt, _state, owner) => ({
      name: "deliver webhook",
      traceId: attempt.trace_id,
      attributes: {
        "carteiro.environment_id": attempt.environment_id,
        "carteiro.owner.type": "WebhookEndpoint",
        "carteiro.owner.id": owner.id,
        "carteiro.event_id": attempt.event_id,
        "carteiro.event_type": attempt.type,
        "carteiro.delivery.attempt": attempt.attempt
      }
    }),
    broken: () => judge(notMade),
    end: (batch, state, owner) =>
      Effect.suspend(() =>
        Effect.map(
          owner.commit([{ rows: rowsOf(batch, state, owner, context) }]),
          ({ statuses }) => statuses[0] === "committed"
        )
      )
  }
  return kind
})

/** Makes the queue of an endpoint, for its owner. */
export const makeDeliveryQueues = Effect.flatMap(deliveryKind, makeOwnerQueues)

/** Returns the row that ends an endpoint's waiting attempts; attempts being sent here finish. */
export const cancelRow = (
  state: EndpointState,
  owner: OwnerHandle,
  stop: Stop,
  deliveries: WebhookDeliveryRepo["Service"],
  also: ReadonlyArray<string> = []
): Row => deliveries.cancel(owner.id, stop, [...state.queue.underWay, ...also], owner.now())

/** Decides on ended attempts and returns their rows; it does not yield in between. */
const rowsOf = (
  batch: ReadonlyArray<EndedAttempt>,
  state: EndpointState,
  owner: OwnerHandle,
  { deliveries, endpoints, ids, random, settings }: DeliveryContext
): ReadonlyArray<Row> => {
  const { endpoint } = state
  const now = owner.now()
  const delays = settings.schedules[scheduleOf(endpoint?.environment ?? "sandbox", owner)]
  const draw = () => random.nextDoubleUnsafe()
  const applied = applyAttempts(batch, endpoint, delays, draw, (at) => ids.mint("att", at))
  const rows: Array<Row> = []
  for (const { attempts, ended } of applied.deliveries) {
    const place = placeOf({ ...ended.row, endpoint_id: owner.id })
    const [result, retry] = attempts
    if (result !== undefined) rows.push(deliveries.ended(place, result, ended.at))
    if (retry !== undefined) rows.push(deliveries.attempt(place, retry))
  }
  if (endpoint === undefined || applied.health === undefined) return rows
  const next = { ...endpoint, health: applied.health, revision: endpoint.revision + 1 }
  state.endpoint = applied.tripped ? { ...next, stopped_at: now, updated_at: now } : next
  // Written even when health is unchanged: commits on one endpoint then never share a statement, so that a PATCH
  // cancels every attempt.
  rows.push(endpoints.health(state.endpoint))
  if (applied.tripped) {
    state.stop = "breaker"
    const written = batch.map(({ row }) => row.id)
    rows.push(cancelRow(state, owner, "breaker", deliveries, written))
    state.queue.clear()
  }
  return rows
}

/**
 * Returns the schedule; a sandbox whose clock is stopped or ahead retries as production does, because its time is
 * simulated. gaps-1 K "Retry schedule"
 */
const scheduleOf = (environment: EnvironmentKind, owner: OwnerHandle): EnvironmentKind =>
  owner.stands() || (owner.lead() ?? 0) > 0 ? "production" : environment

/** Ends more attempts that waited at a stop; true while the stop is not complete. */
const cancelMore = (state: EndpointState, owner: OwnerHandle, { deliveries }: DeliveryContext) => {
  const { stop } = state
  if (stop === undefined) return Effect.succeed(false)
  const commit = owner.commit([{ rows: [cancelRow(state, owner, stop, deliveries)] }])
  return Effect.map(commit, ({ keys, statuses }) => {
    if (statuses[0] === "committed" && keys(cancelledAttempts).size < cancelledAtOnce && state.stop === stop) {
      state.stop = undefined
    }
    return state.stop !== undefined
  })
}

const secretsOf = secretsOfEvents(eventCatalog)

// An attempt without an envelope is void and never gets here.
const storedEvent = ({ environment_id, envelope, event_id }: DueAttempt) => ({
  environment_id,
  id: event_id,
  envelope: envelope ?? ""
})

const requestOf = (
  attempt: DueAttempt,
  body: string,
  { secrets }: EndpointState,
  // Receivers compare a signature's time with their own clock, so the real time is signed.
  { lead, signedAt }: { readonly signedAt: number; readonly lead: number },
  { connectTimeoutMs, totalTimeoutMs }: DeliveryContext["settings"]
) => ({
  headers: {
    ...deliveryHeaders(secrets, attempt.event_id, signedAt, body),
    ...(lead === 0 ? {} : { "svc-clock": String(Math.floor(lead / 1000)) })
  },
  body,
  connectTimeoutMs,
  totalTimeoutMs
})

const placeOf = ({ environment_id, endpoint_id, webhook_event_id }: DueAttempt & { readonly endpoint_id: string }) => ({
  environment_id,
  endpoint_id,
  webhook_event_id
})

const notMade = failed("unreachable", "The request could not be made.")

/** Returns the metric's outcome of an attempt: delivered, the class of its failure, or a status without one. */
const outcomeOf = ({ failure_class, status_code }: OutboundResult): string =>
  status_code !== null && status_code >= 200 && status_code < 300 ? "delivered" : (failure_class ?? "refused")
