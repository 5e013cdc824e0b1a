import { CreateFeedbackReport, FeedbackApi } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { assert, describe, it } from "@effect/vitest"
import { bodyOutcome, queryOutcome, traitsOf } from "../access/Contract.ts"

const { create, get, list } = FeedbackApi.endpoints
const entries = (count: number, value = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
const invalid = "invalid_feedback_report_request"

describe("Feedback contract", () => {
  it("writing needs no scope and is open without credit, reading needs messages:read A-FBK-01 A-FBK-02 A-MCP-03", () => {
    assert.deepStrictEqual(traitsOf(create).scopes, [])
    assert.isUndefined(traitsOf(create).restrictedWithoutCredit)
    assert.deepStrictEqual(traitsOf(list).scopes, ["messages:read"])
    assert.deepStrictEqual(traitsOf(get).scopes, ["messages:read"])
    assert.strictEqual(get.path, "/v1/feedback/:feedback_report_id")
  })

  it("writing requires an idempotency key and draws its token after the replay A-FBK-03 A-IDEM-11 A-FBK-41", () => {
    assert.include(traitsOf(create), {
      idempotency: "required",
      missingKeyCode: "missing_idempotency_key",
      rateAfterIdempotency: true,
      rate: "feedback_write"
    })
  })

  it.each<[string, string, unknown]>([
    ["a message", "accepted", { message: "hi" }],
    ["a trimmed message of 2000", "accepted", { message: ` ${"x".repeat(2000)} ` }],
    ["an empty related_error", "accepted", { message: "hi", related_error: {} }],
    ["a full report", "accepted", { message: "hi", related_error: { code: "x".repeat(128) }, context: { a: "" } }],
    ["32 entries", "accepted", { message: "hi", context: entries(32) }],
    ["no body object", `${invalid} -`, null],
    ["no message", `${invalid} message`, {}],
    ["a blank message", `${invalid} message`, { message: "  \n" }],
    ["a message of 2001", `${invalid} message`, { message: "x".repeat(2001) }],
    ["NUL", `${invalid} message`, { message: "a\u0000" }],
    ["an unpaired surrogate", `${invalid} message`, { message: "a\ud800" }],
    ["null related_error", `${invalid} related_error`, { message: "hi", related_error: null }],
    ["an empty code", `${invalid} related_error.code`, { message: "hi", related_error: { code: "" } }],
    ["a code of 129", `${invalid} related_error.code`, { message: "hi", related_error: { code: "x".repeat(129) } }],
    ["a stranger in related_error", `${invalid} related_error.x`, { message: "hi", related_error: { x: "y" } }],
    ["null context", `${invalid} context`, { message: "hi", context: null }],
    ["a list as context", `${invalid} context`, { message: "hi", context: ["a"] }],
    ["a nested value", `${invalid} context.a`, { message: "hi", context: { a: { b: "c" } } }],
    ["a number as value", `${invalid} context.a`, { message: "hi", context: { a: 1 } }],
    ["33 entries", `${invalid} context`, { message: "hi", context: entries(33) }],
    ["a key of 64", "accepted", { message: "hi", context: { ["k".repeat(64)]: "v" } }],
    ["a key of 65", `${invalid} context`, { message: "hi", context: { ["k".repeat(65)]: "v" } }],
    ["a value of 1024", "accepted", { message: "hi", context: { a: "x".repeat(1024) } }],
    ["a value of 1025", `${invalid} context.a`, { message: "hi", context: { a: "x".repeat(1025) } }],
    ["more than 16 KiB", `${invalid} context`, { message: "hi", context: entries(32, "é".repeat(256)) }],
    ["a status", `${invalid} status`, { message: "hi", status: "resolved" }],
    ["a provenance", `${invalid} organization_id`, { message: "hi", organization_id: "org_x" }],
    ["a redaction field", `${invalid} redacted`, { message: "hi", redacted: false }],
    ["a known field before a stranger", `${invalid} context`, { redacted: false, context: 1, message: "hi" }]
  ])(
    "a report with %s answers %s A-FBK-08 A-FBK-09 A-FBK-10 A-FBK-12 A-FBK-13 A-FBK-14 A-FBK-15 A-FBK-16 A-FBK-19",
    (_, expected, body) => {
      assert.strictEqual(bodyOutcome(create, CreateFeedbackReport)(body), expected)
    }
  )

  it("context of exactly 16 KiB is accepted and one byte more is not A-FBK-16", () => {
    const outcome = bodyOutcome(create, CreateFeedbackReport)
    const context: Record<string, string> = entries(16, "x".repeat(1000))
    const bytes = () => Buffer.byteLength(JSON.stringify(context))
    context.rest = ""
    context.rest = "x".repeat(16_384 - bytes())
    assert.strictEqual(bytes(), 16_384)
    assert.strictEqual(outcome({ message: "hi", context }), "accepted")
    context.rest += "x"
    assert.strictEqual(outcome({ message: "hi", context }), `${invalid} context`)
  })

  it.each([
    ["accepted", { limit: "50" }],
    ["accepted", { after: "cursor" }],
    ["invalid_query limit", { limit: "51" }],
    ["invalid_query limit", { limit: "x" }]
  ])("the list answers %s to %j A-FBK-25 A-FBK-37", (expected, query) => {
    assert.strictEqual(queryOutcome(list)(query), expected)
    assert.isTrue(traitsOf(list).strictQuery)
  })
})
