import {
  finalStatuses,
  goneStatuses,
  nextStatus,
  numberTriggers,
  statusesBefore
} from "@carteiro/runtime/phone-numbers/number/NumberState.ts"
import { NumberSource, NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

/** The state machine as gaps-2 K prints it: from, to, and the sources of numbers. */
const printed: ReadonlyArray<readonly [string, string, "numprov" | "byon" | "both"]> = [
  ["requested", "provisioning", "both"],
  ["provisioning", "provisioned", "both"],
  ["provisioned", "verifying", "both"],
  ["verifying", "active", "both"],
  ...["requested", "provisioning", "provisioned", "verifying", "active"].map(
    (from) => [from, "failed", "both"] as const
  ),
  ...["active", "failed", "provisioned"].map((from) => [from, "release_requested", "numprov"] as const),
  ["release_requested", "released", "numprov"],
  ...["active", "verifying", "provisioned", "failed"].map((from) => [from, "disconnected", "byon"] as const)
]

const isPrinted = (source: string, from: string, to: string): boolean =>
  printed.some(([a, b, whose]) => a === from && b === to && (whose === "both" || whose === source))

describe("The states of a number", () => {
  it.prop(
    'change exactly as the machine is printed gaps-2 K "State machine" M-PHN-03',
    [NumberSource, NumberStatus, Schema.Literals(numberTriggers)],
    ([source, status, trigger]) => {
      const next = nextStatus({ source, status }, trigger)
      if (next !== undefined) assert.isTrue(isPrinted(source, status, next), `${source}: ${status} > ${next}`)
      if (next !== undefined) assert.include(statusesBefore(source, trigger), status)
    }
  )

  it('reach every printed transition by some trigger gaps-2 K "State machine"', () => {
    for (const [from, to, whose] of printed) {
      for (const source of whose === "both" ? (["numprov", "byon"] as const) : [whose]) {
        const reached = numberTriggers.map((trigger) => nextStatus({ source, status: from as NumberStatus }, trigger))
        assert.include(reached, to, `${source}: ${from} > ${to}`)
      }
    }
  })

  it.prop(
    'never leave released and disconnected, whatever happens gaps-2 K "State machine"',
    [NumberSource, Schema.Array(Schema.Literals(numberTriggers))],
    ([source, triggers]) => {
      let status: NumberStatus = "requested"
      for (const trigger of triggers) {
        const next: NumberStatus | undefined = nextStatus({ source, status }, trigger)
        if (finalStatuses.includes(status)) assert.isUndefined(next)
        status = next ?? status
      }
      if (finalStatuses.includes(status)) assert.include(goneStatuses, status)
    }
  )
})
