import { makeSecret, parseSecret, presentedSecret, secretBytes } from "@carteiro/runtime/access/keys/ApiKeySecret.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { bytes } from "./Arbitraries.ts"

const kinds = fc.constantFrom("sandbox" as const, "production" as const)
const made = fc.tuple(kinds, bytes(secretBytes)).map(([kind, random]) => makeSecret(kind, random))

describe("ApiKeySecret", () => {
  it("every new secret has the documented form and parses to itself A-CONV-02", () => {
    fc.assert(
      fc.property(kinds, bytes(secretBytes), (kind, random) => {
        const secret = makeSecret(kind, random)
        assert.match(secret.secret, kind === "production" ? /^svc_live_[0-9A-Za-z]{38}$/ : /^svc_sbx_[0-9A-Za-z]{38}$/)
        assert.strictEqual(secret.key_prefix, secret.secret.slice(0, kind === "production" ? 17 : 16))
        assert.deepStrictEqual(parseSecret(secret.secret), secret)
      })
    )
  })

  it("no secret with one character changed parses A-AUTH-04", () => {
    fc.assert(
      fc.property(made, fc.nat(37), fc.constantFrom("a", "Z", "7", "-", " "), ({ secret }, at, character) => {
        const index = secret.length - 38 + at
        fc.pre(secret[index] !== character)
        assert.isUndefined(parseSecret(secret.slice(0, index) + character + secret.slice(index + 1)))
      })
    )
  })

  it("a changed marker does not move a secret to the other environment A-AUTH-04 A-AUTH-07", () => {
    fc.assert(
      fc.property(made, ({ secret }) => {
        const other = secret.startsWith("svc_live_")
          ? secret.replace("svc_live_", "svc_sbx_")
          : secret.replace("svc_sbx_", "svc_live_")
        assert.isUndefined(parseSecret(other))
      })
    )
  })

  it("no other text parses A-AUTH-04", () => {
    for (const text of ["", "svc_live_", "sk_live_abc", `svc_live_${"0".repeat(38)}`, `svc_sbx_${"a".repeat(400)}`]) {
      assert.isUndefined(parseSecret(text), text)
    }
    fc.assert(fc.property(fc.string(), (text) => assert.isUndefined(parseSecret(text))))
  })

  it("ends in a CRC-32 of its text, so that secrets of every release stay valid", () => {
    const { secret } = makeSecret("production", new Uint8Array(secretBytes))
    assert.strictEqual(secret, "svc_live_000000000000000000000000000000003uclD9")
  })
})

describe("The Authorization header", () => {
  it("one Bearer header in any case presents the key A-AUTH-01", () => {
    fc.assert(
      fc.property(made, fc.constantFrom("Bearer", "bearer", "BEARER", "bEaReR"), (secret, scheme) => {
        assert.deepStrictEqual(presentedSecret([`${scheme} ${secret.secret}`]), secret)
      })
    )
  })

  it.each<[string, (secret: string) => ReadonlyArray<string>]>([
    ["no header A-AUTH-03", () => []],
    ["an empty header A-AUTH-03", () => [""]],
    ["the scheme alone A-AUTH-04", () => ["Bearer"]],
    ["another scheme A-AUTH-04", (secret) => [`Basic ${secret}`]],
    ["no scheme A-AUTH-04", (secret) => [secret]],
    ["two headers A-AUTH-04", (secret) => [`Bearer ${secret}`, `Bearer ${secret}`]],
    ["two keys in one header A-AUTH-04", (secret) => [`Bearer ${secret}, Bearer ${secret}`]],
    ["a quoted key A-AUTH-04", (secret) => [`Bearer "${secret}"`]]
  ])("%s presents nothing", (_, headers) => {
    assert.isUndefined(presentedSecret(headers(makeSecret("sandbox", new Uint8Array(secretBytes)).secret)))
  })
})
