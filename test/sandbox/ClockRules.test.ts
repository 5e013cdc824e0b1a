import { unturnedLeaseMs } from "@carteiro/owners/OwnerClocks.ts"
import {
  type AdvanceState,
  afterStep,
  beginAdvance,
  type ClockState,
  firstTurnWaitsMs,
  freeze,
  frozen,
  mostSteps,
  nextLook,
  nextStep,
  resume,
  settlesWithinMs,
  timeOf
} from "@carteiro/runtime/sandbox/clock/ClockRules.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { longestAdvanceDays } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const hour = 3_600_000

const advance = (changes: Partial<AdvanceState> = {}): AdvanceState => ({
  id: "sca_1",
  kind: "advance",
  request_key: null,
  status: "running",
  from_at: 0,
  target_at: 100 * hour,
  reached_at: 0,
  next_due_at: null,
  settled_at: null,
  steps: 0,
  step_began_at: 0,
  stood: false,
  error_code: null,
  error_message: null,
  created_at: 0,
  ...changes
})
const due = (due_at: number, id = "pn_1") => ({ type: "PhoneNumber", id, due_at })

describe("the steps of an advance", () => {
  it("stop at the first due instant, whatever the order of discovery", () => {
    assert.deepStrictEqual(nextStep(advance(), 0, [due(5), due(3), due(9)], 0), { _tag: "Move", to: 3 })
  })

  it("wait for work that is due now before they continue, and wake it less often the longer it takes", () => {
    const at = (now: number) => nextStep(advance(), 5, [due(5), due(3), due(9)], now)
    assert.deepStrictEqual(at(0), { _tag: "Wake", due: [due(5), due(3)], waitMs: 5 })
    assert.deepStrictEqual(at(10_000), { _tag: "Wake", due: [due(5), due(3)], waitMs: 250 })
  })

  it("end at the target, and name the next due work after it", () => {
    assert.deepStrictEqual(nextStep(advance(), 5, [], 0), { _tag: "Settle", next: null })
    assert.deepStrictEqual(nextStep(advance(), 5, [due(101 * hour)], 0), { _tag: "Settle", next: 101 * hour })
  })

  it("end early with a reason that says what to do, after a bound of steps or of time", () => {
    const many = nextStep(advance({ steps: mostSteps }), 5, [due(9)], 0)
    assert.include(many, { _tag: "Stop", code: "too_many_steps" })
    const stuck = nextStep(advance(), 5, [due(3, "we_stuck")], settlesWithinMs)
    assert.include(stuck, { _tag: "Stop", code: "step_not_settled" })
    assert.include(stuck._tag === "Stop" ? stuck.message : "", "we_stuck")
  })
})

/** One turn of a clock, and how much real time goes by before it. */
const turns = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: hour }),
    turn: fc.oneof(
      fc.constant("freeze" as const),
      fc.constant("resume" as const),
      fc.integer({ min: 1, max: (longestAdvanceDays + 1) * 24 * 3600 })
    )
  }),
  { maxLength: 30 }
)

describe("the time of a sandbox", () => {
  it("is turned first when owners no longer rely on its never having been turned", () => {
    assert.strictEqual(firstTurnWaitsMs, unturnedLeaseMs)
    assert.strictEqual(frozen(undefined, 1000).stands_at, 1000 + unturnedLeaseMs)
  })

  it("never runs backwards, however its clock is turned", () => {
    fc.assert(
      fc.property(turns, (all) => {
        let clock: ClockState | undefined
        let now = 1_000_000
        let last = timeOf(clock, now)
        for (const { after, turn } of all) {
          now += after
          assert.isAtLeast(timeOf(clock, now), last)
          last = timeOf(clock, now)
          if (turn === "freeze") clock = freeze(clock, now)
          else if (turn === "resume") clock = resume(clock, now)
          else {
            const begun = beginAdvance(clock, { id: "sca_1", by_seconds: turn, to: undefined }, now)
            if (isApiError(begun)) continue
            const stood = typeof clock?.stands_at === "number"
            clock = afterStep(begun, { _tag: "Settle", next: null }, last, now).clock
            assert.strictEqual(clock.stands_at, stood ? begun.advance.target_at : null)
            assert.strictEqual(timeOf(clock, now), begun.advance.target_at)
          }
          assert.isAtLeast(timeOf(clock, now), last)
          last = timeOf(clock, now)
        }
      }),
      { numRuns: 500 }
    )
  })

  it("advances as far as the contract says, and never to an instant at which the clock stands or stood", () => {
    const clock: ClockState = { lead_ms: 0, stands_at: 1000, due_at: 0, resets: 0, resetting: false }
    const param = (to: number) => {
      const begun = beginAdvance(clock, { id: "sca_1", by_seconds: undefined, to }, 5)
      return isApiError(begun) ? begun.param : begun.advance.target_at
    }
    const farthest = 1000 + longestAdvanceDays * 24 * hour
    assert.deepStrictEqual([1000, 1001, farthest, farthest + 1].map(param), ["to", 1001, farthest, "to"])
  })

  it("is looked at when work is due, and once a minute at the latest", () => {
    const runs: ClockState = { lead_ms: 10_000, stands_at: null, due_at: 0, resets: 0, resetting: false }
    assert.strictEqual(nextLook(runs, [due(10_500), due(9000)], 0), 500)
    assert.strictEqual(nextLook(runs, [due(10 * hour)], 0), 60_000)
    assert.strictEqual(nextLook({ ...runs, stands_at: 10_000 }, [due(10_500)], 0), 60_000)
  })

  it("ends equal after many small advances and after one large one", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 10 * hour }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 3 * hour }), { maxLength: 12 }),
        (instants, parts) => {
          assert.deepStrictEqual(played(instants, [...parts, 50 * hour]), played(instants, [50 * hour]))
        }
      ),
      { numRuns: 500 }
    )
  })
})

/** The instants at which things run, each at the time of the clock, when advances of these lengths follow each other. */
const played = (
  instants: ReadonlyArray<number>,
  lengths: ReadonlyArray<number>
): ReadonlyArray<readonly [number, number]> => {
  const ran: Array<readonly [due: number, at: number]> = []
  let waiting = [...instants]
  let at = 0
  for (const length of lengths) {
    const under = advance({ target_at: Math.min(50 * hour, at + length) })
    for (;;) {
      const step = nextStep(
        under,
        at,
        waiting.map((instant) => due(instant)),
        0
      )
      if (step._tag === "Move") at = step.to
      else if (step._tag === "Wake") {
        for (const { due_at } of step.due) ran.push([due_at, at])
        waiting = waiting.filter((instant) => instant > at)
      } else break
    }
    at = under.target_at
  }
  return ran
}
