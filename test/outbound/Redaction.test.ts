import {
  isSensitiveKey,
  redactMap,
  redactResponseBody,
  redactText,
  unsafeToStore
} from "@carteiro/runtime/telemetry/Redaction.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxwRJSMeKKF2QT4"
const bytes = (text: string) => new TextEncoder().encode(text)

const secrets: ReadonlyArray<readonly [string, string]> = [
  ["svc_live_abcdefghijklmnopqrstuvwxyz012345A1b2C3", "an API key of production A-FBK-22"],
  ["svc_sbx_0123456789abcdef", "an API key of a sandbox A-FBK-22"],
  ["Bearer abcd.efgh", "a bearer token A-FBK-23"],
  ["bEaReR   a_-~+/12==", "a bearer token in any case A-FBK-23"],
  [`whsec_${"a-_Z".repeat(10)}`, "a webhook secret"],
  [`dvc_${"a-_Z".repeat(10)}`, "a device code"],
  [jwt, "a JWT"],
  [`${jwt}.a.b`, "an encrypted token"]
]

const fragment = fc.oneof(
  fc.constantFrom(
    ...secrets.map(([secret]) => secret),
    "svc_live_",
    "svc_sbx_",
    "Bearer ",
    "bearer%20",
    "whsec_",
    "dvc_",
    "eyJ",
    ".",
    "://",
    ":\\/\\/",
    "@",
    "user:pass@",
    "/v1/media/blobs/",
    "https://",
    "[REDACTED]",
    "abcdefgh12345678",
    " ",
    "/"
  ),
  fc.string({ unit: "binary", maxLength: 6 })
)

describe("Redaction (gaps-1 H)", () => {
  for (const [secret, name] of secrets) {
    it(`redacts ${name}`, () => {
      assert.deepStrictEqual(redactText(`a ${secret} b`), { text: "a [REDACTED] b", redacted: true })
      assert.deepStrictEqual(redactText(`k="${secret}"`), { text: 'k="[REDACTED]"', redacted: true })
    })
  }

  it("redacts userinfo and blob tokens in URLs and keeps the rest", () => {
    assert.strictEqual(redactText("see https://u:p@w@a.b/x?q=c@d").text, "see https://[REDACTED]@a.b/x?q=c@d")
    assert.strictEqual(redactText('{"u":"https:\\/\\/u:p@a.b\\/x"}').text, '{"u":"https:\\/\\/[REDACTED]@a.b\\/x"}')
    assert.strictEqual(redactText("http://h/v1/media/blobs/ab.c-d?x").text, "http://h/v1/media/blobs/[REDACTED]?x")
    assert.strictEqual(redactText("//h%2Fv1%2Fmedia%2Fblobs%2Fabc").text, "//h%2Fv1%2Fmedia%2Fblobs%2F[REDACTED]")
  })

  it("leaves ordinary text unchanged", () => {
    for (const text of [
      "The bearer of news said eyJ... and left.",
      "svc_live_short",
      "https://example.com/@user mail a@b.c",
      "svc_test_abcdefghijklmnopqrst",
      "[REDACTED] https://[REDACTED]@a.b",
      ""
    ]) {
      assert.deepStrictEqual(redactText(text), { text, redacted: false })
    }
  })

  it("never leaves a match of a pattern", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
        const once = redactText(parts.join(""))
        assert.deepStrictEqual(redactText(once.text), { text: once.text, redacted: false })
        for (const pattern of [/svc_(live|sbx)_[A-Za-z0-9]{16}/, /bearer\s+[\w.~+/-]{8}/i, /whsec_\w/, /dvc_\w/]) {
          assert.notMatch(once.text, pattern)
        }
        assert.notMatch(once.text, /eyJ[\w-]*\.[\w-]+\.[\w-]+/)
      }),
      { numRuns: 3000 }
    )
  })

  it("redacts values of sensitive keys whatever they are A-FBK-24", () => {
    for (const key of [
      "Authorization",
      "X-Api-Key",
      "api_key",
      "refreshToken",
      "SET-COOKIE",
      "db_passwd",
      "private-key",
      "ClientSecret",
      "PASSWORD_2",
      "my credentials",
      "svc-webhook-signature",
      "a-p-i_k_e-y"
    ]) {
      assert.isTrue(isSensitiveKey(key), key)
      assert.deepStrictEqual(redactMap({ [key]: "x", other: "y" }), {
        values: { [key]: "[REDACTED]", other: "y" },
        redacted: true
      })
    }
    for (const key of ["status", "key", "author", "pass"]) assert.isFalse(isSensitiveKey(key), key)
    assert.deepStrictEqual(redactMap({ status: "ok" }), { values: { status: "ok" }, redacted: false })
  })

  it("refuses text that cannot be redacted safely A-FBK-20", () => {
    for (const text of ["-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----", "a\u0000b", "\ud800"]) {
      assert.isTrue(unsafeToStore(text), JSON.stringify(text))
      assert.isUndefined(redactMap({ note: text }))
      assert.isUndefined(redactMap({ [text]: "note" }))
    }
    assert.isUndefined(redactMap({ svc_live_0123456789abcdef: "x" }))
    assert.isFalse(unsafeToStore("-----BEGIN PUBLIC KEY-----"))
    assert.deepStrictEqual(Object.keys(redactMap(JSON.parse('{"__proto__":"x"}'))?.values ?? {}), ["__proto__"])
  })

  it("keeps the first 1024 characters of an answer after redaction A-WHV-09", () => {
    assert.isNull(redactResponseBody(null))
    assert.isNull(redactResponseBody(new Uint8Array()))
    assert.strictEqual(redactResponseBody(bytes("a".repeat(2000))), "a".repeat(1024))
    assert.strictEqual(redactResponseBody(bytes("😀".repeat(2000))), "😀".repeat(1024))
    assert.strictEqual(redactResponseBody(bytes(`${"a".repeat(1010)} ${jwt}`)), `${"a".repeat(1010)} [REDACTED]`)
    assert.strictEqual(redactResponseBody(Uint8Array.of(0x61, 0xff, 0, 0xc3)), "a\ufffd\ufffd\ufffd")
    assert.strictEqual(redactResponseBody(bytes("key -----BEGIN EC PRIVATE KEY-----\nMHc")), "key [REDACTED]")
  })

  it("makes a storable text of any answer A-WHV-09", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.array(fragment, { maxLength: 8 }), (raw, parts) => {
        const text = redactResponseBody(Buffer.concat([bytes(parts.join("")), raw])) ?? ""
        assert.isTrue([...text].length <= 1024)
        assert.isFalse(unsafeToStore(text))
      })
    )
  })

  it("takes time linear in the text, whatever it repeats", () => {
    const repeats = [
      "eyJ",
      "eyJ.",
      "bearer ",
      "://",
      "://a",
      "a:",
      "@",
      "svc_live_",
      "blobs/",
      "-----BEGIN A ",
      " ",
      "a."
    ]
    for (const part of repeats) {
      // Quadratic work on two million characters would outlast the test's time limit many times over.
      const text = part.repeat(Math.ceil(2_000_000 / part.length))
      redactText(text)
      unsafeToStore(text)
    }
  })
})
