import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Latch, Semaphore } from "effect"
import type { ListenNotifier } from "./ListenNotifier.ts"
import { retentionMillis, type StreamAsk, type StreamPage } from "./ListenPage.ts"
import type { ListenRepo, StreamLease, StreamWindow } from "./ListenRepo.ts"
import { type ListenSession, statusAt } from "./ListenSession.ts"
import { ListenWaiters } from "./ListenWaiters.ts"

/** The interval at which the stream is read while listeners wait, besides notifications. In milliseconds. */
const lookEveryMs = 1_000
/** How long other nodes are asked to wake this owner, and how long before that time ends they are asked again. */
const waitsForMs = 20_000
const waitsAgainMs = 10_000
/** The most rows that one statement numbers of a backlog without listeners so far; it takes some tenths of a second. */
const backlogAtOnce = 10_000
/** How long a read waits for a backlog to be numbered, in milliseconds; the rest is numbered without it. */
const backlogWaitMs = 5_000
/** The most repetitions of a read because another node numbered rows at the same time. */
const behindAtMost = 100
/**
 * The longest time between the creation of events and their numbering, within which they may be out of order. In
 * milliseconds.
 */
const disorderMs = 60_000

/** The owner's present view of a stream. */
export interface StreamView {
  readonly lease: StreamLease
  /** The session made last in the environment. */
  session: ListenSession | undefined
}

/**
 * The stream of one environment in its owner's memory: reads number committed rows, one read at a time, and waiters
 * share them. It never fails: without a lease it requests the lease once more and returns `undefined`.
 */
export class ListenStream {
  readonly waiters = new ListenWaiters()
  private view: StreamView | undefined
  private running = false
  private numbering = false
  private askedUntil = 0
  private readonly notifier = Latch.makeUnsafe(false)
  private readonly turn = Semaphore.makeUnsafe(1)
  private readonly deps: {
    readonly repo: ListenRepo["Service"]
    readonly notifier: ListenNotifier["Service"]
    readonly fork: (effect: Effect.Effect<void>) => void
    /** Counts running passes: +1 when one begins, -1 when it ends. */
    readonly busy: (change: 1 | -1) => void
  }

  constructor(deps: ListenStream["deps"]) {
    this.deps = deps
  }

  /** Takes the loaded view. */
  open(view: StreamView): void {
    this.view = view
  }

  /** Frees the slot of a poll for which no client waits any more. */
  forget(pollId: string): void {
    this.waiters.remove(pollId)
    if (this.waiters.size === 0) this.notifier.openUnsafe()
  }

  /** Reads now, and again while listeners wait. */
  ring(owner: OwnerHandle): void {
    this.notifier.openUnsafe()
    if (this.running || this.waiters.size === 0) return
    this.running = true
    this.deps.fork(this.loop(owner))
  }

  /** Returns pages of one instant; undefined when this node has lost the right to number rows. */
  pages(
    owner: OwnerHandle,
    asks: ReadonlyArray<StreamAsk>
  ): Effect.Effect<ReadonlyArray<StreamPage> | undefined, ServiceUnavailable> {
    return this.turn.withPermit(
      Effect.suspend(() => this.readUntilNumbered(owner, asks, { until: owner.now() + backlogWaitMs, behind: 0 }))
    )
  }

  private readUntilNumbered(
    owner: OwnerHandle,
    asks: ReadonlyArray<StreamAsk>,
    reading: { readonly until: number; readonly behind: number; readonly atOnce?: number }
  ): Effect.Effect<ReadonlyArray<StreamPage> | undefined, ServiceUnavailable> {
    const { view } = this
    if (view === undefined) return Effect.undefined
    const session = view.session?.id
    return Effect.flatMap(
      this.deps.repo.read(owner.id, view.lease, windowOf(view.session, owner.now()), asks, reading.atOnce),
      (read): Effect.Effect<ReadonlyArray<StreamPage> | undefined, ServiceUnavailable> => {
        // The commit checks the lease: when it is lost, memory is dropped and the lock storage is asked once more.
        if (read.verdict === "fenced") return Effect.as(owner.commit([{ rows: [] }]), undefined)
        if (view.session !== undefined && view.session.id === session)
          view.session = { ...view.session, key_ends_at: read.key_ends_at }
        const behind = reading.behind + (read.verdict === "behind" ? 1 : 0)
        const backlog = read.unnumbered && asks.some((ask) => ask.after === "tail")
        if (read.verdict !== "behind" && !backlog) return Effect.succeed(read.pages)
        if (behind < behindAtMost && owner.now() < reading.until) {
          const step = read.unnumbered ? { atOnce: backlogAtOnce } : {}
          return this.readUntilNumbered(owner, asks, { until: reading.until, behind, ...step })
        }
        if (read.unnumbered) this.numberOn(owner)
        return Effect.fail(new ServiceUnavailable({ retry_after_ms: 1000 }))
      }
    )
  }

  /** Numbers the rest of a backlog step by step, so that the next read of its tail finds it done. */
  private numberOn(owner: OwnerHandle): void {
    if (this.numbering) return
    this.numbering = true
    const step = Effect.suspend(() => {
      const { view } = this
      return view === undefined
        ? Effect.succeed(false)
        : Effect.map(
            this.deps.repo.read(owner.id, view.lease, windowOf(view.session, owner.now()), [tail], backlogAtOnce),
            ({ unnumbered, verdict }) => unnumbered && verdict !== "fenced"
          )
    })
    this.deps.fork(
      // Other reads may run between two steps.
      Effect.repeat(this.turn.withPermit(step), { while: (unnumbered) => unnumbered }).pipe(
        Effect.catchCause((cause) => Effect.logWarning("numbering a backlog failed", { environment: owner.id }, cause)),
        Effect.ensuring(
          Effect.sync(() => {
            this.numbering = false
          })
        )
      )
    )
  }

  private loop(owner: OwnerHandle): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const unsubscribe = this.deps.notifier.subscribe(owner.id, {
        ring: () => this.ring(owner),
        close: () => this.waiters.endAll()
      })
      while (this.waiters.size > 0) {
        this.notifier.closeUnsafe()
        this.announce(owner)
        const again = yield* this.pass(owner)
        if (!again && this.waiters.size > 0) yield* Effect.raceFirst(this.notifier.await, Effect.sleep(lookEveryMs))
      }
      unsubscribe()
      this.running = false
    })
  }

  /** Runs one read for all waiters; true when another read must follow at once. */
  private pass(owner: OwnerHandle): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      this.deps.busy(1)
      const groups = this.waiters.groups()
      return this.pages(
        owner,
        groups.map((group) => group.ask)
      ).pipe(
        Effect.map((pages) => {
          if (pages === undefined) {
            // Another node owns the environment: clients continue there with the cursor that they get.
            this.waiters.endAll()
            return false
          }
          const again = this.waiters.answerGroups(groups, pages)
          const session = this.view?.session
          if (session !== undefined && statusAt(session, owner.now()) !== "active") this.waiters.endAll()
          return again
        }),
        Effect.catchCause((cause) => {
          this.waiters.endAll((waiter) => waiter.ending)
          return Effect.as(Effect.logError("listen pass failed", { environment: owner.id }, cause), false)
        }),
        Effect.ensuring(Effect.sync(() => this.deps.busy(-1)))
      )
    })
  }

  private announce(owner: OwnerHandle) {
    const now = owner.now()
    if (this.askedUntil - now > waitsAgainMs) return
    this.askedUntil = now + waitsForMs
    owner.enqueue([this.deps.repo.waits(owner.id, this.askedUntil)])
  }
}

const tail: StreamAsk = { after: "tail", rows: 0, types: undefined }

/**
 * Returns the events that may be seen: the session's window, or all retained ones. A-LSS-11, gaps-1 L "Cursor and poll
 * delay"
 */
const windowOf = (session: ListenSession | undefined, now: number): StreamWindow => {
  if (session !== undefined) {
    return {
      numberFrom: lowestIdAt("evt", session.created_at),
      hiddenBelow: null,
      session_id: session.id,
      since: session.created_at,
      until: session.expires_at
    }
  }
  const since = now - retentionMillis
  return {
    numberFrom: lowestIdAt("evt", since),
    hiddenBelow: lowestIdAt("evt", since - disorderMs),
    session_id: null,
    since,
    until: null
  }
}
