import { Effect, Latch, Semaphore } from "effect"
import type { OwnerHandle } from "../protocol/Behaviour.ts"

/** The lease memory was loaded under. Once it is over nothing that was decided on that memory is written any more. */
export interface Lease {
  readonly epoch: number
  over: boolean
  /** A decision was not written although nothing spoke against it: what was decided on top of it must not be either. */
  broken?: boolean
  /** A commit met the fence: somebody else may hold the shard. */
  fenced?: boolean
}

/** An owner's memory as of one load, and the handle that writes what is decided on it. */
export interface Loaded<State> {
  readonly lease: Lease
  readonly state: State
  readonly handle: OwnerHandle
}

/** Services and callbacks that memory needs. */
export interface MemoryDeps<State> {
  /** The epoch under which this node holds the owner's shard now, if it does. */
  readonly epoch: () => number | undefined
  /** Reads the state; `snapshot` is that of the memory before it, or undefined when the table knows best. */
  readonly load: (lease: Lease, snapshot: string | undefined) => Effect.Effect<Loaded<State>>
  /** Levels worth keeping over a reload. */
  readonly takeSnapshot: (state: State) => string | undefined
}

/**
 * One owner's memory: loaded when it is first needed, by one of those who need it, and again after it was dropped. A
 * load waits until everything decided on the memory before it has been written or refused: it would miss it otherwise.
 */
export class Memory<State> {
  private loadedState: Loaded<State> | undefined
  /** Levels of memory that was dropped: as long as the lease is the same, nobody else has moved them. */
  private kept: { readonly epoch: number; readonly snapshot: string } | undefined
  private unsettled = 0
  /** There while a load waits, and while there are loads: a node may hold a hundred thousand owners. */
  private settled: Latch.Latch | undefined
  private loading: Semaphore.Semaphore | undefined
  private loads = 0
  private readonly deps: MemoryDeps<State>

  constructor(deps: MemoryDeps<State>) {
    this.deps = deps
  }

  /** Returns the state in memory, whether its lease still holds or not. */
  get current(): Loaded<State> | undefined {
    return this.loadedState
  }

  /** Memory loaded under the lease the node holds now; undefined when it holds none. */
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
      const snapshot = this.kept?.epoch === epoch ? this.kept.snapshot : undefined
      this.loadedState = yield* this.deps.load({ epoch, over: false }, snapshot)
      this.kept = undefined
      return this.loadedState
    })
  }

  /** Waits until everything that was decided on memory is written or refused. */
  get allSettled(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.unsettled === 0) return Effect.void
      this.settled ??= Latch.makeUnsafe(false)
      return this.settled.await
    })
  }

  /** Forgets what was loaded under a lease. */
  drop(lease: Lease): void {
    lease.over = true
    if (this.loadedState?.lease !== lease) return
    const snapshot = this.deps.takeSnapshot(this.loadedState.state)
    this.kept = snapshot === undefined ? undefined : { epoch: lease.epoch, snapshot }
    this.loadedState = undefined
  }

  /** Something decided on this memory is on its way to the table until the answered function is called. */
  submitted(): () => void {
    this.unsettled++
    return () => {
      if (--this.unsettled > 0) return
      this.settled?.openUnsafe()
      this.settled = undefined
    }
  }
}
