import { createHmac } from "node:crypto"
import { signatureHeaders } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { newStandardSecret, standardHeaders } from "@carteiro/runtime/webhooks/endpoint/StandardSignature.ts"
import { CarteiroSignatureError, type WebhookHeaders, webhooks } from "@carteiro/sdk"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { assert, describe, it } from "vitest"

const secret = `whsec_${"A".repeat(43)}`
const bytesOf = (text: string) => new TextEncoder().encode(text)
const atSeconds = 1_767_225_600

const reasonOf = (verifying: Promise<unknown>) =>
  verifying.then(
    () => "verified",
    (error: unknown) => (error instanceof CarteiroSignatureError ? error.reason : String(error))
  )

describe("webhooks.verify", () => {
  it("accepts what the server signs, and returns the event A-SIG-07 A-SIG-10", () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (data, suffix) => {
        const raw = JSON.stringify({ id: "evt_1", type: "message.sent", data })
        const key = `whsec_${suffix}`
        const headers = signatureHeaders(key, "evt_1", atSeconds * 1000 + 999, raw)
        const event = await webhooks.verify(bytesOf(raw), { ...headers }, [secret, key], { nowSeconds: atSeconds })
        // Integers that a number cannot hold keep their digits, so the texts are compared.
        assert.strictEqual(JSON.stringify(event), raw)
      })
    ))

  it("refuses every other byte, secret or timestamp A-SIG-11", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (raw, at, flip) => {
          const signed = { ...signatureHeaders(secret, "evt_1", atSeconds * 1000, raw) }
          const bytes = bytesOf(raw)
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip
          const options = { nowSeconds: atSeconds }
          assert.strictEqual(await reasonOf(webhooks.verify(bytes, signed, secret, options)), "signature_mismatch")
          const later = { ...signed, "svc-webhook-timestamp": String(atSeconds + 1) }
          assert.strictEqual(
            await reasonOf(webhooks.verify(bytesOf(raw), later, secret, options)),
            "signature_mismatch"
          )
          assert.strictEqual(
            await reasonOf(webhooks.verify(bytesOf(raw), signed, `${secret}b`, options)),
            "signature_mismatch"
          )
        }
      )
    ))

  it("refuses a timestamp outside the tolerance, past or future A-SIG-12", async () => {
    const headers = { ...signatureHeaders(secret, "evt_1", atSeconds * 1000, "{}") }
    const at = (nowSeconds: number, toleranceSeconds?: number) =>
      reasonOf(webhooks.verify(bytesOf("{}"), headers, secret, { nowSeconds, toleranceSeconds }))
    assert.strictEqual(await at(atSeconds + 300), "verified")
    assert.strictEqual(await at(atSeconds - 300), "verified")
    assert.strictEqual(await at(atSeconds + 301), "timestamp_outside_tolerance")
    assert.strictEqual(await at(atSeconds - 301), "timestamp_outside_tolerance")
    assert.strictEqual(await at(atSeconds + 11, 10), "timestamp_outside_tolerance")
    assert.strictEqual(await at(atSeconds, Number.NaN), "timestamp_outside_tolerance")
  })

  it("refuses missing and malformed headers and bodies that are not JSON A-SIG-12", async () => {
    const headers: Record<string, string> = { ...signatureHeaders(secret, "evt_1", atSeconds * 1000, "{") }
    const given = (more: Record<string, string>, raw = "{") =>
      reasonOf(webhooks.verify(bytesOf(raw), { ...headers, ...more }, secret, { nowSeconds: atSeconds }))
    for (const name of Object.keys(headers)) assert.strictEqual(await given({ [name]: "" }), "missing_header")
    assert.strictEqual(await given({ "svc-webhook-timestamp": "1e9" }), "malformed_timestamp")
    const upper = (headers["svc-webhook-signature"] ?? "").toUpperCase()
    assert.strictEqual(await given({ "svc-webhook-signature": upper }), "malformed_signature")
    assert.strictEqual(await given({}), "malformed_body")
    assert.match(await reasonOf(webhooks.verify("{" as never, headers, secret)), /TypeError/)
  })

  it("reads headers of a gateway, a framework or fetch, and refuses repeated ones", async () => {
    const { "svc-webhook-id": id, ...rest } = await webhooks.sign("{}", secret)
    const given = (headers: WebhookHeaders) => reasonOf(webhooks.verify(bytesOf("{}"), headers, secret))
    assert.strictEqual(await given({ ...rest, "Svc-Webhook-Id": id }), "verified")
    assert.strictEqual(await given({ ...rest, "svc-webhook-id": [id] }), "verified")
    assert.strictEqual(await given(new Map(Object.entries({ ...rest, "svc-webhook-id": id }))), "verified")
    assert.strictEqual(await given({ ...rest, "svc-webhook-id": [id, id] }), "missing_header")
    assert.strictEqual(await given({ ...rest, "svc-webhook-id": id, "Svc-Webhook-Id": id }), "missing_header")
  })

  it("names the mistake of a receiver: a parsed, missing or empty body, no secret, one with a line break", async () => {
    const headers = await webhooks.sign("{}", secret)
    const messageOf = (rawBody: unknown, secrets: unknown = secret, sent: unknown = headers) =>
      webhooks.verify(rawBody as Uint8Array, sent as WebhookHeaders, secrets as string).then(
        () => "verified",
        (error: Error) => error.message
      )
    assert.match(await messageOf({ id: "evt_1" }), /got a parsed object: verify before anything parses the body/)
    assert.match(await messageOf([1]), /got a list: verify before/)
    assert.match(await messageOf(undefined), /rawBody is missing/)
    assert.match(await messageOf(null), /rawBody is missing/)
    assert.match(await messageOf(new Uint8Array()), /the body is empty/)
    assert.match(await messageOf("{}"), /not text: read the body as a buffer/)
    assert.match(await messageOf(new Request("https://a.example", { method: "POST", body: "{}" })), /not a stream/)
    assert.match(await messageOf(bytesOf("{}"), null), /secrets must not be empty: is the variable/)
    assert.match(await messageOf(bytesOf("{}"), [secret, undefined]), /secrets must not be empty: is the variable/)
    assert.match(await messageOf(bytesOf("{}"), `${secret}\n`), /a secret contains a line break: trim/)
    assert.match(await messageOf(bytesOf("{}"), 7), /a secret must be text, got a number/)
    assert.match(await messageOf(bytesOf("{}"), secret, null), /headers must be the headers of the request/)
    assert.strictEqual(await messageOf(bytesOf("{}"), secret, new Headers(headers)), "verified")
    assert.strictEqual(await messageOf(new DataView(bytesOf("{}").buffer)), "verified")
    assert.match(await messageOf(Promise.resolve(bytesOf("{}"))), /not a promise of them: await it first/)
    for (const around of [` ${secret}`, `${secret} `, `"${secret}"`, `'${secret}'`])
      assert.match(await messageOf(bytesOf("{}"), [`${secret}b`, around]), /a blank or a quotation mark around it/)
    assert.match(await messageOf(bytesOf("{}"), "svc_sbx_a"), /is an API key: pass the signing_secret/)
    assert.match(await messageOf(bytesOf("{}"), `${secret}b`), /signature mismatch$/)
    assert.match(await messageOf(bytesOf("{}"), secret, new Request("https://a.example")), /pass all headers of the/)
    assert.strictEqual(await reasonOf(webhooks.verify({} as never, headers, secret)), "parsed_body")
    assert.strictEqual(await reasonOf(webhooks.verify(undefined as never, headers, secret)), "missing_body")
  })

  it("refuses an empty secret, under which anyone could sign A-SIG-12", async () => {
    const headers = await webhooks.sign("{}", secret)
    for (const secrets of ["", [], [secret, ""]])
      assert.match(await reasonOf(webhooks.verify(bytesOf("{}"), headers, secrets)), /TypeError: secrets must not/)
  })

  it("accepts the Standard Webhooks headers alone, or beside the API's own (gaps-1 J)", () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.uint8Array({ minLength: 24, maxLength: 64 }), async (data, bytes) => {
        const raw = JSON.stringify({ id: "evt_1", type: "message.sent", data })
        const key = newStandardSecret(bytes)
        const secrets = { present: key, previous: undefined }
        const headers = { ...standardHeaders(secrets, "evt_1", atSeconds * 1000, raw) }
        const verify = (more: Record<string, string>, keys: ReadonlyArray<string>) =>
          reasonOf(webhooks.verify(bytesOf(raw), { ...headers, ...more }, keys, { nowSeconds: atSeconds }))
        const own = { ...signatureHeaders(secret, "evt_1", atSeconds * 1000, raw) }
        assert.strictEqual(await verify({}, [secret, key]), "verified")
        assert.strictEqual(await verify(own, [key]), "verified")
        assert.strictEqual(await verify(own, [secret]), "verified")
        assert.strictEqual(await verify({}, [secret]), "signature_mismatch")
        assert.strictEqual(await verify({ "webhook-id": "evt_2" }, [key]), "signature_mismatch")
        assert.strictEqual(await verify({ "webhook-timestamp": String(atSeconds + 1) }, [key]), "signature_mismatch")
        assert.strictEqual(
          await verify({ "webhook-timestamp": String(atSeconds - 301) }, [key]),
          "timestamp_outside_tolerance"
        )
        assert.strictEqual(await verify({ "webhook-signature": "v1a,AAAA" }, [key]), "malformed_signature")
        assert.strictEqual(await verify({ "webhook-id": "" }, [key]), "missing_header")
      })
    ))

  it("refuses a Standard Webhooks secret without key bytes, with which anyone could sign", async () => {
    const mac = createHmac("sha256", "").update(`evt_1.${atSeconds}.{}`).digest("base64")
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(atSeconds), "webhook-signature": `v1,${mac}` }
    for (const key of ["whsec_", secret, "whsec_AAAA"]) {
      const verifying = webhooks.verify(bytesOf("{}"), headers, key, { nowSeconds: atSeconds })
      assert.strictEqual(await reasonOf(verifying), "signature_mismatch", key)
      assert.match(await reasonOf(webhooks.signStandard("{}", key)), /TypeError/)
    }
  })

  it("signs as Standard Webhooks specifies, also during a rotation, and the public library verifies it", async () => {
    const [old, fresh] = [1, 2].map((byte) => newStandardSecret(new Uint8Array(32).fill(byte))) as [string, string]
    const headers = await webhooks.signStandard('{"id":"evt_1"}', [fresh, old], { id: "evt_1" })
    for (const key of [old, fresh]) {
      assert.deepStrictEqual(new Webhook(key).verify('{"id":"evt_1"}', headers), { id: "evt_1" })
      assert.strictEqual(await reasonOf(webhooks.verify(bytesOf('{"id":"evt_1"}'), headers, key)), "verified")
    }
  })

  it("accepts signatures of sign, for tests of a receiver", async () => {
    const headers = await webhooks.sign("{}", secret)
    assert.deepStrictEqual((await webhooks.verify(bytesOf("{}"), new Headers(headers), secret)) as unknown, {})
  })
})
