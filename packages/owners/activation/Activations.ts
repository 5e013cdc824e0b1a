import { Context, Effect, Layer, type Tracer } from "effect"
import type { Outcome } from "../protocol/Behaviour.ts"

/** An owner in memory as callers on its node reach it. */
export interface ResidentOwner {
  /** Handles calls of one batched operation in their turn. Returns one outcome an item and never fails. */
  readonly call: (
    tag: string,
    items: ReadonlyArray<unknown>,
    traced?: ReadonlyArray<Tracer.AnySpan>
  ) => Effect.Effect<ReadonlyArray<Outcome<unknown>>>
}

/**
 * Holds the owners resident on this node: counts for metrics, wake-ups by type and id, and the number of passes over
 * due work that run now (tests wait until it is zero before they turn the clock).
 */
export class Activations extends Context.Service<
  Activations,
  {
    readonly enter: (type: string, id: string, owner: ResidentOwner) => void
    readonly leave: (type: string, id: string, owner: ResidentOwner) => void
    /** Returns the owner with that id while it is in this node's memory: it may be called without a message. */
    readonly find: (type: string, id: string) => ResidentOwner | undefined
    readonly counts: () => ReadonlyMap<string, number>
    /** Registers the function that wakes owners of a type. The layer that hosts or calls them registers it. */
    readonly wakeWith: (type: string, wake: (id: string, at: number) => void) => void
    /** Wakes an owner. A wake-up may get lost: the sweeper guarantees that due work runs. */
    readonly wake: (type: string, id: string, at?: number) => void
    readonly busy: (change: 1 | -1) => void
    readonly passes: () => number
  }
>()("@carteiro/owners/activation/Activations") {
  static readonly layer = Layer.effect(
    Activations,
    Effect.sync(() => {
      const residents = new Map<string, Map<string, ResidentOwner>>()
      const wakes = new Map<string, (id: string, at: number) => void>()
      let passes = 0
      let waking: Map<string, { readonly type: string; readonly id: string; readonly at: number }> | undefined
      const residentsOf = (type: string) => {
        const known = residents.get(type)
        if (known !== undefined) return known
        const made = new Map<string, ResidentOwner>()
        residents.set(type, made)
        return made
      }
      // Callers answered by one commit often wake one owner for one instant: a single message is enough.
      const flush = () => {
        const told = waking ?? new Map()
        waking = undefined
        for (const { at, id, type } of told.values()) wakes.get(type)?.(id, at)
      }
      return Activations.of({
        enter: (type, id, owner) => void residentsOf(type).set(id, owner),
        leave: (type, id, owner) => {
          // The successor may have registered before this owner leaves.
          if (residents.get(type)?.get(id) === owner) residents.get(type)?.delete(id)
        },
        find: (type, id) => residents.get(type)?.get(id),
        counts: () => new Map([...residents].map(([type, owners]) => [type, owners.size])),
        wakeWith: (type, wake) => void wakes.set(type, wake),
        wake: (type, id, at = 0) => {
          if (waking === undefined) {
            waking = new Map()
            queueMicrotask(flush)
          }
          waking.set(`${type} ${id} ${at}`, { type, id, at })
        },
        busy: (by) => {
          passes += by
        },
        passes: () => passes
      })
    })
  )
}
