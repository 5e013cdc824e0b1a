import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type HashedKey, judgeClaim, type OpenClaim, type StoredRecord } from "../idempotency/OpenClaims.ts"

const present = { key_hash: "present", fingerprint: "this/present" }
const older = { key_hash: "older", fingerprint: "this/older" }
const asked = { ...present, older: [older] }
const now = 1_000_000

const record = (of: HashedKey, more: Partial<StoredRecord> = {}): ReadonlyMap<string, StoredRecord> =>
  new Map([
    [
      of.key_hash,
      { ...of, status: "completed", response_status: 201, response_body: null, expires_at: now + 1, ...more }
    ]
  ])
const open = (of: HashedKey, until = now + 1): ReadonlyMap<string, OpenClaim> =>
  new Map([[of.key_hash, { fingerprint: of.fingerprint, until }]])
const none = new Map<string, never>()

const told = (claims: ReadonlyMap<string, OpenClaim>, records: ReadonlyMap<string, StoredRecord>) => {
  const verdict = judgeClaim(asked, claims, records, now)
  return verdict._tag === "Refuse" ? [verdict.reason, verdict.completed] : verdict._tag
}

describe("Claims", () => {
  for (const [name, hashed] of Object.entries({ present, older })) {
    const unlike = { ...hashed, fingerprint: "another" }

    it(`a key known under the ${name} master key replays, conflicts or waits A-IDEM-04 A-IDEM-06 A-IDEM-07 A-IDEM-08`, () => {
      assert.strictEqual(told(none, record(hashed)), "Replay")
      assert.deepStrictEqual(told(none, record(unlike)), ["conflict", true])
      assert.deepStrictEqual(told(none, record(hashed, { status: "in_progress" })), ["in_progress", false])
      assert.deepStrictEqual(told(none, record(unlike, { status: "in_progress" })), ["conflict", false])
      assert.deepStrictEqual(told(open(hashed), none), ["in_progress", false])
      assert.deepStrictEqual(told(open(unlike), none), ["conflict", false])
    })

    it(`an ended window or lease under the ${name} master key blocks nothing A-IDEM-09`, () => {
      assert.strictEqual(told(none, record(hashed, { expires_at: now })), "Run")
      assert.strictEqual(told(none, record(unlike, { expires_at: now, status: "in_progress" })), "Run")
      assert.strictEqual(told(open(hashed, now), none), "Run")
    })
  }

  it("a hash under one master key is not compared with a fingerprint under another A-IDEM-06", () => {
    assert.deepStrictEqual(told(none, record({ ...present, fingerprint: older.fingerprint })), ["conflict", true])
  })

  it("nothing under any hash runs, whatever else is stored A-IDEM-09", () => {
    fc.assert(
      fc.property(fc.string(), (key_hash) => {
        fc.pre(key_hash !== present.key_hash && key_hash !== older.key_hash)
        assert.strictEqual(told(open({ ...present, key_hash }), record({ ...present, key_hash })), "Run")
      })
    )
  })
})
