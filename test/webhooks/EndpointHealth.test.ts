import {
  activate,
  changeUrl,
  disable,
  type EndpointHealth,
  type HealthFact,
  newHealth,
  patchHealth,
  recordDelivery,
  recordProbe,
  stoppedBy
} from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const fact = (outcome: HealthFact["outcome"], at = 1, rest: Partial<HealthFact> = {}): HealthFact => ({
  outcome,
  at,
  status_code: outcome === "delivered" ? 200 : 500,
  failure_class: outcome === "delivered" ? null : "server_error",
  ...rest
})
const fail = (health: EndpointHealth, times: number, rest: Partial<HealthFact> = {}): EndpointHealth =>
  Array.from({ length: times }).reduce<EndpointHealth>(
    (state) => recordDelivery(state, fact("failed", 1, rest)),
    health
  )
const tripped = fail(newHealth, 20)
const recovered = activate(tripped)

describe("EndpointHealth", () => {
  it("disables on the 20th failed delivery and not before, with reason and detail A-WHE-24 A-WHE-06", () => {
    const almost = fail(newHealth, 19)
    assert.strictEqual(almost.status, "active")
    assert.isNull(almost.disabled_reason)
    const after = fail(almost, 1, { status_code: 401, failure_class: "auth_rejected" })
    assert.strictEqual(after.status, "disabled")
    assert.strictEqual(after.disabled_reason, "consecutive_failures")
    assert.deepStrictEqual(after.disabled_detail, { last_status_code: 401, failure_class: "auth_rejected" })
  })

  it("shows a missing answer as a null status code A-WHE-06", () => {
    const after = fail(newHealth, 20, { status_code: null, failure_class: "timeout" })
    assert.deepStrictEqual(after.disabled_detail, { last_status_code: null, failure_class: "timeout" })
  })

  it("starts counting again after any successful real delivery A-WHE-24", () => {
    const reset = recordDelivery(fail(newHealth, 19), fact("delivered"))
    assert.strictEqual(fail(reset, 19).status, "active")
    assert.strictEqual(fail(reset, 20).status, "disabled")
  })

  it("recovers into probation with counter, reason and detail cleared A-WHE-26 A-WHE-27", () => {
    assert.strictEqual(recovered.status, "active")
    assert.isTrue(recovered.probation)
    assert.strictEqual(recovered.failures, 0)
    assert.isNull(recovered.disabled_reason)
    assert.isNull(recovered.disabled_detail)
  })

  it("disables again on the third failure of probation and marks the re-trip A-WHE-29 A-WHE-07", () => {
    assert.strictEqual(fail(recovered, 2).status, "active")
    assert.deepStrictEqual(fail(recovered, 3).disabled_detail, {
      last_status_code: 500,
      failure_class: "server_error",
      probation_retrip: true
    })
  })

  it("ends probation at the first successful real delivery, threshold back at 20 A-WHE-30 A-WHE-04", () => {
    const proven = recordDelivery(fail(recovered, 2), fact("delivered"))
    assert.isFalse(proven.probation)
    assert.strictEqual(fail(proven, 19).status, "active")
    const again = fail(proven, 20)
    assert.strictEqual(again.status, "disabled")
    assert.notProperty(again.disabled_detail, "probation_retrip")
  })

  it("keeps probation across a manual disable and enable, counter 0", () => {
    const stopped = disable(fail(recovered, 2))
    assert.strictEqual(stopped.disabled_reason, "manual")
    const started = activate(stopped)
    assert.isTrue(started.probation)
    assert.strictEqual(started.failures, 0)
    assert.isFalse(activate(disable(newHealth)).probation)
  })

  it("makes a breaker-disabled endpoint manual without losing its pending probation A-WHE-08", () => {
    const stopped = disable(tripped)
    assert.strictEqual(stopped.disabled_reason, "manual")
    assert.isNull(stopped.disabled_detail)
    assert.isTrue(activate(stopped).probation)
  })

  it("changes nothing when the status is already the requested one", () => {
    assert.strictEqual(activate(newHealth), newHealth)
    assert.strictEqual(patchHealth(fail(newHealth, 7), { status: "active", urlChanged: false }).failures, 7)
    const stopped = disable(newHealth)
    assert.strictEqual(disable(stopped), stopped)
  })

  it("resets the counter and keeps probation when the url changes", () => {
    const moved = changeUrl(fail(recovered, 2))
    assert.isTrue(moved.probation)
    assert.strictEqual(fail(moved, 2).status, "active")
    assert.strictEqual(fail(patchHealth(fail(newHealth, 19), { urlChanged: true }), 19).status, "active")
  })

  it("counts a probe of a healthy endpoint like a delivery", () => {
    assert.strictEqual(recordProbe(fail(newHealth, 19), fact("failed")).status, "disabled")
    const probed = recordProbe(fail(newHealth, 19), fact("delivered", 5))
    assert.strictEqual(probed.failures, 0)
    assert.strictEqual(probed.last_success_at, 5)
  })

  it("is unchanged by a probe while disabled or on probation A-WHE-31 A-WHE-32 A-WHT-11", () => {
    for (const state of [tripped, disable(newHealth), recovered, fail(recovered, 2)]) {
      for (const outcome of ["delivered", "failed"] as const) {
        assert.strictEqual(recordProbe(state, fact(outcome, 99)), state)
      }
    }
  })

  it("does not count a failure that is retried or cancelled, yet shows its instant A-WHE-10", () => {
    const after = recordDelivery(fail(newHealth, 19), fact("uncounted", 7))
    assert.strictEqual(after.status, "active")
    assert.strictEqual(after.failures, 19)
    assert.strictEqual(after.last_failure_at, 7)
  })

  it("keeps the latest instants for every order of results A-WHE-10", () => {
    const late = recordDelivery(recordDelivery(newHealth, fact("failed", 9)), fact("failed", 4))
    assert.strictEqual(late.last_failure_at, 9)
  })

  it("names the cause of a stop, once", () => {
    assert.strictEqual(stoppedBy(fail(newHealth, 19), tripped), "breaker")
    assert.strictEqual(stoppedBy(tripped, disable(tripped)), "manual")
    assert.isUndefined(stoppedBy(tripped, tripped))
    assert.isUndefined(stoppedBy(tripped, recovered))
    assert.isUndefined(stoppedBy(newHealth, fail(newHealth, 1)))
  })
})

/** A second implementation from the contract's text, without code of the rule. */
interface Paper {
  stopped: "no" | "breaker" | "manual"
  probation: boolean
  brokeSinceActivation: boolean
  streak: number
}
interface Real {
  health: EndpointHealth
}
type Step = fc.Command<Paper, Real>

const agree = (paper: Paper, { health }: Real): void => {
  const threshold = paper.probation ? 3 : 20
  assert.strictEqual(health.status, paper.stopped === "no" ? "active" : "disabled")
  assert.strictEqual(health.probation, paper.probation)
  assert.strictEqual(
    health.disabled_reason,
    paper.stopped === "no" ? null : paper.stopped === "manual" ? "manual" : "consecutive_failures"
  )
  assert.strictEqual(health.disabled_detail !== null, paper.stopped === "breaker")
  if (paper.stopped === "no") {
    assert.strictEqual(health.failures, paper.streak)
    assert.isBelow(health.failures, threshold)
  }
}

const blankPaper = (): Paper => ({ stopped: "no", probation: false, brokeSinceActivation: false, streak: 0 })
const reached = { trips: 0, retrips: 0 }

/** One kind of fact, `times` in a row, because single facts would rarely reach a threshold. */
const step =
  (name: string, onPaper: (paper: Paper) => void, onReal: (health: EndpointHealth) => EndpointHealth) =>
  (times: number): Step => ({
    check: () => true,
    toString: () => `${name} x${times}`,
    run: (paper, real) => {
      for (let time = 0; time < times; time++) {
        const before = real.health
        onPaper(paper)
        real.health = onReal(before)
        agree(paper, real)
        if (stoppedBy(before, real.health) !== "breaker") continue
        reached.trips++
        if (before.probation) reached.retrips++
        assert.strictEqual(before.failures, before.probation ? 2 : 19)
        assert.strictEqual(real.health.disabled_detail?.probation_retrip, before.probation ? true : undefined)
      }
    }
  })

const failOnPaper = (paper: Paper): void => {
  if (paper.stopped !== "no") return
  paper.streak++
  if (paper.streak === (paper.probation ? 3 : 20)) {
    paper.stopped = "breaker"
    paper.brokeSinceActivation = true
  }
}
const probeOnPaper = (effect: (paper: Paper) => void) => (paper: Paper) => {
  if (paper.stopped === "no" && !paper.probation) effect(paper)
}
const succeedOnPaper = (paper: Paper): void => {
  paper.streak = 0
  paper.probation = false
}
const nothing = (): void => undefined

const steps = [
  step("delivery fails", failOnPaper, (health) => recordDelivery(health, fact("failed"))),
  step("delivery will be retried", nothing, (health) => recordDelivery(health, fact("uncounted"))),
  step("delivery succeeds", succeedOnPaper, (health) => recordDelivery(health, fact("delivered"))),
  step("probe fails", probeOnPaper(failOnPaper), (health) => recordProbe(health, fact("failed"))),
  step("probe succeeds", probeOnPaper(succeedOnPaper), (health) => recordProbe(health, fact("delivered"))),
  step(
    "PATCH active",
    (paper) => {
      if (paper.stopped === "no") return
      paper.probation = paper.probation || paper.brokeSinceActivation
      paper.brokeSinceActivation = false
      paper.streak = 0
      paper.stopped = "no"
    },
    (health) => patchHealth(health, { status: "active", urlChanged: false })
  ),
  step(
    "PATCH disabled",
    (paper) => {
      paper.stopped = "manual"
    },
    (health) => patchHealth(health, { status: "disabled", urlChanged: false })
  ),
  step(
    "PATCH url",
    (paper) => {
      paper.streak = 0
    },
    (health) => patchHealth(health, { urlChanged: true })
  )
]
const times = fc.oneof(fc.constantFrom(1, 2, 3, 19, 20), fc.integer({ min: 1, max: 22 }))

describe("EndpointHealth, any history", () => {
  it("agrees with the second implementation after every delivery, probe and PATCH A-WHE-24..32", () => {
    fc.assert(
      fc.property(
        fc.commands(
          steps.map((each) => times.map(each)),
          { size: "max", maxCommands: 40 }
        ),
        (history) => fc.modelRun(() => ({ model: blankPaper(), real: { health: newHealth } }), history)
      ),
      { numRuns: 200 }
    )
    assert.isAbove(reached.trips, 0)
    assert.isAbove(reached.retrips, 0)
  })
})
