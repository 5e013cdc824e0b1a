import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Effect } from "effect"
import { fence } from "./OwnersRun.ts"
import type { SimulationContext } from "./Playing.ts"
import { sweepOnce } from "./Sweeps.ts"
import { minute } from "./World.ts"

/** A world in which time passes by what is due. */
export interface Passing extends SimulationContext {
  /** Whose owners the sweeper looks for. */
  readonly due: ReadonlyArray<Effect.Effect<DueOwners>>
  /** After an instant at which something is due, so many milliseconds are lived through. */
  readonly livedMs: number
}

/** What happens to the nodes of a world. */
export type Disturbance =
  | { readonly kind: "fence" }
  | { readonly kind: "loses"; readonly count: number }
  | { readonly kind: "takeOver" | "stop"; readonly after: number }
  | { readonly kind: "wake" }

/** Does to the nodes what a schedule says. */
export const disturb = (run: SimulationContext, action: Disturbance): Effect.Effect<unknown> => {
  const { nodes } = run
  switch (action.kind) {
    case "fence":
      return fence(run)
    case "loses":
      return Effect.sync(() => {
        nodes.trouble.losses = action.count
      })
    case "takeOver":
    case "stop":
      return Effect.andThen(
        nodes.few(action.after),
        Effect.suspend(() => (action.kind === "stop" ? nodes.stop : nodes.takeOver))
      )
    case "wake":
      return Effect.sync(() => nodes.wake())
  }
}

/** Nobody disturbs the world any more. */
export const calm = ({ nodes }: SimulationContext) =>
  Effect.suspend(() => {
    nodes.trouble.losses = 0
    return nodes.endFormer
  })

/** The sweeper looks for owners with something due, and so much time passes. */
export const look = ({ due, nodes }: Passing, millis: number) =>
  Effect.andThen(nodes.begin(Effect.ignoreCause(sweepOnce(due))), nodes.turn(millis))

/**
 * Goes from one instant at which something is due straight to the next; `nextDue` reads the first behind an instant. In
 * between owners would look again and again and find nothing.
 */
export const pass = <E>(
  run: Passing,
  millis: number,
  nextDue: (now: Date) => Effect.Effect<ReadonlyArray<{ readonly next: number | null }>, E>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { course, livedMs } = run
    const until = course.now + millis
    while (course.now < until) {
      yield* look(run, Math.min(livedMs, until - course.now))
      const [row] = yield* nextDue(new Date(course.now))
      const next = Math.min(row?.next ?? until, until)
      if (next > course.now + minute) yield* course.leap(next)
    }
    yield* look(run, livedMs)
  }).pipe(Effect.orDie)
