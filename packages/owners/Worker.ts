import { Effect, type Layer } from "effect"
import type { Sharding } from "effect/cluster"
import type { Activations } from "./activation/Activations.ts"
import type { ActivationServices } from "./activation/Hosting.ts"
import { defineOwner, type OwnerClient, type OwnerHandle } from "./Owner.ts"
import type { OwnerQueue } from "./queue/OwnerQueue.ts"
import type { QueueRow } from "./queue/QueueRows.ts"
import type { Refusals } from "./Refusals.ts"

/** The behaviour of one type of worker. It is made once a node and shared by all workers of the type. */
export interface WorkerBehaviour<Kept> {
  /**
   * Returns the data a worker keeps in memory between passes. `before` is the data it kept until a fence made it load
   * again.
   */
  readonly keep: (worker: OwnerHandle, before: Kept | undefined) => Kept
  /** Works on due rows. Returns the epoch millisecond at which it wants to run again, if at all. */
  readonly pass: (memory: Kept, worker: OwnerHandle) => Effect.Effect<number | undefined>
}

/**
 * One type of worker: an owner without a protocol. It has no callers: a wake-up, a due row or the sweeper starts a
 * pass.
 */
export interface WorkerType<Name extends string> {
  readonly name: Name
  /** Lets this node wake workers of the type, on whichever node they live. */
  readonly client: Effect.Effect<OwnerClient<Record<never, never>>, never, Sharding.Sharding | Activations | Refusals>
  /** Hosts workers of the type on nodes that hold shards. A worker reads its rows as soon as it is in memory. */
  readonly toLayer: <Kept, R>(
    behaviour: Effect.Effect<WorkerBehaviour<Kept>, never, R>
  ) => Layer.Layer<never, never, R | ActivationServices>
}

/** Declares a type of worker. The name never changes, because rows that belong to workers store it. */
export const defineWorker = <const Name extends string>(name: Name): WorkerType<Name> => {
  const owner = defineOwner(name, {})
  return {
    name,
    client: owner.client,
    toLayer: <Kept, R>(behaviour: Effect.Effect<WorkerBehaviour<Kept>, never, R>) =>
      owner.toLayer(
        Effect.map(behaviour, ({ keep, pass }) => ({
          load: (worker: OwnerHandle, _saved: string | undefined, before: Kept | undefined) =>
            Effect.sync(() => {
              worker.dueAt(worker.now() + 1)
              return keep(worker, before)
            }),
          work: pass,
          handlers: {}
        }))
      )
  }
}

/** Makes a worker that keeps no data between passes. */
export const passing = (
  pass: (worker: OwnerHandle) => Effect.Effect<number | undefined>
): WorkerBehaviour<undefined> => ({ keep: () => undefined, pass: (_, worker) => pass(worker) })

/** The data of a worker whose only work is a queue. */
export interface Queued<Terms, Row extends QueueRow, Result> {
  readonly queue: OwnerQueue<Queued<Terms, Row, Result>, Terms, Row, Result>
}

/** Makes a worker whose only work is its queue. Calls under way stay with it when it loads again. */
export const queued = <Terms, Row extends QueueRow, Result>(
  queueOf: (worker: OwnerHandle) => Queued<Terms, Row, Result>["queue"]
): WorkerBehaviour<Queued<Terms, Row, Result>> => ({
  keep: (worker, before) => {
    const kept = { queue: before?.queue ?? queueOf(worker) }
    kept.queue.follow(worker, kept)
    return kept
  },
  pass: (kept, worker) => kept.queue.pass(kept, worker)
})
