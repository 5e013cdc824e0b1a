import type { Row } from "@carteiro/tables/Write.ts"
import { type Clock, Effect } from "effect"
import type { OwnerTime } from "../clock/OwnerClocks.ts"
import type { Submitted } from "../commit/Commit.ts"
import type { OwnerHandle } from "../protocol/Behaviour.ts"
import type { Lease } from "./Memory.ts"
import type { OwnerCommits, OwnerUnit } from "./OwnerCommits.ts"

/** The owner behind a handle. */
interface HandledOwner extends Pick<OwnerHandle, "id" | "shard" | "now" | "enqueue" | "dueAt" | "touch" | "onLeave"> {
  readonly commits: OwnerCommits
  readonly time: OwnerTime
  readonly drop: (lease: Lease) => void
  readonly settled: Effect.Effect<void>
}

/** The owner as its behaviour uses it, under the lease that its memory was loaded with. */
export class LeasedHandle implements OwnerHandle {
  private readonly owner: HandledOwner
  private readonly lease: Lease

  constructor(owner: HandledOwner, lease: Lease) {
    this.owner = owner
    this.lease = lease
  }

  get id(): string {
    return this.owner.id
  }

  get shard(): number {
    return this.owner.shard
  }

  get epoch(): number {
    return this.lease.epoch
  }

  now(): number {
    return this.owner.now()
  }

  get clock(): Clock.Clock {
    return this.owner.time.clock
  }

  lead(): number | undefined {
    return this.owner.time.lead()
  }

  stands(): boolean {
    return this.owner.time.stands()
  }

  commit(units: ReadonlyArray<OwnerUnit>): Effect.Effect<Submitted> {
    return Effect.callback<Submitted>((resume) =>
      this.owner.commits.decided(this.lease, units, (result) => resume(Effect.succeed(result)))
    )
  }

  record(units: ReadonlyArray<OwnerUnit>): Effect.Effect<Submitted> {
    return this.owner.commits.record(units)
  }

  get settled(): Effect.Effect<void> {
    return this.owner.settled
  }

  enqueue(rows: ReadonlyArray<Row>): void {
    this.owner.enqueue(rows)
  }

  dueAt(instant: number): void {
    this.owner.dueAt(instant)
  }

  drop(): void {
    this.owner.drop(this.lease)
  }

  touch(): void {
    this.owner.touch()
  }

  onLeave(effect: Effect.Effect<void>): void {
    this.owner.onLeave(effect)
  }
}
