import { Effect, Exit, type Fiber, Latch, Option, Random, Scope } from "effect"
import type { Row } from "../platform/commit/Write.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { failed, type OutboundResult } from "../platform/outbound/Attempt.ts"
import { Outbound } from "../platform/outbound/Outbound.ts"
import type { OwnerHandle } from "../platform/owner/Owner.ts"
import { Residents } from "../platform/owner/Residents.ts"
import { Instruments } from "../platform/telemetry/Instruments.ts"
import { attemptMetrics } from "../platform/telemetry/Metrics.ts"
import { judge } from "./AttemptOutcome.ts"
import { DeliveryDesk, type DueAttempt, type EndedAttempt, settle } from "./DeliveryDesk.ts"
import { DeliverySettings, parallelAttempts } from "./DeliverySettings.ts"
import type { Stop } from "./DeliveryState.ts"
import { signatureHeaders } from "./Signature.ts"
import { cancelledAtOnce, cancelledAttempts, WebhookDeliveryRepo } from "./WebhookDeliveryRepo.ts"
import { type StoredEndpoint, WebhookEndpointRepo } from "./WebhookEndpointRepo.ts"

/** What an endpoint's owner holds beside its queue. */
export interface EndpointState {
  /** Undefined once it was deleted. */
  endpoint: StoredEndpoint | undefined
  /** The signing secret in the clear; empty without an endpoint. */
  secret: string
  /** A stop whose waiting deliveries may not all be marked yet. */
  stop: Stop | undefined
}

/** Attempts read at once, and how few may wait before more are read. */
const headSize = 200
const lowWater = 50
/** Ended attempts written in one commit at most. */
const writeAtOnce = 256
const retryPassMs = 250
/** How long a stopping node waits for answers on the wire. */
const drain = "2 seconds"

/** The queue of one endpoint at work. */
export interface DeliveryWorker {
  /** Follows the owner's memory: what is sent next is sent under this state. */
  readonly follow: (state: EndpointState, owner: OwnerHandle) => void
  /** One pass: writes what has ended, reads what is due, puts up to ten on the wire; never waits for a receiver. */
  readonly pass: (state: EndpointState, owner: OwnerHandle) => Effect.Effect<number | undefined>
  /** The row that ends what waits; what is under way here finishes. */
  readonly cancelRow: (endpointId: string, stop: Stop, now: number) => Row
}

/**
 * Sends what is due, outside of the mailbox. No attempt is claimed: one without a result is due again after a crash.
 * Results are written in batches while the next attempts, read ahead, are on the wire already. gaps-1 K
 */
export const makeDeliveryWorker = Effect.gen(function* () {
  const outbound = yield* Outbound
  const metrics = attemptMetrics(yield* Instruments, "webhook")
  const deliveries = yield* WebhookDeliveryRepo
  const endpoints = yield* WebhookEndpointRepo
  const settings = yield* DeliverySettings
  const residents = yield* Residents
  const ids = yield* Ids
  const random = yield* Random.Random
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const desk = new DeliveryDesk(parallelAttempts, settings.schedules)
  const fibers = new Set<Fiber.Fiber<unknown>>()
  const answered = Latch.makeUnsafe(true)
  let followed: { readonly state: EndpointState; readonly owner: OwnerHandle } | undefined
  let asked = false
  let sending = false
  let closing = false

  const ask = (owner: OwnerHandle) => {
    if (asked || closing) return
    asked = true
    owner.dueAt(owner.now())
  }

  const requestOf = (attempt: DueAttempt, { endpoint, secret }: EndpointState, now: number) => {
    const body = attempt.envelope ?? ""
    return {
      url: endpoint?.url ?? "",
      headers: {
        "content-type": "application/json",
        "user-agent": "svc-webhooks/1",
        ...signatureHeaders(secret, attempt.event_id, now, body)
      },
      body,
      connectTimeoutMs: settings.connectTimeoutMs,
      totalTimeoutMs: settings.totalTimeoutMs
    }
  }

  const ended = (attempt: DueAttempt, result: OutboundResult, owner: OwnerHandle) => {
    desk.end(attempt, judge(result), owner.now())
    if (desk.wire === 0) answered.openUnsafe()
    send()
  }

  const post = (attempt: DueAttempt, state: EndpointState, owner: OwnerHandle) => {
    residents.busy(1)
    answered.closeUnsafe()
    const fiber: Fiber.Fiber<unknown> = fork(
      Effect.suspend(() => {
        const started = owner.now()
        return Effect.tap(outbound.post(requestOf(attempt, state, started)), (result) =>
          Effect.sync(() => {
            const outcome = outcomeOf(result)
            metrics.attempts(outcome)(1)
            metrics.seconds(outcome)((owner.now() - started) / 1000)
          })
        )
      }).pipe(
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("a delivery could not be made", { attempt: attempt.id, defect }), notMade)
        ),
        Effect.map((result) => ended(attempt, result, owner))
      )
    )
    fibers.add(fiber)
    fiber.addObserver((exit) => {
      fibers.delete(fiber)
      if (Exit.isFailure(exit)) residents.busy(-1)
    })
  }

  /** Puts attempts on the wire while there is room; asks for a pass when there is something to write or to read. */
  const send = (): void => {
    if (sending || closing || followed === undefined) return
    sending = true
    const { state, owner } = followed
    for (;;) {
      const attempt = desk.take(state.endpoint, owner.now())
      if (attempt === undefined) break
      post(attempt, state, owner)
    }
    sending = false
    if (desk.unwritten > 0) ask(owner)
  }

  const cancelRow = (endpointId: string, stop: Stop, now: number, also: ReadonlyArray<string> = []) =>
    deliveries.cancel(endpointId, stop, [...desk.underWay, ...also], now)

  /** Decides on what has ended and makes its rows; no yield in between. */
  const rowsOf = (batch: ReadonlyArray<EndedAttempt>, state: EndpointState, owner: OwnerHandle) => {
    const { endpoint } = state
    const now = owner.now()
    const delays = settings.schedules[endpoint?.environment ?? "sandbox"]
    const draw = () => random.nextDoubleUnsafe()
    const settled = settle(batch, endpoint, delays, draw, (at) => ids.mint("att", at))
    const rows: Array<Row> = []
    for (const { ended, attempts } of settled.deliveries) {
      const place = { ...ended.attempt, endpoint_id: owner.id }
      const [result, retry] = attempts
      if (result !== undefined) rows.push(deliveries.ended(placeOf(place), result, ended.at))
      if (retry !== undefined) rows.push(deliveries.attempt(placeOf(place), retry))
    }
    if (endpoint === undefined || settled.health === undefined) return rows
    const next = { ...endpoint, health: settled.health, revision: endpoint.revision + 1 }
    state.endpoint = settled.tripped ? { ...next, stopped_at: now, updated_at: now } : next
    // Written even when nothing moved: commits on one endpoint then never share a statement, so that what a PATCH
    // cancels is all there.
    rows.push(endpoints.health(state.endpoint))
    if (settled.tripped) {
      state.stop = "breaker"
      rows.push(
        cancelRow(
          owner.id,
          "breaker",
          now,
          batch.map(({ attempt }) => attempt.id)
        )
      )
      desk.clear()
    }
    return rows
  }

  const write = (state: EndpointState, owner: OwnerHandle): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const batch = desk.drain(writeAtOnce)
      if (batch.length === 0) return Effect.succeed(true)
      return Effect.ensuring(
        Effect.map(
          owner.commit([{ rows: rowsOf(batch, state, owner) }]),
          ({ statuses }) => statuses[0] === "committed"
        ),
        Effect.sync(() => {
          for (const { sent } of batch) if (sent) residents.busy(-1)
        })
      )
    })

  /** Ends more of what a stop left waiting. */
  const cancelMore = (state: EndpointState, owner: OwnerHandle) =>
    Effect.suspend(() => {
      const { stop } = state
      if (stop === undefined) return Effect.void
      return Effect.map(owner.commit([{ rows: [cancelRow(owner.id, stop, owner.now())] }]), ({ statuses, keys }) => {
        if (statuses[0] === "committed" && keys(cancelledAttempts).size < cancelledAtOnce && state.stop === stop) {
          state.stop = undefined
        }
      })
    })

  const pass: DeliveryWorker["pass"] = Effect.fnUntraced(function* (state, owner) {
    asked = false
    followed = { state, owner }
    if (!(yield* write(state, owner))) return owner.now() + retryPassMs
    yield* cancelMore(state, owner)
    let next: number | undefined
    if (desk.waiting < lowWater) {
      const read = yield* deliveries.due(owner.id, owner.now(), headSize + desk.underWay.length)
      desk.fill(read.attempts)
      next = read.next
    }
    send()
    return state.stop === undefined ? next : owner.now()
  })

  /** Answers already on the wire are waited for and written; whoever owns the endpoint next sends the rest. */
  const finish = Effect.gen(function* () {
    closing = true
    desk.clear()
    yield* Effect.raceFirst(answered.await, Effect.sleep(drain))
    for (const fiber of fibers) fiber.interruptUnsafe()
    if (followed !== undefined) yield* write(followed.state, followed.owner)
  })
  const scope = yield* Effect.serviceOption(Scope.Scope)
  if (Option.isSome(scope)) yield* Scope.addFinalizer(scope.value, Effect.ignoreCause(finish))

  return {
    follow: (state, owner) => {
      followed = { state, owner }
      desk.clear()
    },
    pass,
    cancelRow
  } satisfies DeliveryWorker
})

const placeOf = ({ environment_id, endpoint_id, webhook_event_id }: DueAttempt & { readonly endpoint_id: string }) => ({
  environment_id,
  endpoint_id,
  webhook_event_id
})

const notMade = failed("unreachable", "The request could not be made.")

/** How an attempt is counted: delivered, the class of its failure, or a status without one. */
const outcomeOf = ({ failure_class, status_code }: OutboundResult): string =>
  status_code !== null && status_code >= 200 && status_code < 300 ? "delivered" : (failure_class ?? "refused")
