import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type EndpointAction, EndpointWorld } from "./EndpointWorld.ts"
import { schedules } from "./Schedules.ts"
import { day, simulated } from "./World.ts"

const action: fc.Arbitrary<EndpointAction> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("raise" as const), count: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("receiver" as const),
      mode: fc.constantFrom(
        "up" as const,
        "down" as const,
        "down" as const,
        "flaky" as const,
        "slow" as const,
        "closed" as const
      )
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("patch" as const),
      status: fc.constantFrom("active" as const, "active" as const, "disabled" as const, undefined),
      url: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.constant({ kind: "probe" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resend" as const), nth: fc.nat(500) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) }
)

describe("An endpoint in a virtual month", () => {
  it(
    "trips, retries, resends and ends every delivery as promised A-WHE-24..31 A-WHV-10 (gaps-1 J, K)",
    () => {
      let trips = 0
      fc.assert(
        fc.property(schedules(action, 60), fc.constantFrom("sandbox", "production"), ({ seed, steps }, environment) => {
          const world = new EndpointWorld(seed, environment)
          let at = world.now
          for (const step of steps) {
            at += step.wait
            world.at(at, () => world.act(step.action))
          }
          world.runTo(Math.max(at + 3 * day, world.now + 31 * day))
          world.oracle.finished(world.deliveries)
          trips += world.oracle.trips
        }),
        simulated(200)
      )
      assert.isAbove(trips, 30, "schedules that trip nothing prove nothing")
    },
    simulated(200).numRuns * 1500
  )
})
