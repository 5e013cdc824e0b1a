import fc from "fast-check"
import { day, hour, minute, second } from "./World.ts"

/** How long passes before something is done: mostly moments, now and then hours or days. Milliseconds. */
const pause: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: second }) },
  { weight: 4, arbitrary: fc.integer({ min: second, max: 2 * minute }) },
  { weight: 2, arbitrary: fc.integer({ min: minute, max: 3 * hour }) },
  { weight: 1, arbitrary: fc.integer({ min: 3 * hour, max: 3 * day }) }
)

/** Something done so long after what was done before it. */
export interface Step<Action> {
  readonly wait: number
  readonly action: Action
}

/** A schedule of things done from outside, with the seed of everything the world draws by itself. */
export interface Schedule<Action> {
  readonly seed: number
  readonly steps: ReadonlyArray<Step<Action>>
}

/** Schedules of at most `length` steps; they shrink to fewer steps, shorter pauses and smaller actions. */
export const schedules = <Action>(action: fc.Arbitrary<Action>, length: number): fc.Arbitrary<Schedule<Action>> =>
  fc.record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    steps: fc.array(fc.record({ wait: pause, action }), { minLength: 1, maxLength: length, size: "max" })
  })
