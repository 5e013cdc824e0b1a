import { Effect, Latch } from "effect"
import { eraOf } from "../clock/OwnerClocks.ts"
import type { OwnerHandle } from "../Owner.ts"
import { CallFibers } from "./CallFibers.ts"
import type { Share } from "./FairPool.ts"
import { bytesReadAtOnce } from "./OutboundBudget.ts"
import { QueueBudget } from "./QueueBudget.ts"
import { makeQueueContext, type QueueContext } from "./QueueContext.ts"
import { callOf, type QueueKind } from "./QueueKind.ts"
import type { QueueRow, QueueRows } from "./QueueRows.ts"

/** The pause after a call that this node lacked the means to make, in milliseconds. */
const afterWantMs = 1000
/** The most rows left of a head that is read again. */
const fewLeft = 50
/** The part of a stop that is kept for writing the results of ended calls. */
const lastWrite = "2 seconds"

/** Returns a function that makes the queue of an owner, for its behaviour. */
export const makeOwnerQueues = Effect.fnUntraced(function* <State, Terms, Row extends QueueRow, Result>(
  kind: QueueKind<State, Terms, Row, Result>
) {
  const context = yield* makeQueueContext(kind)
  return (owner: OwnerHandle) => new OwnerQueue(context, owner)
})

/**
 * The queue of one owner: it sends due rows outside of the mailbox, and writes their results in batches while the next
 * rows are on the wire. No pass waits for a call.
 */
export class OwnerQueue<State, Terms, Row extends QueueRow, Result> {
  private readonly rows: QueueRows<Terms, Row, Result>
  private readonly budget: QueueBudget
  private readonly calls: CallFibers
  private followed: State | undefined
  private asked = false
  private starting = false
  private reading = false
  private pausedUntil = 0
  /** Opens once no row is on the wire; set from the moment the owner leaves this node. */
  private closing: Latch.Latch | undefined
  /** True once the owner no longer waits for calls under way. */
  private left = false
  private readonly context: QueueContext<State, Terms, Row, Result>
  private owner: OwnerHandle
  private era: number

  constructor(context: QueueContext<State, Terms, Row, Result>, owner: OwnerHandle) {
    this.context = context
    this.owner = owner
    this.era = eraOf(owner.clock)
    this.calls = new CallFibers(context.kind.callMs, context.fork)
    this.rows = context.kind.makeRows(() => this.owner)
    this.budget = new QueueBudget(context.budget, () => this.turn())
    owner.onLeave(Effect.suspend(() => this.finish))
  }

  /** Returns the rows on the wire, and those whose result is not written. */
  get underWay(): ReadonlyArray<string> {
    return this.rows.underWay
  }

  /** Returns the number of free places on the wire. */
  get room(): number {
    return this.rows.room
  }

  /** True while a pass could start no row: the owner leaves, or waits for the budget, whose grant asks for a pass. */
  get isHeld(): boolean {
    return this.closing !== undefined || this.budget.isWaiting
  }

  /** Follows the owner's memory: later rows leave under this state and are written under its lease. */
  follow(owner: OwnerHandle, state: State | undefined = this.followed): void {
    this.followed = state
    this.owner = owner
    if (this.era !== eraOf(owner.clock)) this.abandon()
    this.era = eraOf(owner.clock)
    this.clear()
  }

  /** Ends calls whose rows were deleted by a reset, and forgets their results. */
  private abandon(): void {
    this.calls.interrupt()
    for (const { sent } of this.rows.drain(Number.MAX_SAFE_INTEGER)) if (sent) this.context.activations.busy(-1)
  }

  /** Drops the rows that were read ahead: they are read again. */
  clear(): void {
    this.rows.clear()
    this.account()
  }

  /**
   * Runs one pass: writes results, reads due rows, starts rows that may leave. Returns when it wants to run again. A state
   * whose `owner` has loaded another one meanwhile reserves nothing, because that one would not know of it.
   */
  pass(state: State, owner: OwnerHandle): Effect.Effect<number | undefined> {
    return Effect.gen({ self: this }, function* () {
      const { kind } = this.context
      this.asked = false
      if (owner !== this.owner) return this.owner.now()
      this.followed = state
      if (!(yield* this.write(state))) return this.owner.now() + kind.retryMs
      const more = kind.cancelWaiting !== undefined && (yield* kind.cancelWaiting(state, this.owner))
      if (kind.ahead === 0 || this.rows.isStale(this.owner.now())) this.clear()
      const next = yield* this.read(state, owner)
      if (owner !== this.owner) return this.owner.now()
      if (kind.reserve === undefined) this.start()
      else yield* this.reserve(state, owner)
      return more ? this.owner.now() : next
    })
  }

  private ask() {
    if (this.asked || this.closing !== undefined) return
    this.asked = true
    this.owner.dueAt(this.owner.now())
  }

  /** Continues once a socket or room for bodies was granted. */
  private turn() {
    if (this.context.kind.reserve === undefined) {
      this.start()
      this.budget.giveBackUnused()
    }
    if (this.context.kind.reserve !== undefined || this.rows.waiting === 0) this.ask()
  }

  private get idle(): boolean {
    return this.closing !== undefined || this.followed === undefined || this.owner.now() < this.pausedUntil
  }

  /** Returns the next row with a socket for it; undefined when there is no row or no socket. */
  private next(state: State): { readonly row: Row; readonly share: Share } | undefined {
    const { kind } = this.context
    if (this.idle || this.rows.waiting === 0 || this.rows.room === 0) return undefined
    if (this.rows.isStale(this.owner.now())) return void this.ask()
    const share = this.budget.socket(kind.destination(state))
    if (share === undefined) return undefined
    const row = this.rows.take(kind.terms(state), this.owner.now())
    if (row !== undefined) return { row, share }
    this.budget.giveBack(share)
    return undefined
  }

  /** Starts rows while there is room; asks for a pass when results have to be written. */
  private start() {
    const { followed } = this
    if (this.starting || followed === undefined) return
    this.starting = true
    for (let next = this.next(followed); next !== undefined; next = this.next(followed)) {
      this.call(next.row, next.share, followed)
    }
    this.starting = false
    if (this.rows.unwritten > 0) this.ask()
  }

  /** Reserves as many rows as start now, and no more. */
  private reserve(state: State, owner: OwnerHandle): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { kind } = this.context
      const taken: Array<{ readonly row: Row; readonly share: Share }> = []
      const allowed = kind.allowance?.(state, owner) ?? Number.POSITIVE_INFINITY
      while (taken.length < allowed) {
        const next = this.next(state)
        if (next === undefined) break
        taken.push(next)
      }
      this.budget.giveBackUnused()
      if (this.rows.unwritten > 0) this.ask()
      if (taken.length === 0) return Effect.void
      const reserved = new Map<string, Row>()
      const rows = taken.map(({ row }) => row)
      const reserving = kind.reserve?.(rows, state, owner)
      return Effect.ensuring(
        Effect.map(reserving ?? Effect.succeed([]), (leaving) => {
          for (const row of leaving) reserved.set(row.id, row)
        }),
        Effect.sync(() => {
          for (const { row, share } of taken) {
            const leaves = reserved.get(row.id)
            if (leaves !== undefined && !this.left) this.call(leaves, share, state)
            else this.drop(row, share)
          }
        })
      )
    })
  }

  private call(row: Row, share: Share, state: State) {
    const { activations, fork, kind } = this.context
    const { owner } = this
    activations.busy(1)
    const fiber = fork(Effect.map(callOf(kind, row, state, owner), (result) => this.ended(row, share, result)))
    this.calls.add(fiber, owner.clock, (isLate) => {
      if (isLate) return this.ended(row, share, kind.broken(row))
      activations.busy(-1)
      this.drop(row, share)
    })
  }

  private ended(row: Row, share: Share, result: Result | undefined) {
    const now = this.owner.now()
    if (result === undefined) {
      this.context.activations.busy(-1)
      this.pausedUntil = now + afterWantMs
      this.clear()
      this.drop(row, share)
      this.owner.dueAt(this.pausedUntil)
      return
    }
    this.rows.end(row, result, now)
    this.budget.giveBack(share)
    this.wentOff()
    if (this.context.kind.reserve === undefined) this.start()
    else this.ask()
  }

  /** Gives up a row that does not leave after all. */
  private drop(row: Row, share: Share) {
    this.rows.forget(row)
    this.account()
    this.budget.giveBack(share)
    this.wentOff()
  }

  /** Reports the held bytes to the budget; while a read runs, the bytes reserved for it are not known yet. */
  private account() {
    if (!this.reading) this.budget.hold(this.rows.bytes)
  }

  private wentOff() {
    if (this.rows.wire === 0) this.closing?.openUnsafe()
  }

  private read(state: State, owner: OwnerHandle): Effect.Effect<number | undefined> {
    return Effect.suspend(() => {
      const { rows, budget } = this
      const { kind } = this.context
      const ahead = rows.ahead(kind.ahead)
      if (this.idle || rows.waiting > Math.min(ahead / 4, fewLeft) || rows.waitingBytes > bytesReadAtOnce / 4) {
        return Effect.succeed(undefined)
      }
      const startable = Math.min(rows.room, kind.allowance?.(state, owner) ?? rows.room)
      if (startable + ahead === 0 || !budget.takeBytes(kind.destination(state))) return Effect.succeed(undefined)
      const known = kind.reserve === undefined ? rows.underWay.length : 0
      this.reading = true
      return Effect.ensuring(
        Effect.map(kind.read(state, owner, { rows: startable + ahead + known, bytes: bytesReadAtOnce }), (found) => {
          // The owner may have left, or its memory may have changed, while the read ran.
          if (this.owner === owner && this.followed === state && !this.idle) rows.fill(found.rows, owner.now())
          return found.next
        }),
        Effect.sync(() => {
          this.reading = false
          this.account()
        })
      )
    })
  }

  private write(state: State): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { activations, kind } = this.context
      const batch = this.rows.drain(kind.writeAtOnce)
      if (batch.length === 0) return Effect.succeed(true)
      return Effect.ensuring(
        kind.end(batch, state, this.owner),
        Effect.sync(() => {
          this.account()
          for (const { sent } of batch) if (sent) activations.busy(-1)
        })
      )
    })
  }

  /** Waits for answers to calls on the wire and writes them; the next owner of the rows sends the rest. */
  private get finish(): Effect.Effect<void> {
    const closing = Latch.makeUnsafe(this.rows.wire === 0)
    this.closing = closing
    this.clear()
    this.budget.leave()
    return Effect.raceFirst(closing.await, Effect.sleep(this.context.kind.drainMs)).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          this.left = true
          this.calls.interrupt()
          return this.followed === undefined
            ? Effect.void
            : Effect.timeoutOption(Effect.interruptible(this.write(this.followed)), lastWrite)
        })
      ),
      // This node no longer handles the rows that were not written.
      Effect.ensuring(Effect.sync(() => this.budget.hold(0))),
      Effect.asVoid
    )
  }
}
