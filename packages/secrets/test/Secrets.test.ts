import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type MasterKeys, parseMasterKeys } from "../MasterKeys.ts"
import { makeSecrets, type Purpose } from "../Secrets.ts"

const master = (byte: number) => new Uint8Array(32).fill(byte)
const secretsOf = (...masters: MasterKeys) => makeSecrets(masters)

const purpose = fc.constantFrom<Purpose>("api_key", "cursor", "idempotency_response", "webhook_secret")
const text = fc.string({ unit: "grapheme" })

describe("Secrets", () => {
  const secrets = secretsOf(master(1))

  it("opens exactly what it sealed", () => {
    fc.assert(
      fc.property(purpose, text, text, (use, plaintext, bound) => {
        assert.strictEqual(secrets.open(use, secrets.seal(use, plaintext, bound), bound), plaintext)
      })
    )
  })

  it("opens nothing for another purpose, another bound or another key", () => {
    fc.assert(
      fc.property(text, text, text, (plaintext, bound, other) => {
        fc.pre(bound !== other)
        const sealed = secrets.seal("webhook_secret", plaintext, bound)
        assert.isUndefined(secrets.open("idempotency_response", sealed, bound))
        assert.isUndefined(secrets.open("webhook_secret", sealed, other))
        assert.isUndefined(secretsOf(master(2)).open("webhook_secret", sealed, bound))
      })
    )
  })

  it("opens nothing that was altered in any byte, cut short or made up", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (plaintext, at, flip) => {
        const sealed = Uint8Array.from(secrets.seal("cookie", plaintext, "b"))
        const index = at % sealed.length
        assert.isUndefined(secrets.open("cookie", sealed.subarray(0, index), "b"))
        sealed[index] = (sealed[index] ?? 0) ^ flip
        assert.isUndefined(secrets.open("cookie", sealed, "b"))
      })
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => secrets.open("cookie", bytes, "") === undefined))
  })

  it("seals the same text differently every time", () => {
    const sealed = Array.from({ length: 500 }, () => Buffer.from(secrets.seal("cookie", "same", "b")).toString("hex"))
    assert.strictEqual(new Set(sealed).size, 500)
  })

  it("keeps opening and recognizing values of an older master key", () => {
    const old = secretsOf(master(1))
    const rotated = secretsOf(master(2), master(1))
    assert.strictEqual(rotated.open("cookie", old.seal("cookie", "kept", "b"), "b"), "kept")
    assert.strictEqual(rotated.open("cookie", rotated.seal("cookie", "new", "b"), "b"), "new")
    assert.isUndefined(old.open("cookie", rotated.seal("cookie", "new", "b"), "b"))
    assert.notDeepEqual(rotated.mac("api_key", "k"), old.mac("api_key", "k"))
    assert.deepStrictEqual(rotated.macs("api_key", "k"), [rotated.mac("api_key", "k"), old.mac("api_key", "k")])
  })

  it("derives an independent signing key per purpose, the same after a restart", () => {
    fc.assert(
      fc.property(text, (data) => {
        assert.notStrictEqual(secrets.macText("api_key", data), secrets.macText("cursor", data))
        assert.strictEqual(secretsOf(master(1)).macText("api_key", data), secrets.macText("api_key", data))
        assert.strictEqual(
          Buffer.from(secrets.mac("cursor", data)).toString("base64url"),
          secrets.macText("cursor", data)
        )
        assert.strictEqual(secrets.mac("cursor", data).length, 32)
      })
    )
  })

  it("reads master keys in hex and base64, several separated by commas, and refuses the rest", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const key = Buffer.from(bytes)
        for (const form of ["hex", "base64", "base64url"] as const) {
          const read = parseMasterKeys(`${key.toString(form)}, ${"00".repeat(32)}`)
          assert.deepStrictEqual(
            read?.map((one) => Array.from(one)),
            [Array.from(bytes), Array(32).fill(0)]
          )
        }
      })
    )
    for (const bad of ["", "short", "00".repeat(31), `${"00".repeat(32)},`, "g".repeat(64), "a".repeat(45)]) {
      assert.isUndefined(parseMasterKeys(bad), bad)
    }
  })
})
