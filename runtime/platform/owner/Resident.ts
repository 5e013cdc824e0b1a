import { Cause, type Clock, Deferred, Effect, Scope } from "effect"
import type { Entity } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import type { Commit, Submitted } from "../commit/Commit.ts"
import type { CommitUnit } from "../commit/Statement.ts"
import { hasPassingSqlError } from "../sql/SqlFailure.ts"
import type { BatchHandler, Behaviour, Decision, Outcome, OwnerHandle, SoloHandler } from "./Behaviour.ts"
import { DueWork, type DueWorkOwner } from "./DueWork.ts"
import { loadLevels, saveLevels } from "./Levels.ts"
import type { Residents } from "./Residents.ts"
import { awaitOutcomes, type Reply, settleWith, settleWithout } from "./Settling.ts"
import type { ShardEpochs } from "./ShardEpochs.ts"

/** The database is away: callers ask again until their deadline, and nothing is logged for each of them. */
const unavailable = { retry: "unavailable" as const }
const saveLevelsAfter = "2 seconds"
/** Pause after a pass that failed, in milliseconds. */
const retryPassMs = 250

/** What all owners of a type on this node share. */
export interface ResidentGround<State> {
  readonly type: string
  readonly behaviour: Behaviour<State, Record<string, unknown>>
  readonly clock: Clock.Clock
  readonly commit: Commit["Service"]
  readonly epochs: ShardEpochs["Service"]
  readonly sql: SqlClient.SqlClient
  readonly residents: Residents["Service"]
  readonly fork: (effect: Effect.Effect<unknown>) => void
}

/**
 * One owner in memory: its state, the lease it was loaded under, and the pass over due work. A node may hold a hundred
 * thousand: what they can share is in their ground, and what they can do is on the prototype.
 */
export class Resident<State> implements OwnerHandle, DueWorkOwner {
  private state: State | undefined
  /** What memory held last, for the next load. */
  private before: State | undefined
  private epoch: number | undefined
  private saving = false
  private leaving: ReadonlyArray<Effect.Effect<void>> = []
  private readonly due: DueWork | undefined
  private readonly address: Entity.CurrentAddress["Service"]
  private readonly scope: Scope.Scope
  private readonly ground: ResidentGround<State>

  constructor(ground: ResidentGround<State>, address: Entity.CurrentAddress["Service"], scope: Scope.Scope) {
    this.ground = ground
    this.address = address
    this.scope = scope
    this.due = ground.behaviour.work === undefined ? undefined : new DueWork(this)
  }

  get id(): string {
    return this.address.entityId
  }

  get shard(): number {
    return this.address.shardId.id
  }

  now(): number {
    return this.ground.clock.currentTimeMillisUnsafe()
  }

  enqueue(rows: CommitUnit["rows"]) {
    this.ground.fork(this.commit([{ rows }]))
  }

  dueAt(instant: number) {
    this.due?.at(instant)
  }

  wake(instant: number) {
    this.ground.residents.wake(this.ground.type, this.id, instant)
  }

  onLeave(effect: Effect.Effect<void>) {
    this.leaving = [effect, ...this.leaving]
  }

  /** Counts this owner among the residents, and saves its levels when it leaves. */
  get register(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.ground.residents.enter(this.ground.type)
      const leave = Effect.suspend(() => this.leave)
      return Scope.addFinalizer(this.scope, leave)
    })
  }

  private get leave(): Effect.Effect<void> {
    this.ground.residents.leave(this.ground.type)
    return Effect.andThen(
      Effect.ignoreCause(Effect.timeout(this.saveNow, "3 seconds")),
      Effect.suspend(() => Effect.forEach(this.leaving, (effect) => Effect.ignoreCause(effect), { discard: true }))
    )
  }

  drop() {
    this.state = undefined
    this.epoch = undefined
  }

  /** The state, loaded under the lease the node holds now; undefined when it holds none. */
  private get loaded(): Effect.Effect<State | undefined> {
    return Effect.suspend(() => {
      const { epochs, behaviour, sql, type } = this.ground
      const epoch = epochs.current(this.shard)
      if (this.state !== undefined && this.epoch === epoch) return Effect.succeed(this.state)
      if (epoch === undefined) {
        this.drop()
        return Effect.undefined
      }
      const saved = behaviour.levels === undefined ? Effect.void : loadLevels(sql, type, this.id)
      return Effect.flatMap(saved, (levels) =>
        Effect.map(behaviour.load(this, levels ?? undefined, this.before), (state) => {
          this.state = state
          this.before = state
          this.epoch = epoch
          return state
        })
      )
    })
  }

  /** Handles one message of a batched operation. Never fails; answers an outcome an item. */
  batch(tag: string, items: ReadonlyArray<unknown>): Effect.Effect<Reply> {
    const handler = this.ground.behaviour.handlers[tag] as BatchHandler<State, unknown, unknown, unknown>
    return Effect.catchCause(this.decide(handler, items), (cause): Effect.Effect<Reply> => {
      this.drop()
      if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
      if (hasPassingSqlError(cause)) return Effect.succeed(items.map(() => unavailable))
      if (items.length === 1) return this.defect(tag, cause)
      // One item's defect must not answer for its neighbours: each goes alone.
      return Effect.map(
        Effect.forEach(items, (item) => Effect.flatMap(this.batch(tag, [item]), awaitOutcomes)),
        (outcomes) => outcomes.flat()
      )
    })
  }

  private defect(tag: string, cause: Cause.Cause<unknown>): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    if (hasPassingSqlError(cause)) return Effect.succeed([unavailable])
    return Effect.as(
      Effect.logError("owner operation failed", { owner: this.ground.type, id: this.id, operation: tag }, cause),
      [{ defect: `${this.ground.type}.${tag}` }]
    )
  }

  private decide(
    handler: BatchHandler<State, unknown, unknown, unknown>,
    items: ReadonlyArray<unknown>
  ): Effect.Effect<Reply> {
    return Effect.flatMap(this.loaded, (state) => {
      if (state === undefined) return Effect.map(this.lostLease, (): Reply => items.map(() => ({ retry: "fenced" })))
      const read: Effect.Effect<unknown> = handler.read === undefined ? Effect.void : handler.read(items, state, this)
      return Effect.map(read, (facts): Reply => {
        // A fence may have dropped the state while the read ran.
        if (this.state !== state) return items.map((): Outcome<unknown> => ({ retry: "fenced" }))
        return this.submit(handler.decide(items, facts, state, this, this.now()))
      })
    })
  }

  /** A node that lost its lease asks for it once more before callers are sent elsewhere. */
  private get lostLease(): Effect.Effect<void> {
    return Effect.asVoid(this.ground.epochs.reconfirm(this.address.shardId))
  }

  private submit(decisions: ReadonlyArray<Decision<unknown>>): Reply {
    const units: Array<CommitUnit> = []
    for (const decision of decisions) if (decision._tag === "Commit") units.push(this.unit(decision))
    if (units.length === 0) return decisions.map((decision) => settleWithout(decision))
    const submitted = this.ground.commit.submit(this.key, units)
    const reply = Deferred.makeUnsafe<ReadonlyArray<Outcome<unknown>>>()
    const state = this.state
    this.ground.fork(
      Effect.map(Deferred.await(submitted), (result) => {
        if (result.statuses.some((status) => status !== "committed")) this.afterRefusal(result, state)
        let unit = 0
        const outcomes = decisions.map((decision) =>
          decision._tag === "Commit" ? settleWith(decision, result, unit++) : settleWithout(decision)
        )
        Deferred.doneUnsafe(reply, Effect.succeed(outcomes))
      })
    )
    return reply
  }

  private unit(decision: {
    readonly rows: CommitUnit["rows"]
    readonly idempotency?: CommitUnit["idempotency"]
  }): CommitUnit {
    return {
      shard: this.shard,
      epoch: this.epoch ?? -1,
      rows: decision.rows,
      idempotency: decision.idempotency
    }
  }

  /** Memory ran ahead of the table: everything is read again. A lost lease is asked for again first. */
  private afterRefusal(result: Submitted, state: State | undefined) {
    if (this.state === state) this.drop()
    if (!result.statuses.includes("fenced")) return
    this.ground.fork(this.lostLease)
  }

  /** Handles an operation that may wait. */
  solo(tag: string, items: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    const handler = this.ground.behaviour.handlers[tag] as SoloHandler<State, unknown, unknown>
    const run = Effect.flatMap(this.loaded, (state) =>
      state === undefined
        ? Effect.succeed<Outcome<unknown>>({ retry: "fenced" })
        : Effect.matchEager(handler.run(items[0], state, this), {
            onFailure: (error): Outcome<unknown> => ({ error }),
            onSuccess: (ok): Outcome<unknown> => ({ ok })
          })
    )
    return Effect.map(run, (outcome) => [outcome]).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.failCause(cause as Cause.Cause<never>) : this.defect(tag, cause)
      )
    )
  }

  private get key(): string {
    return `${this.ground.type}/${this.id}`
  }

  commit(units: ReadonlyArray<{ readonly rows: CommitUnit["rows"] }>) {
    return Effect.suspend(() => {
      const state = this.state
      return Effect.map(
        Deferred.await(
          this.ground.commit.submit(
            this.key,
            units.map((unit) => this.unit(unit))
          )
        ),
        (result) => {
          if (result.statuses.some((status) => status !== "committed")) this.afterRefusal(result, state)
          return result
        }
      )
    })
  }

  /** Runs passes over due rows while any is near; one open request keeps the owner in memory meanwhile. */
  workUntilIdle(from: number): Effect.Effect<void> {
    return this.due?.untilIdle(from) ?? Effect.void
  }

  get pass(): Effect.Effect<number | undefined> {
    const { behaviour, residents, type } = this.ground
    return Effect.suspend(() => {
      residents.busy(1)
      return Effect.flatMap(this.loaded, (state) =>
        state === undefined || behaviour.work === undefined
          ? Effect.as(this.lostLease, undefined)
          : behaviour.work(state, this)
      ).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.failCause(cause)
            : Effect.as(
                Effect.logError("owner work failed", { owner: type, id: this.id }, cause),
                this.now() + retryPassMs
              )
        ),
        Effect.ensuring(Effect.sync(() => residents.busy(-1)))
      )
    })
  }

  touch() {
    if (this.saving) return
    this.saving = true
    const save = Effect.ignoreCause(Effect.andThen(Effect.sleep(saveLevelsAfter), this.saveNow))
    this.ground.fork(Effect.forkIn(save, this.scope))
  }

  private get saveNow(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.saving = false
      const levels = this.state === undefined ? undefined : this.ground.behaviour.levels?.(this.state, this.now())
      if (levels === undefined) return Effect.void
      const row = saveLevels.row({
        owner_type: this.ground.type,
        owner_id: this.id,
        levels,
        saved_at: this.now()
      })
      return Effect.asVoid(Deferred.await(this.ground.commit.submit(this.key, [this.unit({ rows: [row] })])))
    })
  }
}
