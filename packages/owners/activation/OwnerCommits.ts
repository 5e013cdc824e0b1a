import { Effect, type Tracer } from "effect"
import type { Entity } from "effect/cluster"
import type { ShardEpochs } from "../cluster/ShardEpochs.ts"
import type { Commit, Submitted, SubmittedUnit } from "../commit/Commit.ts"
import type { Lease, Memory } from "./Memory.ts"

/** One unit of an owner, before its lease is added. */
export type OwnerUnit = Pick<SubmittedUnit, "rows" | "completes">

/** Under this no unit passes the fence. */
const noEpoch = -1

/** Services that the commits of all owners of a node share. */
interface CommitGround {
  readonly type: string
  readonly commit: Commit["Service"]
  readonly epochs: ShardEpochs["Service"]
  readonly fork: (effect: Effect.Effect<unknown>) => void
}

/** The commits of one owner: under which lease they go, and what becomes of memory when they do not pass. */
export class OwnerCommits {
  private readonly ground: CommitGround
  private readonly address: Pick<Entity.CurrentAddress["Service"], "entityId" | "shardId">
  private readonly memory: Pick<Memory<unknown>, "drop" | "submitted">

  constructor(
    ground: CommitGround,
    address: Pick<Entity.CurrentAddress["Service"], "entityId" | "shardId">,
    memory: Pick<Memory<unknown>, "drop" | "submitted">
  ) {
    this.ground = ground
    this.address = address
    this.memory = memory
  }

  /** The epoch under which this node holds the shard now. */
  get epoch(): number | undefined {
    return this.ground.epochs.current(this.address.shardId.id)
  }

  /** An epoch is over, or there was none: the node asks for the shard once more. True when it has it. */
  lost(epoch: number | undefined): Effect.Effect<boolean> {
    return this.ground.epochs.reconfirm(this.address.shardId, epoch)
  }

  /**
   * Hands over what was decided on memory of a lease. Unless all of it is written memory ran ahead of the table and is
   * dropped, before anyone is told.
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
        this.ground.fork(this.lost(lease.epoch))
      }
      written()
      done(result)
    }
    this.submit(units, lease.over ? noEpoch : lease.epoch, end, () => lease.broken !== true, span)
  }

  /** Writes a fact until it is known to be written or refused, or the shard is somebody else's. */
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

  /** Writes a fact that may as well be lost. */
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
    this.ground.commit.submit(
      // Orders the submissions of this owner.
      `${this.ground.type}/${this.address.entityId}`,
      units.map(({ completes, rows }) => ({ shard, epoch, rows, completes, span })),
      done,
      stands
    )
  }
}
