import { withoutSecrets } from "@carteiro/runtime/cli/doctor/PlatformExamination.ts"
import {
  limitFinding,
  registrationFinding,
  tokenFinding,
  webhookFinding
} from "@carteiro/runtime/cli/doctor/PlatformFindings.ts"
import { refusalFinding } from "@carteiro/runtime/cli/doctor/PlatformRefusals.ts"
import { assert, describe, it } from "@effect/vitest"

const day = 86_400_000
const facts = { app_id: "1", is_valid: true, expires_at: null, biz_account_ids: ["2001"], portfolio_ids: [] }
const token = (change: Partial<typeof facts> | { readonly expires_at: number }) =>
  tokenFinding(
    "account 2001",
    { appId: "1", bizAccountId: "2001", now: 0 },
    { _tag: "Done", value: { ...facts, ...change } }
  )

const refusal = (code: number | null, message = "No.") =>
  refusalFinding("The templates", {
    _tag: "Refused",
    code: "upstream_rejected",
    error: { provider: "upstream", code, subcode: 33, title: null, message, http_status: 400 }
  })

const number = { id: "pn_1", phone: "+551140028922", upstream_phone_number_id: "1001", registration_state: null }
const health = {
  verified_name: null,
  quality_rating: "green",
  upstream_quality_rating: "GREEN",
  messaging_limit_tier: null,
  is_portfolio_limit: false,
  upstream_throughput_tier: null,
  pending_name: null,
  name_status: null,
  is_registered: null,
  is_on_phone_app: false
} as const

describe("what doctor --platform says", () => {
  it("of a token: whose it is, whether it was granted the account, when it ends U-CON-04", () => {
    assert.strictEqual(token({}).status, "ok")
    assert.match(token({ app_id: "2" }).found, /one of the app 2, and this installation is the app 1/)
    assert.match(token({ biz_account_ids: ["3"] }).found, /was not granted this account/)
    assert.strictEqual(token({ biz_account_ids: [] }).status, "ok", "a grant on everything names no account")
    assert.deepStrictEqual(
      [token({ expires_at: 2 * day }).status, token({ expires_at: 60 * day }).status],
      ["attention", "ok"]
    )
  })

  it("of a refusal: its number and subcode, what to do, and the setting of a refused proof U-CON-05", () => {
    const found = refusal(100)
    assert.strictEqual(found.found, "The templates cannot be read: the platform answers 100 (No.; subcode 33).")
    assert.include(refusal(100, "Invalid appsecret_proof provided").remedy, "CARTEIRO_UPSTREAM_APP_SECRET")
    assert.deepStrictEqual(
      [refusal(4).status, refusal(999_999).status, refusal(null).status],
      ["unknown", "wrong", "wrong"]
    )
    for (const code of [3, 10, 100, 190, 200, 368, 131005, 133010, 999_999]) assert.isNotEmpty(refusal(code).remedy)
  })

  it("of a number: what the platform does not tell is unknown, or taken for granted U-LIM-01", () => {
    assert.strictEqual(registrationFinding(number, { _tag: "Done", value: health }).status, "unknown")
    assert.match(limitFinding(number, { _tag: "Done", value: health }).found, /250 new recipients a day/)
  })

  it("of the handshake: silence, a refused token, another program", () => {
    const status = (answer: Parameters<typeof webhookFinding>[1]) => webhookFinding("https://a.test", answer).found
    assert.match(status({ _tag: "Silent" }), /^Nothing answers/)
    assert.match(status({ _tag: "Answered", status: 403, isChallenge: false }), /\(403\)/)
    assert.match(status({ _tag: "Answered", status: 200, isChallenge: false }), /answers 200 in place/)
    assert.match(status({ _tag: "Answered", status: 200, isChallenge: true }), /succeeds/)
  })

  it("never repeats a secret that the platform's own words hold", () => {
    const finding = { check: "token", ...refusal(190, "Cannot parse access token EAAsecret") }
    const shown = withoutSecrets(finding, ["EAAsecret", ""])
    assert.include(shown.found, "token [secret]")
    assert.strictEqual(shown.remedy, finding.remedy)
  })
})
