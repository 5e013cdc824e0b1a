import { Context, Effect, Layer } from "effect"

/**
 * The owners resident on this node: counts for metrics, wake-ups by type and id, and how many passes over due work
 * run right now (tests wait for none before they turn the clock).
 */
export class Activations extends Context.Service<
  Activations,
  {
    readonly enter: (type: string) => void
    readonly leave: (type: string) => void
    readonly counts: () => ReadonlyMap<string, number>
    /** Registers how to wake owners of a type; done by the layer that hosts or calls them. */
    readonly wakeWith: (type: string, wake: (id: string, at: number) => void) => void
    /** Best effort: the sweeper is the guarantee. */
    readonly wake: (type: string, id: string, at?: number) => void
    readonly busy: (change: 1 | -1) => void
    readonly passes: () => number
  }
>()("@carteiro/runtime/platform/owner/activation/Activations") {
  static readonly layer = Layer.effect(
    Activations,
    Effect.sync(() => {
      const counts = new Map<string, number>()
      const wakes = new Map<string, (id: string, at: number) => void>()
      let passes = 0
      const change = (type: string, by: number) => counts.set(type, (counts.get(type) ?? 0) + by)
      return Activations.of({
        enter: (type) => void change(type, 1),
        leave: (type) => void change(type, -1),
        counts: () => counts,
        wakeWith: (type, wake) => void wakes.set(type, wake),
        wake: (type, id, at) => wakes.get(type)?.(id, at ?? 0),
        busy: (by) => {
          passes += by
        },
        passes: () => passes
      })
    })
  )
}
