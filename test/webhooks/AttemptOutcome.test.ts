import { excerpt, judge } from "@carteiro/runtime/webhooks/AttemptOutcome.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const plain = (text: string): string => text
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const answered = (status: number, body = "") => judge({ kind: "answered", status, body: utf8(body) }, plain)

describe("AttemptOutcome", () => {
  it("takes any 2xx as success and nothing else (gaps-1 K, success)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        const outcome = answered(status)
        assert.strictEqual(outcome.succeeded, Math.floor(status / 100) === 2)
        assert.strictEqual(outcome.status_code, status)
        if (outcome.succeeded) assert.isNull(outcome.failure_class)
      })
    )
  })

  it.each([
    [401, "auth_rejected"],
    [403, "auth_rejected"],
    [500, "server_error"],
    [503, "server_error"],
    [599, "server_error"],
    [301, null],
    [308, null],
    [400, null],
    [404, null],
    [429, null]
  ] as const)("gives answer %i the class %s A-WHV-07 A-WHV-08", (status, failure_class) => {
    assert.strictEqual(answered(status).failure_class, failure_class)
  })

  it.each(["dns_failed", "connection_failed", "tls_failed", "address_blocked"] as const)(
    "calls %s unreachable, without a status code A-WHV-06 A-WHV-07",
    (reason) => {
      const outcome = judge({ kind: "unreachable", reason }, plain)
      assert.deepInclude(outcome, { succeeded: false, status_code: null, failure_class: "unreachable" })
    }
  )

  it.each(["connect_timeout", "response_timeout"] as const)("calls %s timeout A-WHV-06 A-WHV-07", (reason) => {
    assert.deepInclude(judge({ kind: "timeout", reason }, plain), { status_code: null, failure_class: "timeout" })
  })

  it("keeps the first 1024 characters, never half of one A-WHV-09", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 2000 }), (text) => {
        const kept = excerpt(utf8(text), plain) ?? ""
        assert.isAtMost([...kept].length, 1024)
        assert.isTrue(kept.isWellFormed())
        assert.notInclude(kept, "\0")
      }),
      { numRuns: 40 }
    )
    assert.strictEqual(excerpt(utf8("🙂".repeat(2000)), plain), "🙂".repeat(1024))
  })

  it("is null without a body A-WHV-09", () => {
    assert.isNull(answered(500).response_body_redacted)
  })

  it("replaces what is not UTF-8 (gaps-1 K, response_body_redacted)", () => {
    assert.strictEqual(excerpt(new Uint8Array([0x61, 0xff, 0x00, 0x62]), plain), "a\ufffd\ufffdb")
  })

  it("redacts before it cuts, so that no half of a secret stays A-WHV-09", () => {
    const redact = (text: string): string => text.replaceAll("svc_live_secret", "[redacted]")
    const kept = excerpt(utf8(`${"x".repeat(1018)}svc_live_secret`), redact)
    assert.strictEqual(kept, `${"x".repeat(1018)}[redac`)
  })
})
