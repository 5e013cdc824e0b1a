import { failureOf, notAllowed } from "@carteiro/outbound/Attempt.ts"
import { explain } from "@carteiro/runtime/mcp/Explanation.ts"
import { nothingToSend } from "@carteiro/runtime/webhooks/delivery/AttemptOutcome.ts"
import { assert, it } from "@effect/vitest"

it("a delivery is explained as far as it has come: not tried, under way, tried again later, given up, delivered", () => {
  const attempt = {
    attempt: 1,
    status_code: 500,
    failure_class: "http_5xx",
    error_message: null,
    next_retry_at: null
  }
  const remedyOf = (status: string, attempts: NonNullable<Parameters<typeof explain>[0]["attempts"]>) =>
    (
      explain(
        { id: "whe_1", status, attempts },
        () => undefined,
        (code) => code
      ) as { readonly remedy: string }
    ).remedy
  assert.match(remedyOf("pending", []), /^Wait a moment/)
  assert.match(remedyOf("pending", [{ ...attempt, failure_class: null, status_code: null }]), /^Wait a moment/)
  assert.match(remedyOf("pending", [{ ...attempt, next_retry_at: "2026-11-28T00:00:00Z" }]), /before next_retry_at/)
  assert.match(remedyOf("failed", [attempt]), / No attempt follows by itself/)
  assert.strictEqual(remedyOf("delivered", [{ ...attempt, status_code: 200 }]), "Nothing is to be done.")
})

it("a failed delivery is explained by its cause, each sentence and status of an attempt by its own", () => {
  const causeOf = (status_code: number | null, error_message: string | null) => {
    const attempt = { attempt: 1, status_code, failure_class: null, error_message, next_retry_at: null }
    const explained = explain(
      { id: "whe_1", status: "failed", attempts: [attempt] },
      () => undefined,
      (code) => code
    ) as { readonly cause?: string; readonly failed_attempts: number; readonly remedy: string }
    assert.strictEqual(explained.failed_attempts, 1)
    assert.match(explained.remedy, /No attempt follows by itself/)
    return explained.cause ?? ""
  }
  for (const [status, cause] of [
    [301, /redirect/],
    [308, /redirect/],
    [401, /credentials/],
    [403, /credentials/],
    [404, /no POST route/],
    [405, /no POST route/],
    [410, /no POST route/],
    [413, /size/],
    [422, /refused the request/],
    [429, /rate/],
    [500, /program failed/],
    [502, /proxy/],
    [503, /proxy/],
    [504, /proxy/],
    [507, /program failed/]
  ] as const) {
    assert.match(causeOf(status, "The receiver answered with another status than 2xx."), cause, String(status))
  }
  const errorOf = (code: string) => failureOf(Object.assign(new Error("private"), { code })).error_message
  for (const [code, cause] of [
    ["ENOTFOUND", /^DNS/],
    ["CERT_HAS_EXPIRED", /certificate/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /certificate/],
    ["EPROTO", /no TLS/],
    ["UND_ERR_CONNECT_TIMEOUT", /firewall/],
    ["ETIMEDOUT", /firewall/],
    ["UND_ERR_HEADERS_TIMEOUT", /too long/],
    ["UND_ERR_BODY_TIMEOUT", /too long/],
    ["ECONNREFUSED", /No program listens/],
    ["ECONNRESET", /ended the connection/],
    ["UND_ERR_SOCKET", /ended the connection/],
    ["UND_ERR_HEADERS_OVERFLOW", /no HTTP answer/],
    ["HPE_INVALID_CONSTANT", /no HTTP answer/],
    ["ENETUNREACH", /no route/]
  ] as const) {
    assert.match(causeOf(null, errorOf(code)), cause, code)
  }
  assert.match(causeOf(null, notAllowed.error_message), /private or reserved/)
  assert.match(causeOf(null, nothingToSend.error_message), /erased/)
  assert.strictEqual(causeOf(null, errorOf("SOMETHING_ELSE")), "")
})
