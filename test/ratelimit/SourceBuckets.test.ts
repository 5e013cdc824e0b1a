import { rateOf } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { SourceBuckets, sourceOf } from "@carteiro/runtime/ratelimit/SourceBuckets.ts"
import { assert, describe, it } from "@effect/vitest"

const rate = rateOf(2, 60, "minute")

describe("SourceBuckets", () => {
  it("takes a /64 of IPv6 for one source, in any spelling (gaps-1 M Numbers)", () => {
    const buckets = new SourceBuckets()
    const drawn = ["2001:db8:0:7::1", "2001:DB8::7:1:2:3:4", "2001:0db8:0:0007:ffff::"].map(
      (ip) => buckets.take("read", ip, rate, 0).taken
    )
    assert.deepStrictEqual(drawn, [true, true, false])
    assert.isTrue(buckets.take("read", "2001:db8:0:8::1", rate, 0).taken)
    assert.strictEqual(buckets.size, 2)
  })

  it("takes every IPv4 address for its own, mapped or not (gaps-1 M Numbers)", () => {
    assert.strictEqual(sourceOf("10.0.0.1"), "10.0.0.1")
    assert.strictEqual(sourceOf("::ffff:10.0.0.1"), "10.0.0.1")
    assert.strictEqual(sourceOf("::FFFF:0a00:1"), "10.0.0.1")
    assert.strictEqual(sourceOf("fe80::1%eth0"), "fe80:0:0:0::/64")
    assert.strictEqual(sourceOf("::1"), "0:0:0:0::/64")
    assert.strictEqual(sourceOf("unknown"), "unknown")
  })

  it("keeps the buckets of one source apart by what they limit (gaps-1 M Numbers)", () => {
    const buckets = new SourceBuckets()
    for (const name of ["a", "a", "b"]) assert.isTrue(buckets.take(name, "10.0.0.1", rate, 0).taken)
    assert.isFalse(buckets.take("a", "10.0.0.1", rate, 0).taken)
    assert.strictEqual(buckets.waitOf("a", "10.0.0.1", rate, 0), 1000)
    assert.isUndefined(buckets.waitOf("b", "10.0.0.1", rate, 0))
    assert.isUndefined(buckets.waitOf("a", "10.0.0.1", rate, 1000))
  })

  it("forgets buckets that are full again, whoever draws next (architecture, section 9)", () => {
    const buckets = new SourceBuckets()
    for (let n = 0; n < 500; n++) buckets.take("read", `10.0.1.${n % 250}`, rate, 59_500)
    assert.strictEqual(buckets.size, 250)
    buckets.take("read", "10.0.0.1", rate, 60_000)
    assert.strictEqual(buckets.size, 251, "none of them is full yet")
    assert.isUndefined(buckets.waitOf("read", "10.0.0.2", rate, 120_000))
    assert.strictEqual(buckets.size, 0)
  })

  it("holds no more than ten thousand sources (architecture, section 9)", () => {
    const buckets = new SourceBuckets()
    for (let n = 0; n < 10_500; n++) buckets.take("read", `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, rate, 0)
    assert.strictEqual(buckets.size, 10_000)
  })
})
