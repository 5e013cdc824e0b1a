import { scenarios } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { texts } from "./NumberOracle.ts"
import { type NumberAction, NumberWorld } from "./NumberWorld.ts"
import { schedules } from "./Schedules.ts"
import { day, simulated } from "./World.ts"

const customer = fc.nat(3)
const kind = <K extends string>(name: K) => fc.constant(name)

const action: fc.Arbitrary<NumberAction> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: kind("hear"), customer, text: fc.constantFrom(...Object.keys(texts)) })
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind("send"),
      customer,
      count: fc.integer({ min: 1, max: 60 }),
      edge: fc.option(fc.integer({ min: -2, max: 1 }), { nil: undefined })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("scenario"),
      customer,
      scenario: fc.constantFrom(
        ...scenarios.filter((name) => name !== "template_rejected" && name !== "flow_completed")
      )
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("number"), active: fc.boolean(), suspended: fc.constantFrom(false, false, true) })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("provider"),
      mode: fc.constantFrom("accepts" as const, "rejects" as const, "busy" as const, "loses" as const, "mixed" as const)
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind("report"),
      nth: fc.nat(200),
      status: fc.constantFrom("sent" as const, "delivered" as const, "read" as const, "failed" as const)
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("crash") }) }
)

describe("A number in a virtual month", () => {
  it(
    "accepts, sends once, announces once and ends every message M-WIN-01 M-ERR-06 M-DLV-21..23 M-MSG-14",
    () => {
      let accepted = 0
      fc.assert(
        fc.property(schedules(action, 60), fc.constantFrom("sandbox", "production"), ({ seed, steps }, environment) => {
          const world = new NumberWorld(seed, environment)
          let at = world.now
          for (const step of steps) {
            at += step.wait
            world.at(at, () => world.act(step.action))
          }
          world.runTo(Math.max(at + 4 * day, world.now + 31 * day))
          world.oracle.finished(world.stored)
          accepted += world.oracle.accepted
        }),
        simulated(300)
      )
      assert.isAbove(accepted, 3000, "schedules that accept nothing prove nothing")
    },
    simulated(300).numRuns * 200
  )
})
