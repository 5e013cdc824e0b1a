import { Effect, Exit, type Fiber, Latch, Random } from "effect"
import type { Row } from "../../platform/commit/Write.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { failed, type OutboundResult } from "../../platform/outbound/Attempt.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { Activations } from "../../platform/owner/activation/Activations.ts"
import type { OwnerHandle } from "../../platform/owner/Owner.ts"
import { Instruments } from "../../platform/telemetry/Instruments.ts"
import { attemptMetrics } from "../../platform/telemetry/Metrics.ts"
import { signatureHeaders } from "../endpoint/Signature.ts"
import { type StoredEndpoint, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { judge } from "./AttemptOutcome.ts"
import { DeliveryDesk, type DueAttempt, type EndedAttempt, settle } from "./DeliveryDesk.ts"
import { DeliverySettings, parallelAttempts } from "./DeliverySettings.ts"
import type { Stop } from "./DeliveryState.ts"
import { cancelledAtOnce, cancelledAttempts, WebhookDeliveryRepo } from "./WebhookDeliveryRepo.ts"

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

/** What the queues of all endpoints on a node share. */
interface DeliveryGround {
  readonly outbound: Outbound["Service"]
  readonly metrics: ReturnType<typeof attemptMetrics>
  readonly deliveries: WebhookDeliveryRepo["Service"]
  readonly endpoints: WebhookEndpointRepo["Service"]
  readonly settings: (typeof DeliverySettings)["Service"]
  readonly activations: Activations["Service"]
  readonly ids: Ids["Service"]
  readonly random: Random.Random
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>
}

/** Makes the queue of an endpoint, for its owner. */
export const makeDeliveryWorkers = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const ground: DeliveryGround = {
    outbound: yield* Outbound,
    metrics: attemptMetrics(yield* Instruments, "webhook"),
    deliveries: yield* WebhookDeliveryRepo,
    endpoints: yield* WebhookEndpointRepo,
    settings: yield* DeliverySettings,
    activations: yield* Activations,
    ids: yield* Ids,
    random: yield* Random.Random,
    fork: Effect.runForkWith(context)
  }
  return (owner: OwnerHandle) => new DeliveryWorker(ground, owner)
})

/**
 * The queue of one endpoint at work: sends what is due, outside of the mailbox. No attempt is claimed: one without a
 * result is due again after a crash. Results are written in batches while the next attempts, read ahead, are on the wire
 * already. gaps-1 K
 */
export class DeliveryWorker {
  private readonly desk: DeliveryDesk
  private readonly fibers = new Set<Fiber.Fiber<unknown>>()
  private followed: EndpointState | undefined
  private asked = false
  private sending = false
  /** Open once nothing is on the wire any more; there from the moment the owner leaves this node. */
  private closing: Latch.Latch | undefined
  private readonly ground: DeliveryGround
  private owner: OwnerHandle

  constructor(ground: DeliveryGround, owner: OwnerHandle) {
    this.ground = ground
    this.owner = owner
    this.desk = new DeliveryDesk(parallelAttempts, ground.settings.schedules)
    owner.onLeave(Effect.suspend(() => this.finish))
  }

  /** Follows the owner's memory: what comes next is sent under this state and written under its lease. */
  follow(state: EndpointState, owner: OwnerHandle): void {
    this.followed = state
    this.owner = owner
    this.desk.clear()
  }

  /** One pass: writes what has ended, reads what is due, puts up to ten on the wire; never waits for a receiver. */
  pass(state: EndpointState): Effect.Effect<number | undefined> {
    return Effect.gen({ self: this }, function* () {
      const { desk, owner } = this
      this.asked = false
      this.followed = state
      if (!(yield* this.write(state))) return owner.now() + retryPassMs
      yield* this.cancelMore(state)
      let next: number | undefined
      if (desk.waiting < lowWater) {
        const due = this.ground.deliveries.due(owner.id, owner.now(), headSize + desk.underWay.length)
        const read = yield* due
        desk.fill(read.attempts)
        next = read.next
      }
      this.send()
      return state.stop === undefined ? next : owner.now()
    })
  }

  /** The row that ends what waits; what is under way here finishes. */
  cancelRow(stop: Stop, now: number, also: ReadonlyArray<string> = []): Row {
    return this.ground.deliveries.cancel(this.owner.id, stop, [...this.desk.underWay, ...also], now)
  }

  private ask() {
    if (this.asked || this.closing !== undefined) return
    this.asked = true
    this.owner.dueAt(this.owner.now())
  }

  /** Puts attempts on the wire while there is room; asks for a pass when there is something to write or to read. */
  private send() {
    const { desk, followed, owner } = this
    if (this.sending || this.closing !== undefined || followed === undefined) return
    this.sending = true
    for (;;) {
      const attempt = desk.take(followed.endpoint, owner.now())
      if (attempt === undefined) break
      this.post(attempt, followed)
    }
    this.sending = false
    if (desk.unwritten > 0) this.ask()
  }

  private post(attempt: DueAttempt, state: EndpointState) {
    const { fibers, ground, owner } = this
    ground.activations.busy(1)
    const fiber = ground.fork(
      Effect.suspend(() => {
        const started = owner.now()
        return Effect.tap(ground.outbound.post(requestOf(attempt, state, started, ground.settings)), (result) =>
          Effect.sync(() => {
            const outcome = outcomeOf(result)
            ground.metrics.attempts(outcome)(1)
            ground.metrics.seconds(outcome)((owner.now() - started) / 1000)
          })
        )
      }).pipe(
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("a delivery could not be made", { attempt: attempt.id, defect }), notMade)
        ),
        Effect.map((result) => this.ended(attempt, result))
      )
    )
    fibers.add(fiber)
    fiber.addObserver((exit) => {
      fibers.delete(fiber)
      if (Exit.isFailure(exit)) ground.activations.busy(-1)
    })
  }

  private ended(attempt: DueAttempt, result: OutboundResult) {
    this.desk.end(attempt, judge(result), this.owner.now())
    if (this.desk.wire === 0) this.closing?.openUnsafe()
    this.send()
  }

  /** Decides on what has ended and makes its rows; no yield in between. */
  private rowsOf(batch: ReadonlyArray<EndedAttempt>, state: EndpointState): ReadonlyArray<Row> {
    const { deliveries, endpoints, ids, random, settings } = this.ground
    const { endpoint } = state
    const now = this.owner.now()
    const delays = settings.schedules[endpoint?.environment ?? "sandbox"]
    const draw = () => random.nextDoubleUnsafe()
    const settled = settle(batch, endpoint, delays, draw, (at) => ids.mint("att", at))
    const rows: Array<Row> = []
    for (const { ended, attempts } of settled.deliveries) {
      const place = { ...ended.attempt, endpoint_id: this.owner.id }
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
      const written = batch.map(({ attempt }) => attempt.id)
      rows.push(this.cancelRow("breaker", now, written))
      this.desk.clear()
    }
    return rows
  }

  private write(state: EndpointState): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const batch = this.desk.drain(writeAtOnce)
      if (batch.length === 0) return Effect.succeed(true)
      return Effect.ensuring(
        Effect.map(
          this.owner.commit([{ rows: this.rowsOf(batch, state) }]),
          ({ statuses }) => statuses[0] === "committed"
        ),
        Effect.sync(() => {
          for (const { sent } of batch) if (sent) this.ground.activations.busy(-1)
        })
      )
    })
  }

  /** Ends more of what a stop left waiting. */
  private cancelMore(state: EndpointState): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { stop } = state
      if (stop === undefined) return Effect.void
      const commit = this.owner.commit([{ rows: [this.cancelRow(stop, this.owner.now())] }])
      return Effect.map(commit, ({ statuses, keys }) => {
        if (statuses[0] === "committed" && keys(cancelledAttempts).size < cancelledAtOnce && state.stop === stop) {
          state.stop = undefined
        }
      })
    })
  }

  /** Answers already on the wire are waited for and written; whoever owns the endpoint next sends the rest. */
  private get finish(): Effect.Effect<void> {
    const { desk, fibers } = this
    const closing = Latch.makeUnsafe(desk.wire === 0)
    this.closing = closing
    desk.clear()
    return Effect.raceFirst(closing.await, Effect.sleep(drain)).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          for (const fiber of fibers) fiber.interruptUnsafe()
          return this.followed === undefined ? Effect.void : this.write(this.followed)
        })
      ),
      Effect.asVoid
    )
  }
}

const requestOf = (
  attempt: DueAttempt,
  { endpoint, secret }: EndpointState,
  now: number,
  { connectTimeoutMs, totalTimeoutMs }: DeliveryGround["settings"]
) => {
  const body = attempt.envelope ?? ""
  return {
    url: endpoint?.url ?? "",
    headers: {
      "content-type": "application/json",
      "user-agent": "svc-webhooks/1",
      ...signatureHeaders(secret, attempt.event_id, now, body)
    },
    body,
    connectTimeoutMs,
    totalTimeoutMs
  }
}

const placeOf = ({ environment_id, endpoint_id, webhook_event_id }: DueAttempt & { readonly endpoint_id: string }) => ({
  environment_id,
  endpoint_id,
  webhook_event_id
})

const notMade = failed("unreachable", "The request could not be made.")

/** How an attempt is counted: delivered, the class of its failure, or a status without one. */
const outcomeOf = ({ failure_class, status_code }: OutboundResult): string =>
  status_code !== null && status_code >= 200 && status_code < 300 ? "delivered" : (failure_class ?? "refused")
