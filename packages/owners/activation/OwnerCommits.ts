import { Effect, type Tracer } from "effect"
import type { Entity } from "effect/cluster"
import type { ShardEpochs } from "../cluster/ShardEpochs.ts"
import type { Commit, Submitted, SubmittedUnit } from "../commit/Commit.ts"
import type { Lease, Memory } from "./Memory.ts"

/** One unit of an owner, before its lease is added. */
export type OwnerUnit = Pick<SubmittedUnit, "rows" | "completes">

/** The epoch that never passes the fence. */
const noEpoch = -1

/** Services that the commits of all owners of a node share. */
interface CommitContext {
  readonly type: string
  readonly commit: Commit["Service"]
  readonly epochs: ShardEpochs["Service"]
  readonly fork: (effect: Effect.Effect<unknown>) => void
}

/** The commits of one owner: they carry its lease, and drop its memory when they do not pass. */
export class OwnerCommits {
  private readonly context: CommitContext
  private readonly address: Pick<Entity.CurrentAddress["Service"], "entityId" | "shardId">
  private readonly memory: Pick<Memory<unknown>, "drop" | "submitted">

  constructor(
    context: CommitContext,
    address: Pick<Entity.CurrentAddress["Service"], "entityId" | "shardId">,
    memory: Pick<Memory<unknown>, "drop" | "submitted">
  ) {
    this.context = context
    this.address = address
    this.memory = memory
  }

  /** Returns the epoch under which this node holds the shard now. */
  get epoch(): number | undefined {
    return this.context.epochs.current(this.address.shardId.id)
  }

  /** Asks for the shard again after an epoch ended or when there was none. True when this node has the shard. */
  lost(epoch: number | undefined): Effect.Effect<boolean> {
    return this.context.epochs.reconfirm(this.address.shardId, epoch)
  }

  /**
   * Submits decisions made on memory of a lease. Unless all of them are written, memory is ahead of the table and is
   * dropped before any caller gets its answer.
   */
  decided(
    lease: Lease,
    units: ReadonlyArray<OwnerUnit>,
    done: (submitted: Submitted) => void,
    span?: Tracer.AnySpan
  ): void {
    const { memory } = this
    const written = memory.submitted()
    const end = (result: Submitted) => {
      if (result.statuses.some((status) => status !== "committed")) memory.drop(lease)
      if (result.statuses.some((status) => status === "unavailable" || status === "failed")) lease.broken = true
      if (result.statuses.includes("fenced")) {
        lease.fenced = true
        this.context.fork(this.lost(lease.epoch))
      }
      written()
      done(result)
    }
    this.submit(units, lease.over ? noEpoch : lease.epoch, end, () => lease.broken !== true, span)
  }

  /** Writes a fact and retries until it is written or refused, or until another node holds the shard. */
  record(units: ReadonlyArray<OwnerUnit>): Effect.Effect<Submitted> {
    return Effect.suspend(() => {
      const { epoch } = this
      return Effect.flatMap(this.recordOnce(units, epoch), (result) => {
        if (result.statuses.includes("unavailable")) return this.record(units)
        if (!result.statuses.includes("fenced")) return Effect.succeed(result)
        return Effect.flatMap(this.lost(epoch), (held) => (held ? this.record(units) : Effect.succeed(result)))
      })
    })
  }

  /** Tries once to write a fact that may be lost. */
  recordOnce(units: ReadonlyArray<OwnerUnit>, epoch: number | undefined = this.epoch): Effect.Effect<Submitted> {
    return Effect.callback<Submitted>((resume) =>
      this.submit(units, epoch ?? noEpoch, (result) => resume(Effect.succeed(result)))
    )
  }

  private submit(
    units: ReadonlyArray<OwnerUnit>,
    epoch: number,
    done: (submitted: Submitted) => void,
    stands?: () => boolean,
    span?: Tracer.AnySpan
  ): void {
    const shard = this.address.shardId.id
    this.context.commit.submit(
      // Submissions with an equal key are written in order.
      `${this.context.type}/${this.address.entityId}`,
      units.map(({ completes, rows }) => ({ shard, epoch, rows, completes, span })),
      done,
      stands
    )
  }
}
