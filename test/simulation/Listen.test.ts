import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type ListenAction, ListenWorld } from "./ListenWorld.ts"
import { schedules } from "./Schedules.ts"
import { day, simulated } from "./World.ts"

const key = fc.nat(2)
const kind = <K extends string>(name: K) => fc.constant(name)

const action: fc.Arbitrary<ListenAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind("open"), key, ttl: fc.integer({ min: 60, max: 900 }), twice: fc.boolean() })
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind("late"), key, left: fc.constantFrom(-1, 0, 1, 29_999, 30_000, 30_001) })
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("end"), key }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("revoke"), key }) },
  { weight: 6, arbitrary: fc.record({ kind: kind("raise"), count: fc.integer({ min: 1, max: 30 }), type: fc.nat(2) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind("poll"),
      key,
      limit: fc.integer({ min: 1, max: 20 }),
      scan: fc.integer({ min: 1, max: 40 })
    })
  }
)

describe("Listening in a virtual month", () => {
  it(
    "holds one session at a time, ends each, and shows every event of its window once A-LSS-10..21 A-LSN-01",
    () => {
      let shown = 0
      fc.assert(
        fc.property(schedules(action, 80), ({ seed, steps }) => {
          const world = new ListenWorld(seed)
          let at = world.now
          for (const step of steps) {
            at += step.wait
            world.at(at, () => world.act(step.action))
          }
          world.runTo(Math.max(at, world.now) + day)
          world.finish()
          shown += world.shown
        }),
        simulated(500)
      )
      assert.isAbove(shown, 500, "schedules that show nothing prove nothing")
    },
    simulated(500).numRuns * 1500
  )
})
