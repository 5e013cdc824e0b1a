import { pauseAfter } from "@carteiro/runtime/templates/review/Submission.ts"
import { afterNotice } from "@carteiro/runtime/templates/review/Synchronization.ts"
import { newTemplate } from "@carteiro/runtime/templates/template/Authoring.ts"
import { seededContents } from "@carteiro/runtime/templates/template/SeededTemplates.ts"
import {
  changedVersions,
  editTemplate,
  orphanTemplate,
  removeTemplate,
  reviewTemplate,
  setTemplateStatus,
  submitTemplate,
  type TemplateChange
} from "@carteiro/runtime/templates/template/TemplateLife.ts"
import type { TemplateState } from "@carteiro/runtime/templates/template/TemplateState.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const trace_id = "1".repeat(32)

const fresh = (environment: "sandbox" | "production"): TemplateState =>
  newTemplate(
    "env_1",
    { ...seededContents.welcome, id: "tpl_1", version_id: "tplv_1", environment, name: "a", language: "pt", trace_id },
    0
  )

const step = fc.oneof(
  fc.constant({ do: "edit" } as const),
  fc.constant({ do: "submit" } as const),
  fc.constant({ do: "orphan" } as const),
  fc.record({
    do: fc.constant("review" as const),
    decision: fc.constantFrom("approved" as const, "rejected" as const, "paused" as const, "disabled" as const)
  })
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The template after a step, or undefined where it is refused or says nothing new. */
const taken = (template: TemplateState, one: Step, now: number): TemplateChange | undefined => {
  const plain = (next: TemplateState | undefined) => next && { template: next, event: undefined }
  switch (one.do) {
    case "edit":
      return plain(editTemplate(template, { category: "marketing" }, { version_id: `tplv_${now}`, now }))
    case "submit":
      return plain(submitTemplate(template, { trace_id, now }))
    case "orphan":
      return orphanTemplate(template, now)
    case "review":
      return reviewTemplate(template, one.decision, "Why.", now)
  }
}

/** Where a version may go, as the documents have it; a draft behind an approved one is another version. */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  draft: ["submitted", "orphaned"],
  submitted: ["approved", "rejected", "orphaned"],
  rejected: ["submitted", "orphaned"],
  approved: ["paused", "disabled", "rejected", "orphaned"],
  paused: ["approved", "disabled", "rejected", "orphaned"],
  disabled: ["approved", "rejected", "orphaned"],
  orphaned: []
}

describe("The life of a template", () => {
  it('every version goes only where it may, and sends keep the version approved last gaps-2 G "Template transitions" M-TPL-06 U-TPL-07', () => {
    fc.assert(
      fc.property(
        fc.constantFrom("sandbox" as const, "production" as const),
        fc.array(step, { maxLength: 40 }),
        (kind, steps) => {
          let template = fresh(kind)
          for (const [index, one] of steps.entries()) {
            const before = template
            const moved = taken(before, one, index + 1)
            if (moved === undefined) continue
            template = moved.template
            for (const version of changedVersions(before, template)) {
              const was = [before.newest, before.approved].find((other) => other?.id === version.id)
              if (was !== undefined && was.status !== version.status) {
                assert.include(allowed[was.status] ?? [], version.status, `${one.do} ${was.status}`)
              }
              if (was === undefined) assert.strictEqual(version.version, before.newest.version + 1)
            }
            const { approved, newest } = template
            if (approved !== undefined) {
              assert.isAtMost(approved.version, newest.version)
              assert.include(["approved", "paused", "disabled", "orphaned"], approved.status)
              assert.isNotNull(approved.approved_at)
              if (approved.id === newest.id) assert.strictEqual(approved, newest)
            } else assert.notInclude(["approved", "paused", "disabled"], newest.status)
            if (before.approved !== undefined) {
              const isApproval = one.do === "review" && one.decision === "approved"
              const isLate = one.do === "review" && one.decision === "rejected" && before.newest === before.approved
              assert.isTrue(
                approved?.id === before.approved.id || isApproval || isLate,
                "only a review changes what is sent"
              )
            }
            if (one.do === "review") assert.strictEqual(moved.event, one.decision)
            assert.strictEqual(newest.status === "submitted", template.due_at !== null)
          }
        }
      )
    )
  })

  it("the sandbox plays a decision from any state M-TPL-12", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom("rejected" as const, "paused" as const, "disabled" as const),
        (steps, status) => {
          const before = steps.reduce(
            (template, one, now) => taken(template, one, now)?.template ?? template,
            fresh("sandbox")
          )
          const { event, template } = setTemplateStatus(before, status, "Why.", 99)
          assert.deepStrictEqual(
            [template.newest.status, template.newest.rejection_reason, event],
            [status, "Why.", status]
          )
          assert.isNull(template.due_at)
          // What is refused is never what sends use.
          assert.notStrictEqual(template.approved?.status, "rejected")
        }
      )
    )
  })

  it("a deleted template is due where the provider has it or may have it", () => {
    const removed = (template: TemplateState) => removeTemplate(template, 50).due_at
    const submitted = submitTemplate(fresh("production"), { trace_id, now: 1 }) as TemplateState
    assert.deepStrictEqual(
      [
        fresh("production"),
        submitted,
        { ...submitted, attempts: 1 },
        { ...fresh("production"), provider_template_id: "9" },
        { ...fresh("sandbox"), provider_template_id: "9" }
      ].map(removed),
      [null, null, 50, 50, null]
    )
  })

  it("a second equal notice of the provider is ignored M-TPL-09", () => {
    const notice = fc.record({
      provider_template_id: fc.constantFrom(null, "9"),
      decision: fc.constantFrom(null, "approved" as const, "rejected" as const, "paused" as const, "disabled" as const),
      reason: fc.constantFrom(null, "Why."),
      quality: fc.constantFrom(null, "green" as const, "red" as const)
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), notice, (steps, told) => {
        const before = steps.reduce(
          (template, one, now) => taken(template, one, now)?.template ?? template,
          fresh("production")
        )
        const moved = afterNotice(before, told, 99)
        if (moved === undefined) return
        assert.isTrue(told.decision !== null || told.quality !== null, "a notice without news changes nothing")
        assert.strictEqual(moved.template.provider_template_id, told.provider_template_id)
        if (told.quality !== null) assert.strictEqual(moved.template.provider_quality, told.quality)
        assert.isUndefined(afterNotice(moved.template, told, 100))
      })
    )
  })

  it('attempts are made again after one second, two, four, at most ten minutes and a tenth gaps-2 E "Retry policy"', () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6].map((attempts) => pauseAfter(attempts, 0)),
      [1000, 2000, 4000, 8000, 16_000, 32_000]
    )
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, draw) => {
        const pause = pauseAfter(attempts, draw)
        assert.isTrue(pause >= 1000 && pause <= 660_000)
      })
    )
  })
})
