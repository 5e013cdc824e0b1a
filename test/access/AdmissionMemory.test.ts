import { makeMemory, prune } from "@carteiro/runtime/access/admission/AdmissionMemory.ts"
import { assert, it } from "@effect/vitest"

const hours = 3_600_000
const key = (key_hash: string) => ({ key_hash, fingerprint: "same", older: undefined })

it("forgets full buckets, unreleased claims and old uses by time alone (architecture, section 9)", () => {
  const buckets = new Map([
    ["old", { level: 1, at: 0 }],
    ["new", { level: 1, at: 3 * hours }]
  ])
  const memory = makeMemory("org_1", buckets)
  memory.claims.hold("env_1", key("left"), 0)
  memory.claims.hold("env_1", key("running"), 3 * hours)
  memory.touched.set("key_old", 0).set("key_new", 3 * hours)
  prune(memory, 3 * hours)
  assert.deepStrictEqual([...memory.buckets.keys()], ["new"])
  assert.deepStrictEqual([...memory.touched.keys()], ["key_new"])
  // At the instant it was opened the claim that was forgotten no longer stands in the way; the other one does.
  assert.strictEqual(memory.claims.judge(key("left"), new Map(), 1)._tag, "Run")
  assert.strictEqual(memory.claims.judge(key("running"), new Map(), 3 * hours)._tag, "Refuse")
})

it("looks for entries to forget once a minute at most (architecture, section 9)", () => {
  const memory = makeMemory("org_1", new Map())
  prune(memory, 3 * hours)
  memory.touched.set("key_old", 0)
  prune(memory, 3 * hours + 59_999)
  assert.strictEqual(memory.touched.size, 1)
  prune(memory, 3 * hours + 60_000)
  assert.strictEqual(memory.touched.size, 0)
})
