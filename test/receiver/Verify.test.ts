import { createHmac } from "node:crypto"
import { signWebhook, type VerifyOptions, verifyWebhook } from "@carteiro/receiver/verify.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const secret = `whsec_${"A".repeat(43)}`
const now = 1_767_225_600
const body = Buffer.from('{"id":"evt_1","type":"message.received","data":{"text":"olá"}}')

const signed = (more: Partial<VerifyOptions> = {}, timestamp = `${now}`): VerifyOptions => ({
  headers: {
    "svc-webhook-id": "evt_1",
    "svc-webhook-timestamp": timestamp,
    "svc-webhook-signature": signWebhook(secret, timestamp, body)
  },
  rawBody: body,
  secrets: [secret],
  nowSeconds: now,
  ...more
})

const reasonOf = (options: VerifyOptions) => {
  const result = verifyWebhook(options)
  return result.verified ? "verified" : result.reason
}

describe("verifyWebhook", () => {
  it("signs with HMAC-SHA256 over timestamp, dot and raw body, in lowercase hex A-SIG-09 A-SIG-10", () => {
    const expected = createHmac("sha256", secret).update(`${now}.${body.toString()}`).digest("hex")
    assert.strictEqual(signWebhook(secret, `${now}`, body), expected)
    assert.strictEqual(
      signWebhook("whsec_key", "1700000000", Buffer.from("{}")),
      "bfdd020b0e5c78488e2eb7c57161338519524f24714a6ba86c4224c4b6981a9d"
    )
  })

  it("trusts a delivery signed with the endpoint's secret A-SIG-07 A-SIG-08", () => {
    assert.deepStrictEqual(verifyWebhook(signed()), { verified: true, id: "evt_1", timestamp: now })
    assert.strictEqual(reasonOf(signed({ secrets: ["whsec_other", secret] })), "verified")
    assert.strictEqual(reasonOf(signed({ secrets: [secret, "whsec_other"] })), "verified")
  })

  it("refuses another secret, or none A-SIG-10", () => {
    assert.strictEqual(reasonOf(signed({ secrets: ["whsec_other"] })), "signature_mismatch")
    assert.strictEqual(reasonOf(signed({ secrets: [] })), "signature_mismatch")
    assert.strictEqual(reasonOf(signed({ secrets: [secret.slice(6)] })), "signature_mismatch")
  })

  it("refuses any other bytes, even equal JSON A-SIG-11", () => {
    const respaced = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1))
    assert.strictEqual(reasonOf(signed({ rawBody: respaced })), "signature_mismatch")
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(body)
        changed[at] = (changed[at] ?? 0) ^ change
        assert.strictEqual(reasonOf(signed({ rawBody: changed })), "signature_mismatch")
      })
    )
  })

  it("takes a timestamp up to the tolerance in the past and the future, and no further A-SIG-12", () => {
    for (const [offset, tolerance] of [
      [300, undefined],
      [10, 10],
      [0, 0]
    ] as const) {
      const within = tolerance === undefined ? {} : { toleranceSeconds: tolerance }
      for (const sign of [-1, 1]) {
        assert.strictEqual(reasonOf(signed(within, `${now + sign * offset}`)), "verified")
        const late = signed(within, `${now + sign * (offset + 1)}`)
        assert.strictEqual(reasonOf(late), "timestamp_outside_tolerance")
      }
    }
    assert.strictEqual(reasonOf(signed({ toleranceSeconds: Number.NaN })), "timestamp_outside_tolerance")
    assert.strictEqual(reasonOf(signed({}, "9".repeat(400))), "timestamp_outside_tolerance")
  })

  it("refuses a missing, empty or repeated header (gaps-1 K Verifier rules)", () => {
    for (const name of ["svc-webhook-id", "svc-webhook-timestamp", "svc-webhook-signature"]) {
      for (const value of [undefined, "", ["a", "b"]]) {
        const { headers } = signed()
        assert.strictEqual(reasonOf(signed({ headers: { ...headers, [name]: value } })), "missing_header")
      }
    }
  })

  it("refuses a timestamp that is not all digits (gaps-1 K Verifier rules)", () => {
    for (const timestamp of [`${now}.0`, ` ${now}`, `-${now}`, `+${now}`, "1e9", "0x10", "١٢٣", "now", `${now}\n`]) {
      assert.strictEqual(reasonOf(signed({}, timestamp)), "malformed_timestamp")
    }
  })

  it("refuses a signature that is not 64 lowercase hex characters (gaps-1 K Verifier rules)", () => {
    const right = signWebhook(secret, `${now}`, body)
    for (const signature of [
      right.toUpperCase(),
      right.slice(1),
      `${right}0`,
      `sha256=${right}`,
      "g".repeat(64),
      `${right}\n`
    ]) {
      const { headers } = signed()
      const options = signed({ headers: { ...headers, "svc-webhook-signature": signature } })
      // A signature of digits alone has no upper case.
      if (signature !== right) assert.strictEqual(reasonOf(options), "malformed_signature")
    }
  })

  it("takes raw bytes only (gaps-1 K Verifier rules)", () => {
    const text: unknown = body.toString()
    assert.throws(() => verifyWebhook(signed({ rawBody: text as Uint8Array })), TypeError)
  })
})
