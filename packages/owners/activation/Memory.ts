import { Effect, Latch, Semaphore } from "effect"
import type { OwnerHandle } from "../protocol/Behaviour.ts"

/** The lease under which memory was loaded. After it ends, no decision made on that memory is written. */
export interface Lease {
  readonly epoch: number
  over: boolean
  /**
   * True after a decision was not written for a reason other than a fence: later decisions on that memory must not be
   * written either.
   */
  broken?: boolean
  /** True after a commit was fenced: another node may hold the shard. */
  fenced?: boolean
}

/** Loads to try when the tenant is emptied during each of them. */
const loadsAtMost = 3

/** An owner's memory as of one load, and the handle that writes decisions made on it. */
export interface Loaded<State> {
  readonly lease: Lease
  readonly state: State
  readonly handle: OwnerHandle
}

/** Services and callbacks that memory needs. */
export interface MemoryDeps<State> {
  /** Returns the epoch under which this node holds the owner's shard now, if it does. */
  readonly epoch: () => number | undefined
  /**
   * Reads the state. `snapshot` comes from the previous memory; it is undefined when the table is more recent, and null
   * when no levels count any more.
   */
  readonly load: (lease: Lease, snapshot: string | null | undefined) => Effect.Effect<Loaded<State>>
  /** Returns the levels worth keeping over a reload. */
  readonly takeSnapshot: (state: State) => string | undefined
}

/**
 * The memory of one owner: the first call that needs it loads it, and the next one after it was dropped loads it again.
 * A load waits until every decision made on the previous memory has been written or refused, because it would miss them
 * otherwise.
 */
export class Memory<State> {
  private loadedState: Loaded<State> | undefined
  /** Levels of memory that was dropped: under an unchanged lease no other node has moved them. */
  private kept: { readonly epoch: number; readonly snapshot: string } | undefined
  /** How often everything known was forgotten, and whether levels of before still have to be passed over. */
  private forgotten = 0
  private isFresh = false
  private unsettled = 0
  /**
   * Set while a load waits for submissions; left unset otherwise to save memory, as a node may hold a hundred thousand
   * owners.
   */
  private settled: Latch.Latch | undefined
  private loading: Semaphore.Semaphore | undefined
  private loads = 0
  private readonly deps: MemoryDeps<State>

  constructor(deps: MemoryDeps<State>) {
    this.deps = deps
  }

  /** Returns the state in memory, whether or not its lease still holds. */
  get current(): Loaded<State> | undefined {
    return this.loadedState
  }

  /** Returns memory loaded under the lease the node holds now; undefined when it holds none. */
  get loaded(): Effect.Effect<Loaded<State> | undefined> {
    return Effect.suspend(() =>
      this.loadedState !== undefined && this.loadedState.lease.epoch === this.deps.epoch()
        ? Effect.succeed(this.loadedState)
        : this.loadInTurn
    )
  }

  private get loadInTurn(): Effect.Effect<Loaded<State> | undefined> {
    this.loads++
    this.loading ??= Semaphore.makeUnsafe(1)
    return Effect.ensuring(
      this.loading.withPermit(this.load),
      Effect.sync(() => {
        if (--this.loads === 0) this.loading = undefined
      })
    )
  }

  private get load(): Effect.Effect<Loaded<State> | undefined> {
    return Effect.gen({ self: this }, function* () {
      yield* this.allSettled
      const epoch = this.deps.epoch()
      if (this.loadedState !== undefined && this.loadedState.lease.epoch === epoch) return this.loadedState
      if (this.loadedState !== undefined) this.drop(this.loadedState.lease)
      if (epoch === undefined) return undefined
      for (let attempt = 0; attempt < loadsAtMost; attempt++) {
        const { forgotten } = this
        const snapshot = this.isFresh ? null : this.kept?.epoch === epoch ? this.kept.snapshot : undefined
        const state = yield* this.deps.load({ epoch, over: false }, snapshot)
        // The rows that were read may have been deleted meanwhile.
        if (forgotten !== this.forgotten) continue
        this.loadedState = state
        this.kept = undefined
        this.isFresh = false
        return state
      }
      return undefined
    })
  }

  /** Forgets the state and its levels: the tenant's rows are deleted. */
  forget(): void {
    if (this.loadedState !== undefined) this.drop(this.loadedState.lease)
    this.kept = undefined
    this.isFresh = true
    this.forgotten++
  }

  /** Waits until every decision made on memory is written or refused. */
  get allSettled(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.unsettled === 0) return Effect.void
      this.settled ??= Latch.makeUnsafe(false)
      return this.settled.await
    })
  }

  /** Drops the memory that was loaded under a lease. */
  drop(lease: Lease): void {
    lease.over = true
    if (this.loadedState?.lease !== lease) return
    const snapshot = this.deps.takeSnapshot(this.loadedState.state)
    this.kept = snapshot === undefined ? undefined : { epoch: lease.epoch, snapshot }
    this.loadedState = undefined
  }

  /** Counts a submission decided on this memory as under way until the returned function is called. */
  submitted(): () => void {
    this.unsettled++
    return () => {
      if (--this.unsettled > 0) return
      this.settled?.openUnsafe()
      this.settled = undefined
    }
  }
}
