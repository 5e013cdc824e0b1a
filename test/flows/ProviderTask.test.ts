import {
  type ProviderStep,
  type ProviderTask,
  pauseMs,
  publishingLimitMs,
  recordStep,
  type StepResult
} from "@carteiro/runtime/flows/publish/ProviderTask.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const since = Date.parse("2026-01-01T00:00:00.000Z")

const task = (more: Partial<ProviderTask> = {}): ProviderTask => ({
  id: "flw_01kah7v3m8q6x2r9d4t5w0y1z3",
  name: "Appointment",
  status: "publishing",
  provider_flow_id: null,
  rejection_reason: null,
  provider_step: "create",
  attempts: 0,
  publishing_since: since,
  published_at: null,
  categories: jsonText([]),
  flow_json: jsonText({}),
  ...more
})

const steps = ["create", "find", "upload", "publish", "poll", "deprecate", "remove"] as const

const statuses = ["draft", "published", "deprecated", "blocked", "throttled"] as const

const results: fc.Arbitrary<StepResult> = fc.oneof(
  fc.record({ _tag: fc.constant("Found" as const), provider_flow_id: fc.option(fc.string()) }),
  fc.record({ _tag: fc.constant("Uploaded" as const), validation_errors: fc.array(fc.string(), { maxLength: 2 }) }),
  fc.constant({ _tag: "Heard" as const }),
  fc.record({
    _tag: fc.constant("Said" as const),
    flow: fc.record({
      status: fc.constantFrom(...statuses),
      validation_errors: fc.array(fc.string(), { maxLength: 2 })
    })
  }),
  fc.record({ _tag: fc.constant("Refused" as const), reason: fc.string({ maxLength: 3000 }) }),
  fc.constant({ _tag: "Failed" as const }),
  fc.constant({ _tag: "NotConnected" as const })
)

const failed: StepResult = { _tag: "Failed" }

describe('What a provider does to a flow gaps-2 G "Flow routes"', () => {
  it("making, uploading, publishing and asking follow each other", () => {
    const walk: ReadonlyArray<readonly [ProviderStep, StepResult, ProviderStep]> = [
      ["create", { _tag: "Found", provider_flow_id: "7" }, "upload"],
      ["create", failed, "find"],
      ["find", failed, "find"],
      ["find", { _tag: "Refused", reason: "no" }, "find"],
      ["find", { _tag: "Found", provider_flow_id: null }, "create"],
      ["find", { _tag: "Found", provider_flow_id: "7" }, "upload"],
      ["upload", failed, "upload"],
      ["upload", { _tag: "Uploaded", validation_errors: [] }, "publish"],
      ["publish", failed, "publish"],
      ["publish", { _tag: "Heard" }, "poll"],
      ["poll", { _tag: "Said", flow: { status: "draft", validation_errors: [] } }, "poll"],
      ["poll", failed, "poll"]
    ]
    for (const [provider_step, result, expected] of walk) {
      const outcome = recordStep(task({ provider_step, provider_flow_id: null }), result, since)
      assert.strictEqual(outcome.status, "publishing", provider_step)
      assert.strictEqual(outcome.provider_step, expected)
    }
  })

  it("ends published, or rejected with the provider's reason", () => {
    const end = (provider_step: ProviderStep, result: StepResult) => {
      const {
        status,
        rejection_reason,
        provider_step: left,
        due_at
      } = recordStep(task({ provider_step }), result, since)
      assert.deepStrictEqual([left, due_at], [null, null])
      return [status, rejection_reason]
    }
    const said = (status: (typeof statuses)[number], ...validation_errors: ReadonlyArray<string>): StepResult => ({
      _tag: "Said",
      flow: { status, validation_errors }
    })
    assert.deepStrictEqual(end("poll", said("published")), ["published", null])
    assert.deepStrictEqual(end("publish", said("throttled")), ["published", null])
    assert.deepStrictEqual(end("poll", said("draft", "No screen.", "No id.")), ["rejected", "No screen. No id."])
    assert.deepStrictEqual(end("poll", said("blocked")), ["rejected", "The provider says that it is blocked."])
    for (const step of ["create", "upload", "publish", "poll"] as const) {
      assert.deepStrictEqual(end(step, { _tag: "Refused", reason: "Name taken." }), ["rejected", "Name taken."])
      assert.deepStrictEqual(end(step, { _tag: "NotConnected" }), ["rejected", "no_provider_connection"])
    }
    assert.deepStrictEqual(end("upload", { _tag: "Uploaded", validation_errors: ["Bad."] }), ["rejected", "Bad."])
  })

  it("pauses grow to five minutes and publishing is given up after a day", () => {
    assert.deepStrictEqual([0, 1, 2, 8, 9, 40].map(pauseMs), [1000, 2000, 4000, 256_000, 300_000, 300_000])
    const now = since + publishingLimitMs - 1
    const outcome = recordStep(task({ provider_step: "poll", attempts: 3 }), failed, now)
    assert.deepStrictEqual([outcome.status, outcome.attempts, outcome.due_at], ["publishing", 4, now + 8000])
    for (const provider_step of ["create", "find", "upload", "publish", "poll"] as const) {
      const late = recordStep(task({ provider_step }), failed, now + 1)
      assert.deepStrictEqual(
        [late.status, late.rejection_reason, late.due_at],
        ["rejected", "The provider did not answer within 24 hours.", null]
      )
    }
  })

  it("a published flow follows later reports of the provider", () => {
    const published = task({ status: "published", provider_step: "poll", provider_flow_id: "7", published_at: since })
    const then = (result: StepResult) => {
      const { status, rejection_reason, published_at, provider_step } = recordStep(published, result, since + 1)
      return [status, rejection_reason, published_at, provider_step]
    }
    const says = (status: (typeof statuses)[number]) => then({ _tag: "Said", flow: { status, validation_errors: [] } })
    assert.deepStrictEqual(says("published"), ["published", null, since, null])
    assert.deepStrictEqual(says("deprecated"), ["deprecated", null, since, null])
    assert.deepStrictEqual(says("blocked"), ["deprecated", "The provider says that it is blocked.", since, null])
    assert.deepStrictEqual(then(failed), ["published", null, since, "poll"])
    assert.deepStrictEqual(then({ _tag: "Refused", reason: "no" }), ["published", null, since, null])
    assert.deepStrictEqual(then({ _tag: "NotConnected" }), ["published", null, since, null])
  })

  it("deprecating and removing are repeated until the provider answers, for a day", () => {
    for (const provider_step of ["deprecate", "remove"] as const) {
      const status = provider_step === "remove" ? ("draft" as const) : ("deprecated" as const)
      const told = task({ status, provider_step, provider_flow_id: "7", attempts: 1 })
      const again = recordStep(told, failed, since)
      assert.deepStrictEqual([again.provider_step, again.due_at, again.removed], [provider_step, since + 2000, false])
      for (const [result, at] of [
        [{ _tag: "Heard" }, since],
        [{ _tag: "Refused", reason: "gone" }, since],
        [{ _tag: "NotConnected" }, since],
        [failed, since + publishingLimitMs]
      ] as const) {
        const { due_at, removed, status: after } = recordStep(told, result, at)
        assert.deepStrictEqual([due_at, removed, after], [null, provider_step === "remove", status])
      }
    }
  })

  it("in any sequence, a step is due exactly while one is left, and a reason is short", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...steps),
        results,
        fc.nat(20),
        fc.nat(2 * publishingLimitMs),
        fc.boolean(),
        (provider_step, result, attempts, later, published) => {
          const status = published ? "published" : "publishing"
          const one = task({ provider_step, attempts, status, provider_flow_id: "7" })
          const outcome = recordStep(one, result, since + later)
          assert.strictEqual(outcome.due_at === null, outcome.provider_step === null)
          assert.isAtMost(outcome.rejection_reason?.length ?? 0, 1000)
          if (outcome.due_at !== null) assert.isAtLeast(outcome.due_at, since + later)
          const isPublishing =
            outcome.status === "publishing" && provider_step !== "deprecate" && provider_step !== "remove"
          if (isPublishing) assert.isNotNull(outcome.provider_step)
        }
      )
    ))
})
