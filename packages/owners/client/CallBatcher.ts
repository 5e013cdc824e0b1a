import { Effect, type Tracer } from "effect"
import type { Refusal } from "../ProductTypes.ts"
import type { Outcome } from "../protocol/Behaviour.ts"
import type { Refusals } from "../Refusals.ts"

/** One call that waits in a batcher. */
interface Waiting<Item, A> {
  readonly item: Item
  /** The epoch millisecond after which the call fails as unanswered. */
  readonly deadline: number
  /** The same instant in real time, as `performance.now` counts it. */
  readonly leavesAt: number
  /** The sampled span of the call, if it has one. */
  readonly span: Tracer.Span | undefined
  readonly resume: (outcome: Outcome<A>) => void
}

/** Sends one batch to the owner, with the sampled spans it serves. Returns one outcome an item and never fails. */
export type SendBatch<Item, A> = (
  items: ReadonlyArray<Item>,
  traced: ReadonlyArray<Tracer.Span> | undefined
) => Effect.Effect<ReadonlyArray<Outcome<A>>>

const maxBatch = 256
/** Calls that may wait for one owner on this node; further callers are told to retry. */
const maxWaiting = 1024
/**
 * While the rows of one message are written, the next message is decided already. A third would only make batches
 * smaller.
 */
const maxInFlight = 2

/**
 * Gathers the calls of one node to one operation of one owner. Calls that arrive in one turn of the event loop, or
 * while two messages are under way, leave as one message. Calls that are told to retry go again until their deadline.
 */
export class CallBatcher<Item, A> {
  private waiting: Array<Waiting<Item, A>> = []
  /** The calls without an answer, in the order of their deadlines. */
  private readonly open = new Set<Waiting<Item, A>>()
  private inFlight = 0
  private scheduled = false
  private readonly send: SendBatch<Item, A>
  private readonly fork: (effect: Effect.Effect<void>) => void
  private readonly now: () => number
  private readonly onIdle: () => void
  private readonly refusals: Refusals["Service"]

  constructor(options: {
    readonly send: SendBatch<Item, A>
    readonly fork: (effect: Effect.Effect<void>) => void
    readonly now: () => number
    readonly onIdle: () => void
    readonly refusals: Refusals["Service"]
  }) {
    this.send = options.send
    this.fork = options.fork
    this.now = options.now
    this.onIdle = options.onIdle
    this.refusals = options.refusals
  }

  /** Queues a call. Its result is never a retry while the deadline allows another try. */
  call(item: Item, deadline: number, span?: Tracer.Span): Effect.Effect<A, Refusal> {
    return Effect.callback<A, Refusal>((resume) => {
      if (this.waiting.length >= maxWaiting) return resume(resultOf(unavailable, this.refusals))
      const leavesAt = performance.now() + (deadline - this.now())
      const call = {
        item,
        deadline,
        leavesAt,
        span,
        resume: (outcome: Outcome<A>) => resume(resultOf(outcome, this.refusals))
      }
      this.waiting.push(call)
      this.open.add(call)
      this.schedule()
    })
  }

  /**
   * Ends the calls whose deadline has passed at this instant of real time, those under way included: an owner may wait for
   * the outcome of a commit until the database is back, and its callers may not.
   */
  look(at: number): void {
    const before = this.open.size
    for (const call of this.open) {
      if (at < call.leavesAt) break
      this.end(call, unavailable)
    }
    if (this.open.size === before) return
    this.waiting = this.waiting.filter((call) => this.open.has(call))
    this.rest()
  }

  private end(call: Waiting<Item, A>, outcome: Outcome<A>) {
    if (this.open.delete(call)) call.resume(outcome)
  }

  private rest() {
    if (this.inFlight === 0 && this.open.size === 0) this.onIdle()
  }

  private schedule() {
    if (this.scheduled || this.inFlight >= maxInFlight || this.waiting.length === 0) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.flush()
    })
  }

  private flush() {
    while (this.inFlight < maxInFlight && this.waiting.length > 0) {
      const calls = this.takeLive()
      if (calls.length === 0) return this.rest()
      this.inFlight++
      const sentAt = this.now()
      const items = calls.map((call) => call.item)
      this.fork(
        Effect.map(this.send(items, spansOf(calls)), (outcomes) => {
          this.inFlight--
          this.answerCalls(calls, outcomes, sentAt)
          this.schedule()
          this.rest()
        })
      )
    }
  }

  /** Returns the next calls to send. Calls past their deadline fail and reach no owner. */
  private takeLive(): ReadonlyArray<Waiting<Item, A>> {
    const now = this.now()
    const calls: Array<Waiting<Item, A>> = []
    let taken = 0
    for (const call of this.waiting) {
      if (calls.length === maxBatch) break
      taken++
      if (now < call.deadline) calls.push(call)
      else this.end(call, unavailable)
    }
    this.waiting = this.waiting.slice(taken)
    return calls
  }

  private answerCalls(calls: ReadonlyArray<Waiting<Item, A>>, outcomes: ReadonlyArray<Outcome<A>>, sentAt: number) {
    const now = this.now()
    const again: Array<Waiting<Item, A>> = []
    const atOnce: Array<Waiting<Item, A>> = []
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i] as Waiting<Item, A>
      if (!this.open.has(call)) continue
      const outcome = outcomes[i] ?? unavailable
      const end = hasNoDatabase(outcome) ? now + (now - sentAt) : now
      if (mayGoAgain(outcome) && end < call.deadline) (isChanged(outcome) ? atOnce : again).push(call)
      else this.end(call, outcome)
    }
    this.waiting.unshift(...atOnce)
    if (again.length === 0) return
    // The owner moved or is unreachable: the unchanged items, with the ids already minted for them, go again shortly.
    this.fork(
      Effect.map(Effect.sleep("50 millis"), () => {
        this.waiting.unshift(...again.filter((call) => this.open.has(call)))
        this.schedule()
      })
    )
  }
}

const spansOf = (calls: ReadonlyArray<Pick<Waiting<never, never>, "span">>): ReadonlyArray<Tracer.Span> | undefined => {
  let spans: Array<Tracer.Span> | undefined
  for (const { span } of calls) {
    if (span === undefined) continue
    if (spans === undefined) spans = [span]
    else spans.push(span)
  }
  return spans
}

const unavailable: Outcome<never> = { retry: "unavailable" }

/** Returns the value of an outcome, or fails with its error. */
export const resultOf = <A>(outcome: Outcome<A>, refusals: Refusals["Service"]): Effect.Effect<A, Refusal> => {
  if ("ok" in outcome) return Effect.succeed(outcome.ok)
  if ("error" in outcome) return Effect.fail(outcome.error)
  if ("defect" in outcome) return Effect.die(new Error(outcome.defect))
  // The caller is an owner that leaves this node: its own callers retry at its successor without waiting for this
  // deadline.
  if (outcome.retry === "leaving") return Effect.interrupt
  return Effect.fail(outcome.retry === "duplicate" ? refusals.duplicate() : refusals.unavailable())
}

/** The next try would wait for the database as long as this one did, so a try that cannot end in time is not begun. */
const hasNoDatabase = (outcome: Outcome<unknown>): boolean => "retry" in outcome && outcome.retry === "no_database"

const isChanged = (outcome: Outcome<unknown>): boolean => "retry" in outcome && outcome.retry === "changed"

const mayGoAgain = (outcome: Outcome<unknown>): boolean =>
  "retry" in outcome && outcome.retry !== "duplicate" && outcome.retry !== "leaving"

const lookEveryMs = 250

type BatcherContext<Item, A> = Omit<ConstructorParameters<typeof CallBatcher<Item, A>>[0], "send" | "onIdle">

/** The batchers of one operation, by owner. While any has calls, all are looked at four times a second. */
export class CallBatchers<Item, A> {
  private readonly batchers = new Map<string, CallBatcher<Item, A>>()
  private looks: NodeJS.Timeout | undefined
  private readonly sendTo: (id: string) => SendBatch<Item, A>
  private readonly context: BatcherContext<Item, A>

  constructor(sendTo: (id: string) => SendBatch<Item, A>, context: BatcherContext<Item, A>) {
    this.sendTo = sendTo
    this.context = context
  }

  call(id: string, item: Item, deadline: number, span?: Tracer.Span) {
    let batcher = this.batchers.get(id)
    if (batcher === undefined) {
      batcher = new CallBatcher({ ...this.context, send: this.sendTo(id), onIdle: () => this.batchers.delete(id) })
      this.batchers.set(id, batcher)
    }
    this.looks ??= setInterval(() => this.look(), lookEveryMs).unref()
    return batcher.call(item, deadline, span)
  }

  /** It goes by real time, like the patience of statements. */
  private look(): void {
    const now = performance.now()
    for (const batcher of this.batchers.values()) batcher.look(now)
    if (this.batchers.size > 0) return
    clearInterval(this.looks)
    this.looks = undefined
  }
}
