import { Cause, type Clock, Deferred, Effect, Scope } from "effect"
import type { Entity } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import type { Commit, Submitted } from "../commit/Commit.ts"
import type { CommitUnit } from "../commit/Statement.ts"
import { hasPassingSqlError } from "../sql/SqlFailure.ts"
import type { BatchHandler, Behaviour, Decision, Outcome, OwnerHandle, SoloHandler } from "./Behaviour.ts"
import { DueWork } from "./DueWork.ts"
import { loadLevels, saveLevels } from "./Levels.ts"
import type { Residents } from "./Residents.ts"
import { awaitOutcomes, type Reply, settleWith, settleWithout } from "./Settling.ts"
import type { ShardEpochs } from "./ShardEpochs.ts"

/** The database is away: callers ask again until their deadline, and nothing is logged for each of them. */
const unavailable = { retry: "unavailable" as const }
const saveLevelsAfter = "2 seconds"
/** Pause after a pass that failed, in milliseconds. */
const retryPassMs = 250

/** One owner in memory: its state, the lease it was loaded under, and the pass over due work. */
export class Resident<State> {
  private state: State | undefined
  private epoch: number | undefined
  private saving = false
  private readonly due: DueWork
  private readonly handle: OwnerHandle
  private readonly deps: {
    readonly type: string
    readonly behaviour: Behaviour<State, Record<string, unknown>>
    readonly address: Entity.CurrentAddress["Service"]
    readonly scope: Scope.Scope
    readonly clock: Clock.Clock
    readonly commit: Commit["Service"]
    readonly epochs: ShardEpochs["Service"]
    readonly sql: SqlClient.SqlClient
    readonly residents: Residents["Service"]
    readonly fork: (effect: Effect.Effect<unknown>) => void
  }

  constructor(deps: Resident<State>["deps"]) {
    this.deps = deps
    this.handle = {
      id: deps.address.entityId,
      shard: deps.address.shardId.id,
      now: () => deps.clock.currentTimeMillisUnsafe(),
      commit: (units) => this.commitForWork(units),
      enqueue: (rows) => deps.fork(this.commitForWork([{ rows }])),
      dueAt: (instant) => this.due.at(instant),
      drop: () => this.drop(),
      touch: () => this.touch()
    }
    this.due = new DueWork({
      now: this.handle.now,
      pass: this.pass,
      wake: (instant) => deps.residents.wake(deps.type, this.handle.id, instant)
    })
  }

  /** Counts this owner among the residents and saves its levels when it leaves. */
  get register(): Effect.Effect<void> {
    return Effect.andThen(
      Effect.sync(() => this.deps.residents.enter(this.deps.type)),
      Scope.addFinalizer(
        this.deps.scope,
        Effect.andThen(
          Effect.sync(() => this.deps.residents.leave(this.deps.type)),
          Effect.ignoreCause(Effect.timeout(this.saveNow, "3 seconds"))
        )
      )
    )
  }

  private drop() {
    this.state = undefined
    this.epoch = undefined
  }

  /** The state, loaded under the lease the node holds now; undefined when it holds none. */
  private get loaded(): Effect.Effect<State | undefined> {
    return Effect.suspend(() => {
      const { address, epochs, behaviour, sql, type } = this.deps
      const epoch = epochs.current(address.shardId.id)
      if (this.state !== undefined && this.epoch === epoch) return Effect.succeed(this.state)
      if (epoch === undefined)
        return Effect.as(
          Effect.sync(() => this.drop()),
          undefined
        )
      const saved = behaviour.levels === undefined ? Effect.void : loadLevels(sql, type, this.handle.id)
      return Effect.flatMap(saved, (levels) =>
        Effect.map(behaviour.load(this.handle, levels ?? undefined), (state) => {
          this.state = state
          this.epoch = epoch
          return state
        })
      )
    })
  }

  /** Handles one message of a batched operation. Never fails; answers an outcome an item. */
  batch(tag: string, items: ReadonlyArray<unknown>): Effect.Effect<Reply> {
    const handler = this.deps.behaviour.handlers[tag] as BatchHandler<State, unknown, unknown, unknown>
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
      Effect.logError("owner operation failed", { owner: this.deps.type, id: this.handle.id, operation: tag }, cause),
      [{ defect: `${this.deps.type}.${tag}` }]
    )
  }

  private decide(
    handler: BatchHandler<State, unknown, unknown, unknown>,
    items: ReadonlyArray<unknown>
  ): Effect.Effect<Reply> {
    return Effect.flatMap(this.loaded, (state) => {
      if (state === undefined)
        return Effect.as(
          this.lostLease,
          items.map((): Outcome<unknown> => ({ retry: "fenced" }))
        )
      const read: Effect.Effect<unknown> =
        handler.read === undefined ? Effect.void : handler.read(items, state, this.handle)
      return Effect.map(read, (facts): Reply => {
        // A fence may have dropped the state while the read ran.
        if (this.state !== state) return items.map((): Outcome<unknown> => ({ retry: "fenced" }))
        return this.submit(handler.decide(items, facts, state, this.handle, this.handle.now()))
      })
    })
  }

  /** A node that lost its lease asks for it once more before callers are sent elsewhere. */
  private get lostLease(): Effect.Effect<void> {
    return Effect.asVoid(this.deps.epochs.reconfirm(this.deps.address.shardId))
  }

  private submit(decisions: ReadonlyArray<Decision<unknown>>): Reply {
    const units: Array<CommitUnit> = []
    for (const decision of decisions) if (decision._tag === "Commit") units.push(this.unit(decision))
    if (units.length === 0) return decisions.map((decision) => settleWithout(decision))
    const submitted = this.deps.commit.submit(this.key, units)
    const reply = Deferred.makeUnsafe<ReadonlyArray<Outcome<unknown>>>()
    const state = this.state
    this.deps.fork(
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
      shard: this.deps.address.shardId.id,
      epoch: this.epoch ?? -1,
      rows: decision.rows,
      idempotency: decision.idempotency
    }
  }

  /** Memory ran ahead of the table: everything is read again. A lost lease is asked for again first. */
  private afterRefusal(result: Submitted, state: State | undefined) {
    if (this.state === state) this.drop()
    if (!result.statuses.includes("fenced")) return
    this.deps.fork(this.lostLease)
  }

  /** Handles an operation that may wait. */
  solo(tag: string, items: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Outcome<unknown>>> {
    const handler = this.deps.behaviour.handlers[tag] as SoloHandler<State, unknown, unknown>
    const run = Effect.flatMap(this.loaded, (state) =>
      state === undefined
        ? Effect.succeed<Outcome<unknown>>({ retry: "fenced" })
        : Effect.matchEager(handler.run(items[0], state, this.handle), {
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
    return `${this.deps.type}/${this.handle.id}`
  }

  private commitForWork(units: ReadonlyArray<{ readonly rows: CommitUnit["rows"] }>) {
    return Effect.suspend(() => {
      const state = this.state
      return Effect.map(
        Deferred.await(
          this.deps.commit.submit(
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
    return this.deps.behaviour.work === undefined ? Effect.void : this.due.untilIdle(from)
  }

  private get pass(): Effect.Effect<number | undefined> {
    const { behaviour, residents, type } = this.deps
    return Effect.suspend(() => {
      residents.busy(1)
      return Effect.flatMap(this.loaded, (state) =>
        state === undefined || behaviour.work === undefined
          ? Effect.as(this.lostLease, undefined)
          : behaviour.work(state, this.handle)
      ).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.failCause(cause)
            : Effect.as(
                Effect.logError("owner work failed", { owner: type, id: this.handle.id }, cause),
                this.handle.now() + retryPassMs
              )
        ),
        Effect.ensuring(Effect.sync(() => residents.busy(-1)))
      )
    })
  }

  private touch() {
    if (this.saving) return
    this.saving = true
    const save = Effect.ignoreCause(Effect.andThen(Effect.sleep(saveLevelsAfter), this.saveNow))
    this.deps.fork(Effect.forkIn(save, this.deps.scope))
  }

  private get saveNow(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.saving = false
      const levels = this.state === undefined ? undefined : this.deps.behaviour.levels?.(this.state, this.handle.now())
      if (levels === undefined) return Effect.void
      const row = saveLevels.row({
        owner_type: this.deps.type,
        owner_id: this.handle.id,
        levels,
        saved_at: this.handle.now()
      })
      return Effect.asVoid(Deferred.await(this.deps.commit.submit(this.key, [this.unit({ rows: [row] })])))
    })
  }
}
