import { attemptResult, failed } from "@carteiro/outbound/Attempt.ts"
import { judge } from "@carteiro/runtime/webhooks/delivery/AttemptOutcome.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const status = (code: number, body?: string) => judge(attemptResult(code, body === undefined ? null : utf8(body)))

describe("AttemptOutcome", () => {
  it("takes any 2xx as success and nothing else (gaps-1 K, success)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (code) => {
        const outcome = status(code)
        assert.strictEqual(outcome.succeeded, Math.floor(code / 100) === 2)
        assert.strictEqual(outcome.status_code, code)
        assert.strictEqual(outcome.error_message === null, outcome.succeeded)
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
  ] as const)("gives answer %i the class %s A-WHV-07 A-WHV-08", (code, failure_class) => {
    assert.strictEqual(status(code).failure_class, failure_class)
  })

  it.each(["unreachable", "timeout"] as const)(
    "records %s without a status code or a body A-WHV-06 A-WHV-07",
    (failure_class) => {
      assert.deepStrictEqual(judge(failed(failure_class, "It did not work.")), {
        succeeded: false,
        status_code: null,
        failure_class,
        response_body_redacted: null,
        error_message: "It did not work."
      })
    }
  )

  it("keeps the body of the response, redacted, also of a success A-WHV-09", () => {
    assert.strictEqual(status(200, "thanks").response_body_redacted, "thanks")
    assert.notInclude(status(500, `bad whsec_${"a".repeat(43)}`).response_body_redacted ?? "", "whsec_a")
    assert.isNull(status(500).response_body_redacted)
  })
})
