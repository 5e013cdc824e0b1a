import { hasPassingSqlError } from "@carteiro/tables/SqlFailure.ts"
import { Cause, Deferred, Effect, Scope, Tracer } from "effect"
import type { Entity } from "effect/cluster"
import { OwnerTime } from "../clock/OwnerClocks.ts"
import type { Submitted } from "../commit/Commit.ts"
import type { CommitUnit } from "../commit/Statement.ts"
import type { BatchHandler, Decision, LongCallHandler, Outcome } from "../protocol/Behaviour.ts"
import type { ActivationContext } from "./ActivationContext.ts"
import type { ResidentOwner } from "./Activations.ts"
import { DueWork, type DueWorkOwner } from "./DueWork.ts"
import { LeasedHandle } from "./LeasedHandle.ts"
import { Mailbox } from "./Mailbox.ts"
import { type Lease, type Loaded, Memory, type MemoryDeps } from "./Memory.ts"
import { OwnerCommits } from "./OwnerCommits.ts"
import {
  awaitOutcomes,
  dropped,
  emptying,
  fenced,
  noDatabase,
  type Reply,
  settleAll,
  settleWithout,
  tracedBatch
} from "./Settling.ts"
import { loadSnapshot, snapshotRow } from "./Snapshot.ts"

const saveSnapshotAfter = "2 seconds"
const retryPassMs = 250 // after a failed pass

/**
 * One owner in memory: its state, the lease it was loaded under, and the pass over due work. A node may hold a hundred
 * thousand owners, so shared data lives in their context and methods on the prototype.
 */
export class Activation<State> implements DueWorkOwner, MemoryDeps<State>, ResidentOwner {
  private saving = false
  /** The epoch millisecond until which the cluster counts the owner as in use. */
  private seenUntil = 0
  private readonly mailbox = new Mailbox()
  /** The last state of memory, for the next load. */
  private before: State | undefined
  private leaving: ReadonlyArray<Effect.Effect<void>> = []
  private readonly due: DueWork | undefined
  private readonly memory: Memory<State>
  private readonly address: Entity.CurrentAddress["Service"]
  private readonly scope: Scope.Scope
  private readonly context: ActivationContext<State>
  readonly commits: OwnerCommits
  readonly time: OwnerTime

  constructor(context: ActivationContext<State>, address: Entity.CurrentAddress["Service"], scope: Scope.Scope) {
    this.context = context
    this.address = address
    this.scope = scope
    this.time = new OwnerTime(context.clock, context.clockOf, address.entityId, () => this.memory.forget())
    this.memory = new Memory(this)
    this.commits = new OwnerCommits(context, address, this.memory)
    this.due = context.behaviour.work === undefined ? undefined : new DueWork(this)
  }

  get id(): string {
    return this.address.entityId
  }

  get shard(): number {
    return this.address.shardId.id
  }

  now(): number {
    return this.time.now()
  }

  wake(instant: number) {
    this.context.activations.wake(this.context.type, this.id, instant)
  }

  enqueue(rows: CommitUnit["rows"]) {
    this.context.fork(this.commits.recordOnce([{ rows }]))
  }

  dueAt(instant: number) {
    this.due?.at(instant)
  }

  drop(lease: Lease) {
    this.time.expire() // the owner may belong to another tenant now
    this.memory.drop(lease)
  }

  get settled(): Effect.Effect<void> {
    return this.memory.allSettled
  }

  onLeave(effect: Effect.Effect<void>) {
    this.leaving = [effect, ...this.leaving]
  }

  /** Counts this owner among the node's activations, and saves its snapshot when it leaves. */
  get register(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.context.activations.enter(this.context.type, this.id, this)
      this.seenUntil = this.time.nodeNow() + this.context.seenEveryMs
      return Scope.addFinalizer(
        this.scope,
        Effect.suspend(() => this.leave)
      )
    })
  }

  private get leave(): Effect.Effect<void> {
    // From here on callers of this node ask the cluster again. Calls that run or wait are finished first.
    this.context.activations.leave(this.context.type, this.id, this)
    const finished = Effect.timeout(Effect.andThen(this.mailbox.inTurn(Effect.void), this.saveNow), "3 seconds")
    return Effect.andThen(
      Effect.ignoreCause(finished),
      Effect.suspend(() => Effect.forEach(this.leaving, (effect) => Effect.ignoreCause(effect), { discard: true }))
    )
  }

  epoch(): number | undefined {
    return this.commits.epoch
  }

  takeSnapshot(state: State): string | undefined {
    return this.context.behaviour.snapshot?.(state, this.now())
  }

  load(lease: Lease, snapshot: string | null | undefined): Effect.Effect<Loaded<State>> {
    const { behaviour, sql, type } = this.context
    const handle = new LeasedHandle(this, lease)
    const known = snapshot !== undefined || behaviour.snapshot === undefined
    return Effect.flatMap(known ? Effect.succeed(snapshot) : loadSnapshot(sql, type, this.id), (saved) =>
      Effect.map(behaviour.load(handle, saved ?? undefined, this.before), (state) => {
        this.before = state
        // Levels from the previous memory are not in the table yet.
        if (snapshot !== undefined) this.touch()
        return { lease, handle, state }
      })
    )
  }

  /** Handles calls from this node. A message now and then tells the cluster that the owner is in use. */
  call(
    tag: string,
    items: ReadonlyArray<unknown>,
    traced?: ReadonlyArray<Tracer.AnySpan>
  ): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    return Effect.suspend(() => {
      if (this.time.nodeNow() >= this.seenUntil) {
        this.seenUntil = this.time.nodeNow() + this.context.seenEveryMs
        this.wake(Number.MAX_SAFE_INTEGER)
      }
      return Effect.flatMap(this.batch(tag, items, traced), awaitOutcomes)
    })
  }

  /** Handles the calls of a batched operation in their turn. Returns one outcome an item and never fails. */
  batch(tag: string, items: ReadonlyArray<unknown>, traced?: ReadonlyArray<Tracer.AnySpan>): Effect.Effect<Reply> {
    const { tracing, type } = this.context
    return tracing === undefined || traced === undefined || traced.length === 0
      ? this.mailbox.inTurn(this.handle(tag, items))
      : tracedBatch(tracing, traced, { type, id: this.id, tag, items: items.length }, (span) =>
          this.mailbox.inTurn(Effect.provideService(this.handle(tag, items, span), Tracer.ParentSpan, span))
        )
  }

  private handle(tag: string, items: ReadonlyArray<unknown>, span?: Tracer.AnySpan): Effect.Effect<Reply> {
    const handler = this.context.behaviour.handlers[tag] as BatchHandler<State, unknown, unknown, unknown>
    return Effect.catchCause(
      this.time.on(this.decide(handler, items, span), (): Reply => items.map(() => emptying)),
      (cause): Effect.Effect<Reply> => {
        if (this.memory.current !== undefined) this.drop(this.memory.current.lease)
        if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
        if (hasPassingSqlError(cause)) return Effect.succeed(items.map(() => noDatabase))
        if (items.length === 1) return this.defect(tag, cause)
        // A defect of one item must not fail its neighbours, so each item is tried alone.
        return Effect.map(
          Effect.forEach(items, (item) => Effect.flatMap(this.handle(tag, [item], span), awaitOutcomes)),
          (outcomes) => outcomes.flat()
        )
      }
    )
  }

  private defect(tag: string, cause: Cause.Cause<unknown>): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    if (hasPassingSqlError(cause)) return Effect.succeed([noDatabase])
    return Effect.as(
      Effect.logError("owner operation failed", { owner: this.context.type, id: this.id, operation: tag }, cause),
      [{ defect: `${this.context.type}.${tag}` }]
    )
  }

  private decide(
    handler: BatchHandler<State, unknown, unknown, unknown>,
    items: ReadonlyArray<unknown>,
    span: Tracer.AnySpan | undefined
  ): Effect.Effect<Reply> {
    return Effect.flatMap(this.memory.loaded, (loadedState) => {
      if (loadedState === undefined)
        return Effect.as(
          this.commits.lost(undefined),
          items.map(() => fenced)
        )
      const { handle, lease, state } = loadedState
      const read: Effect.Effect<unknown> = handler.read === undefined ? Effect.void : handler.read(items, state, handle)
      return Effect.map(read, (facts): Reply => {
        // While the read ran, the commit of an earlier decision may have failed, or the lease may have been fenced.
        if (lease.over)
          return items.map(() => (lease.fenced !== true && lease.epoch === this.epoch() ? dropped : fenced))
        return this.submit(handler.decide(items, facts, state, handle, this.now()), lease, span)
      })
    })
  }

  private submit(decisions: ReadonlyArray<Decision<unknown>>, lease: Lease, span: Tracer.AnySpan | undefined): Reply {
    const units = decisions.filter((decision) => decision._tag === "Commit")
    if (units.length === 0) return decisions.map((decision) => settleWithout(decision))
    const reply = Deferred.makeUnsafe<ReadonlyArray<Outcome<unknown>>>()
    // The submission is handled even if its caller goes away.
    const done = (result: Submitted) => Deferred.doneUnsafe(reply, settleAll(decisions, result))
    this.commits.decided(lease, units, done, span)
    return reply
  }

  /** Handles calls of an operation that may wait. */
  longCall(tag: string, items: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    const handler = this.context.behaviour.handlers[tag] as LongCallHandler<State, unknown, unknown>
    const run = Effect.flatMap(this.memory.loaded, (loadedState) =>
      loadedState === undefined
        ? Effect.as(this.commits.lost(undefined), fenced)
        : Effect.matchEager(handler.run(items[0], loadedState.state, loadedState.handle), {
            onFailure: (error): Outcome<unknown> => ({ error }),
            onSuccess: (ok): Outcome<unknown> => ({ ok })
          })
    )
    return this.time
      .on(run, () => emptying)
      .pipe(
        Effect.map((outcome) => [outcome]),
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause) ? Effect.failCause(cause as Cause.Cause<never>) : this.defect(tag, cause)
        )
      )
  }

  /** Runs passes over due rows while any row is due soon; one open request keeps the owner in memory meanwhile. */
  workUntilIdle(from: number): Effect.Effect<void> {
    return this.due?.untilIdle(from) ?? Effect.void
  }

  get pass(): Effect.Effect<number | undefined> {
    const { behaviour, activations, type } = this.context
    return Effect.suspend(() => {
      activations.busy(1)
      const work = Effect.flatMap(this.memory.loaded, (loadedState) =>
        loadedState === undefined || behaviour.work === undefined
          ? Effect.map(this.commits.lost(undefined), (held) => (held ? this.now() : undefined))
          : behaviour.work(loadedState.state, loadedState.handle)
      )
      return this.time
        .on(work, (): number | undefined => this.now() + retryPassMs)
        .pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterrupts(cause)
              ? Effect.failCause(cause)
              : Effect.as(
                  Effect.logError("owner work failed", { owner: type, id: this.id }, cause),
                  this.now() + retryPassMs
                )
          ),
          Effect.ensuring(Effect.sync(() => activations.busy(-1)))
        )
    })
  }

  touch() {
    if (this.saving) return
    this.saving = true
    const save = Effect.ignoreCause(Effect.andThen(Effect.sleep(saveSnapshotAfter), this.saveNow))
    this.context.fork(Effect.forkIn(save, this.scope))
  }

  private get saveNow(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.saving = false
      // Levels of before a reset are not saved after it.
      return this.time.on(this.saveLevels, () => undefined)
    })
  }

  private get saveLevels(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const loadedState = this.memory.current
      const snapshot = loadedState === undefined ? undefined : this.takeSnapshot(loadedState.state)
      if (loadedState === undefined || snapshot === undefined) return Effect.void
      const row = snapshotRow(this.context.type, this.id, snapshot, this.time.nodeNow())
      return Effect.asVoid(this.commits.recordOnce([{ rows: [row] }], loadedState.lease.epoch))
    })
  }
}
