import { afterRefusal, type Refusals } from "@carteiro/runtime/messages/facts/SendRetry.ts"
import { allowanceOf, estimatePacing, remainingAllowance } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { SlotLedger } from "@carteiro/runtime/messages/pacing/SlotLedger.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const day = 86_400_000

describe("the allowance of a number", () => {
  it("is its tier less a margin and a part for its quality M-PHN-16 M-PHN-17, gaps-2 D Daily new-recipient allowance", () => {
    const rows = [
      ["tier_50", "green", 45],
      ["tier_50", "red", 22],
      ["tier_250", "yellow", 157],
      ["tier_1k", "green", 900],
      ["tier_1k", "unknown", 720],
      ["tier_2k", "yellow", 1260],
      ["tier_10k", "red", 4500],
      ["tier_100k", "green", 90_000]
    ] as const
    for (const [tier, quality, allowed] of rows) assert.strictEqual(allowanceOf(tier, quality), allowed)
  })

  it("is low while the tier is unknown, and none for an unlimited one M-PHN-19", () => {
    assert.strictEqual(allowanceOf("unknown", "green"), 225)
    assert.strictEqual(allowanceOf("TIER_NEW", "unknown"), 180)
    assert.isUndefined(allowanceOf("unlimited", "red"))
  })

  it("shows null when it is unknown, and zero only when none is left M-PHN-15 M-PHN-18", () => {
    const number = { status: "active", messaging_tier: "tier_50", quality_rating: "green" } as const
    assert.strictEqual(remainingAllowance(number, 0), 45)
    assert.strictEqual(remainingAllowance(number, 45), 0)
    assert.strictEqual(remainingAllowance(number, 60), 0)
    assert.isNull(remainingAllowance(number, undefined))
    assert.isNull(remainingAllowance({ ...number, status: "disconnected" }, 0))
    assert.isNull(remainingAllowance({ ...number, messaging_tier: "unlimited" }, 3))
  })
})

describe("the pacing estimate of a batch", () => {
  it("counts the recipients that wait and the windows they need M-BAT-03 M-BAT-04 M-BAT-05, gaps-2 D Batch pacing estimate", () => {
    const of = (newRecipients: number, used = 0, held = 0) =>
      estimatePacing({ allowance: 45, used, held, newRecipients })
    assert.deepStrictEqual(of(45), { deferred_recipient_count: 0, estimated_windows: 1 })
    assert.deepStrictEqual(of(46), { deferred_recipient_count: 1, estimated_windows: 2 })
    assert.deepStrictEqual(of(90, 45), { deferred_recipient_count: 90, estimated_windows: 3 })
    assert.deepStrictEqual(of(10, 30, 10), { deferred_recipient_count: 5, estimated_windows: 2 })
    assert.deepStrictEqual(of(0, 60), { deferred_recipient_count: 0, estimated_windows: 1 })
  })

  it("is null without a limit M-BAT-07", () => {
    assert.isNull(estimatePacing({ allowance: undefined, used: 3, held: 0, newRecipients: 10 }))
  })
})

/** The expected state of the ledger, computed from every slot. */
class Naive {
  slots: Array<{ readonly key: string; readonly until: number }> = []
  live(now: number) {
    return new Set(this.slots.filter(({ until }) => until > now).map(({ key }) => key))
  }
}

const commands = fc.array(
  fc.oneof(
    fc.record({ _tag: fc.constant("turn" as const), key: fc.integer({ min: 0, max: 30 }), wants: fc.boolean() }),
    fc.record({ _tag: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: day }) }),
    fc.record({ _tag: fc.constant("release" as const) }),
    fc.record({ _tag: fc.constant("giveBack" as const), at: fc.nat() })
  ),
  { maxLength: 200 }
)

describe("slots", () => {
  it("never exceed the allowance in any 24 hours, and open exactly when one is free, gaps-2 D Which sends use a slot", () => {
    fc.assert(
      fc.property(commands, fc.integer({ min: 1, max: 12 }), (steps, allowance) => {
        const ledger = new SlotLedger({ expiries: [], held: [], released: [] })
        const naive = new Naive()
        const waiting: Array<{ readonly id: string; readonly key: string }> = []
        let now = 0
        let id = 0
        for (const step of steps) {
          const live = naive.live(now)
          assert.strictEqual(ledger.used(now), live.size)
          switch (step._tag) {
            case "wait":
              now += step.ms
              break
            case "turn": {
              const key = `k${step.key}`
              const asked = { id: `m${id++}`, customer_key: key, needsSlot: step.wants, slotted: live.has(key) }
              const [turn] = ledger.takeTurns([asked], allowance, now)
              const mayOpen = live.size < allowance && waiting.length === 0
              assert.strictEqual(turn, !step.wants ? "free" : live.has(key) ? "use" : mayOpen ? "take" : "hold")
              if (turn === "take") naive.slots.push({ key, until: now + day })
              if (turn === "hold") waiting.push({ id: asked.id, key })
              break
            }
            case "release": {
              // Oldest first, each with its slot before the next turn.
              for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
                const slotted = naive.live(now).has(head.key)
                if (!slotted && ledger.free(allowance, now) === 0) break
                waiting.shift()
                ledger.release(head.id, head.key, !slotted)
                const asked = { id: head.id, customer_key: head.key, needsSlot: true, slotted }
                const [turn] = ledger.takeTurns([asked], allowance, now)
                assert.strictEqual(turn, slotted ? "use" : "take")
                if (turn === "take") naive.slots.push({ key: head.key, until: now + day })
              }
              break
            }
            case "giveBack": {
              const alive = naive.slots.filter(({ until }) => until > now)
              const given = alive[step.at % Math.max(1, alive.length)]
              if (given === undefined) break
              naive.slots = naive.slots.filter((slot) => slot !== given)
              ledger.giveBack(given.until)
            }
          }
          assert.isAtMost(naive.live(now).size, allowance)
          assert.strictEqual(ledger.heldRecipients, new Set(waiting.map(({ key }) => key)).size)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("promised to a released message are given to no other, gaps-2 D How pacing holds and releases", () => {
    const ledger = new SlotLedger({ expiries: [], held: [["old", 1]], released: [] })
    ledger.release("m1", "old", true)
    const fresh = { id: "m2", customer_key: "new", needsSlot: true, slotted: false }
    assert.deepStrictEqual(ledger.takeTurns([fresh], 1, 0), ["hold"])
    const old = { id: "m1", customer_key: "old", needsSlot: true, slotted: false }
    assert.deepStrictEqual(ledger.takeTurns([old], 1, 0), ["take"])
    assert.strictEqual(ledger.used(0), 1)
  })

  it("show at acceptance which message will wait: live slots and held recipients fill the allowance M-MSG-07", () => {
    const ledger = new SlotLedger({ expiries: [day], held: [["held", 2]], released: [] })
    assert.isTrue(ledger.holdsAtAccept("new", false, 2, 0))
    assert.isFalse(ledger.holdsAtAccept("new", false, 3, 0))
    assert.isFalse(ledger.holdsAtAccept("held", false, 2, 0))
    assert.isFalse(ledger.holdsAtAccept("slotted", true, 2, 0))
    assert.isFalse(ledger.holdsAtAccept("new", false, undefined, 0))
    assert.isFalse(ledger.holdsAtAccept("new", false, 2, day))
  })
})

describe("temporary refusals", () => {
  const never: Refusals = { refusals: 0, refused_by: null, refused_since: null }
  const run = (reason: "transient" | "throughput" | "pair", jitter = 0) => {
    const seconds: Array<number> = []
    let [state, now] = [never, 0]
    for (;;) {
      const after = afterRefusal(state, { reason, reached: true, code: "upstream_rejected" }, jitter, now)
      if (after._tag === "Fail") return { seconds, code: after.code }
      seconds.push((after.at - now) / 1000)
      ;[state, now] = [after.refusals, after.at]
    }
  }

  it("are retried 1, 2, 4, 8, 16, 32 seconds later and then fail with their code, gaps-2 E Retry policy", () => {
    assert.deepStrictEqual(run("transient"), { seconds: [1, 2, 4, 8, 16, 32], code: "upstream_rejected" })
    assert.deepStrictEqual(run("transient", 1).seconds, [1.25, 2.5, 5, 10, 20, 40])
  })

  it("for throughput are retried after at most a minute and fail after 15 minutes M-DLV-06, gaps-2 D Throughput exhaustion", () => {
    const { code, seconds } = run("throughput")
    assert.deepStrictEqual(seconds.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60])
    assert.strictEqual(code, "phone_number_rate_limit_exhausted")
    assert.isAtLeast(
      seconds.reduce((sum, one) => sum + one, 0),
      900
    )
    assert.isBelow(
      seconds.slice(0, -1).reduce((sum, one) => sum + one, 0),
      900
    )
    assert.deepStrictEqual(run("pair").seconds.slice(0, 4), [6, 24, 96, 96])
  })

  it("for throughput have 15 minutes in all, whichever limit it was M-DLV-06", () => {
    const first = afterRefusal(never, { reason: "pair", reached: true, code: "upstream_rejected" }, 0, 0)
    if (first._tag !== "Retry") throw new Error("it is tried again")
    const late = afterRefusal(
      first.refusals,
      { reason: "throughput", reached: true, code: "upstream_rejected" },
      0,
      900_000
    )
    assert.deepStrictEqual(late, { _tag: "Fail", code: "phone_number_rate_limit_exhausted" })
  })
})
