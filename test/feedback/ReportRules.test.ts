import { type FeedbackReportRow, readReport, receipt } from "@carteiro/runtime/feedback/report/FeedbackRead.ts"
import { excerpt, type StorableReport, storable } from "@carteiro/runtime/feedback/report/ReportRules.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateFeedbackReport } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const key = `svc_live_${"a1B2".repeat(9)}a1`
const kept = (body: CreateFeedbackReport): StorableReport => {
  const result = storable(body)
  assert.isFalse(isApiError(result))
  return result as StorableReport
}
const refusedParam = (body: CreateFeedbackReport) => {
  const result = storable(body)
  return isApiError(result) ? `${result._tag} ${result.param}` : "stored"
}

describe("ReportRules", () => {
  it("a report without credentials is stored as sent, trimmed A-FBK-06 A-FBK-11", () => {
    const related_error = { code: "route_not_found", request_id: "<script>" }
    assert.deepStrictEqual(kept({ message: " It fails. ", related_error, context: { page: "docs" } }), {
      message: "It fails.",
      related_error,
      context: { page: "docs" },
      redacted: false
    })
    assert.deepStrictEqual(kept({ message: "x" }), {
      message: "x",
      related_error: undefined,
      context: undefined,
      redacted: false
    })
  })

  it.each<[string, CreateFeedbackReport]>([
    ["a key in the message A-FBK-22", { message: `see ${key}` }],
    ["a bearer token in the message A-FBK-23", { message: "Authorization: bearer abcdefgh12345678" }],
    ["a key in related_error A-FBK-22", { message: "x", related_error: { trace_id: key } }],
    ["a key in a context value A-FBK-22", { message: "x", context: { note: key } }],
    ["the value of a sensitive context key A-FBK-24", { message: "x", context: { "X-Api-Key": "abcdefgh12345678" } }]
  ])("takes out %s and says so", (_, body) => {
    const report = kept(body)
    assert.isTrue(report.redacted)
    assert.include(JSON.stringify(report), "[REDACTED]")
    assert.notInclude(JSON.stringify(report), key)
    assert.notInclude(JSON.stringify(report), "abcdefgh12345678")
  })

  it("no key remains in a stored report A-FBK-22", () => {
    const words = fc.string({ unit: "grapheme-ascii", maxLength: 20 })
    fc.assert(
      fc.property(words, words, fc.nat(2), (before, after, place) => {
        const text = `${before} ${key} ${after}`
        const body: CreateFeedbackReport =
          place === 0
            ? { message: text }
            : place === 1
              ? { message: "x", related_error: { code: text } }
              : { message: "x", context: { note: text } }
        const report = storable(body)
        assert.notInclude(JSON.stringify(report), key)
        if (!isApiError(report)) assert.isTrue(report.redacted)
      })
    )
  })

  it("refuses unsafe text at its field A-FBK-20", () => {
    const pem = "-----BEGIN RSA PRIVATE KEY-----"
    const code = "invalid_feedback_report_request"
    assert.strictEqual(refusedParam({ message: pem }), `${code} message`)
    assert.strictEqual(refusedParam({ message: "x", related_error: { code: pem } }), `${code} related_error.code`)
    assert.strictEqual(refusedParam({ message: "x", context: { [key]: "v" } }), `${code} context`)
    assert.strictEqual(refusedParam({ message: "x", context: { note: pem } }), `${code} context`)
  })

  it("an excerpt is the first 160 code points on one line A-FBK-31", () => {
    assert.strictEqual(excerpt("a\nb"), "a b")
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (message) => {
        const points = [...message.replaceAll("\n", " ")]
        assert.strictEqual(excerpt(message), points.slice(0, 160).join(""))
      })
    )
    assert.strictEqual(excerpt("😀".repeat(161)), "😀".repeat(160))
  })
})

describe("FeedbackRead", () => {
  const row: FeedbackReportRow = {
    id: "fbk_01kah7v3m8q6x2r9d4t5w0y1z3",
    status: "resolved",
    message: "It\nfails.",
    created_at: Date.parse("2026-01-01T00:00:00Z"),
    disposition: null,
    public_summary: null,
    published_at: null
  }

  it("a report shows only its excerpt A-FBK-30 A-FBK-33 A-FBK-34", () => {
    assert.deepStrictEqual(readReport(row), {
      id: row.id,
      object: "feedback_report",
      status: "resolved",
      message_excerpt: "It fails.",
      created_at: "2026-01-01T00:00:00.000Z",
      latest_resolution: null
    })
  })

  it("a resolved report shows its latest resolution A-FBK-32", () => {
    const published_at = Date.parse("2026-01-05T00:00:00Z")
    const read = readReport({ ...row, disposition: "fixed", public_summary: "Fixed.", published_at })
    assert.deepStrictEqual(read.latest_resolution, {
      disposition: "fixed",
      public_summary: "Fixed.",
      published_at: "2026-01-05T00:00:00.000Z"
    })
  })

  it("a receipt contains none of the report's text A-FBK-04 A-FBK-05 A-FBK-06 A-FBK-07", () => {
    assert.deepStrictEqual(receipt(row.id, Date.UTC(2026, 0, 1), true), {
      id: row.id,
      object: "feedback_receipt",
      received_at: "2026-01-01T00:00:00.000Z",
      redacted: true
    })
  })
})
