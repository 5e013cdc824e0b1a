import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import { Context, Effect, Layer } from "effect"
import { outboxInsert } from "../../outbox/Outbox.ts"
import { ListenEntity } from "./ListenEntity.ts"
import { listenFollower } from "./ListenRepo.ts"

/** The owner of an environment, with the functions by which this node notifies it. */
export interface Listener {
  /** Called when events were written. */
  readonly ring: () => void
  /** Called when the node stops: long polls answer now. */
  readonly close: () => void
}

/**
 * Notifies the owners on this node of new events in their environments, and owners elsewhere when a listener waits
 * there. A lost notification costs little: owners with waiting listeners also read every second.
 */
export class ListenNotifier extends Context.Service<
  ListenNotifier,
  {
    /** Subscribes an environment's owner until the returned function is called. */
    readonly subscribe: (environmentId: string, listener: Listener) => () => void
    readonly isClosed: () => boolean
  }
>()("@carteiro/runtime/webhooks/listen/ListenNotifier") {
  static readonly layer = Layer.effect(
    ListenNotifier,
    Effect.gen(function* () {
      const commit = yield* Commit
      const activations = yield* Activations
      const draining = yield* Draining
      const listeners = new Map<string, Listener>()
      const keys = (value: unknown) =>
        Array.isArray(value) ? new Set(value as ReadonlyArray<string>) : new Set<string>()
      commit.after((outcome) => {
        if (listeners.size > 0) for (const id of keys(outcome[outboxInsert.name])) listeners.get(id)?.ring()
        for (const id of keys(outcome[listenFollower.name])) {
          if (!listeners.has(id)) activations.wake(ListenEntity.name, id)
        }
      })
      yield* draining.begun.pipe(
        Effect.andThen(Effect.sync(() => [...listeners.values()].forEach((listener) => listener.close()))),
        Effect.forkScoped
      )
      return ListenNotifier.of({
        subscribe: (environmentId, listener) => {
          listeners.set(environmentId, listener)
          return () => {
            if (listeners.get(environmentId) === listener) listeners.delete(environmentId)
          }
        },
        isClosed: draining.isDraining
      })
    })
  )
}
