import { accepted, transition } from "@carteiro/runtime/messages/message/MessageState.ts"
import {
  readScenario,
  remaining,
  type Scenario,
  type ScriptInput,
  scenarioHoldMs,
  scenarios,
  script
} from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const input = (scenario: Scenario, changes: Partial<ScriptInput> = {}): ScriptInput => ({
  scenario,
  type: "text",
  accepted_at: 1_000,
  unit_ms: 500,
  provider_message_id: "sb_msg_1",
  ...changes
})

/** Plays a script through the state machine: every status with the time since accept, and the announced events. */
const played = (of: ScriptInput) => {
  let state = accepted(of.accepted_at, of.scenario === "messaging_limit_pacing").state
  const course: Array<string> = []
  for (const { at, trigger } of script(of)) {
    // The customer's answer moves nothing.
    if (trigger._tag === "CompleteFlow") continue
    const next = transition(state, trigger, at)
    assert.isDefined(next.event)
    if (next.announces) course.push(`${next.announces} ${at - of.accepted_at}`)
    state = next.state
  }
  return { course, state }
}

const anyInput = fc.record({
  scenario: fc.constantFrom(...scenarios),
  type: fc.constantFrom("text", "reaction", "template" as const),
  accepted_at: fc.integer({ min: 0, max: 2_000_000_000_000 }),
  unit_ms: fc.constantFrom(0, 1, 500, 10_000),
  provider_message_id: fc.constant("sb_msg_1")
}) as fc.Arbitrary<ScriptInput>

describe("sandbox script", () => {
  const whole = ["message.sent 500", "message.delivered 1500", "message.read 3000"]

  it("sends after 1 unit, delivers after 3 and reads after 6 M-SBX-25, gaps-2 J Status timing", () => {
    const { course, state } = played(input("success"))
    assert.deepStrictEqual(course, whole)
    assert.strictEqual(state.provider_message_id, "sb_msg_1")
    assert.deepStrictEqual(played(input("success", { unit_ms: 0 })).course, [
      "message.sent 0",
      "message.delivered 0",
      "message.read 0"
    ])
  })

  it("stops at the scenario's last status M-REACT-07, gaps-2 J Scenario names", () => {
    assert.deepStrictEqual(played(input("delivered_only")).course, whole.slice(0, 2))
    assert.deepStrictEqual(played(input("sent_only")).course, whole.slice(0, 1))
    assert.deepStrictEqual(played(input("success", { type: "reaction" })).course, whole.slice(0, 1))
    assert.deepStrictEqual(played(input("flow_completed")).course, whole)
  })

  it("fails from sending with the scenario's code and no provider error M-SBX-23, M-SBX-24, M-DLV-24", () => {
    for (const scenario of ["delivery_failure", "recipient_opted_out", "template_rejected"] as const) {
      const { course, state } = played(input(scenario))
      assert.deepStrictEqual(course, ["message.failed 500"])
      assert.strictEqual(state.error_code, `sandbox_${scenario}`)
      assert.isNull(state.provider_error)
    }
  })

  it("holds the paced scenario for ten seconds, then sends it M-MSG-07, M-MSG-08", () => {
    assert.strictEqual(scenarioHoldMs, 10_000)
    assert.deepStrictEqual(played(input("messaging_limit_pacing")).course, [
      "message.sent 10500",
      "message.delivered 11500",
      "message.read 13000"
    ])
  })

  it("is in order, and every step follows from the state before it M-SBX-25", () => {
    fc.assert(
      fc.property(anyInput, (of) => {
        const instants = script(of).map(({ at }) => at)
        assert.deepStrictEqual(
          instants,
          instants.toSorted((a, b) => a - b)
        )
        played(of)
      })
    )
  })

  it("resumes after any step with exactly the remaining steps, gaps-2 J Status timing", () => {
    fc.assert(
      fc.property(anyInput, (of) => {
        const steps = script(of)
        let { state } = accepted(of.accepted_at, of.scenario === "messaging_limit_pacing")
        steps.forEach(({ at, trigger }, taken) => {
          // Without time between them they are taken together: that the customer answered leaves no trace in the state.
          const together = of.unit_ms === 0 && of.scenario === "flow_completed"
          if (!together) assert.deepStrictEqual(remaining(of, { ...state, due_at: at }), steps.slice(taken))
          if (trigger._tag === "CompleteFlow") return
          state = transition(state, trigger, at).state
        })
        assert.deepStrictEqual(remaining(of, state), [])
      })
    )
  })

  it("leaves a cancelled or failed message alone, gaps-2 B Cancel a message", () => {
    for (const status of ["cancelled", "failed", "read", "received"] as const) {
      assert.deepStrictEqual(remaining(input("success"), { status, status_reason: null }), [])
    }
  })
})

describe("metadata.sandbox_scenario", () => {
  const read = (value: unknown, type: "text" | "template" | "flow" = "text") =>
    Result.match(readScenario("sandbox", { sandbox_scenario: value }, type), {
      onSuccess: (scenario) => scenario as string,
      onFailure: ({ _tag, param }) => `${_tag} ${param}`
    })

  it("names one of the scenarios, success by default, gaps-2 J Scenario names", () => {
    for (const name of scenarios) {
      const type = name === "template_rejected" ? "template" : name === "flow_completed" ? "flow" : "text"
      assert.strictEqual(read(name, type), name)
    }
    for (const metadata of [undefined, null, {}, { other: 1 }]) {
      assert.deepStrictEqual(readScenario("sandbox", metadata, "text"), Result.succeed("success" as const))
    }
  })

  it("refuses unknown names, other types and the scenario of another message type M-MSG-21", () => {
    for (const value of ["sent", "", "toString", 1, null, ["success"], "template_rejected", "flow_completed"]) {
      assert.strictEqual(read(value), "invalid_message_request metadata.sandbox_scenario", String(value))
    }
  })

  it("has no effect in production, gaps-2 J Scenario names", () => {
    const metadata = { sandbox_scenario: "nonsense" }
    assert.deepStrictEqual(readScenario("production", metadata, "text"), Result.succeed("success" as const))
  })
})
