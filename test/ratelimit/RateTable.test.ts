import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import { type RateName, rateRow, standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { RateClass } from "@carteiro/schema/conventions/Access.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const names = Object.keys(standardRates) as ReadonlyArray<RateName>
const read = (text: string | undefined) => Result.getOrThrow(readRateLimits(text))
const perMinute = (name: RateName, holder: "key" | "organization" | "environment" | "ip") => {
  const rate = standardRates[name][holder]
  return rate === undefined ? undefined : [rate.burst, Math.round(rate.perMillis * 3_600_000) / 60]
}

describe("RateTable", () => {
  it("holds the numbers of gaps-1 M, per key and per organization", () => {
    const rows: ReadonlyArray<readonly [RateName, number, number, number, number]> = [
      ["read.production", 200, 6000, 600, 18_000],
      ["read.sandbox", 50, 1500, 150, 4500],
      ["write.production", 100, 3000, 300, 9000],
      ["write.sandbox", 25, 600, 75, 1800],
      ["key_write", 10, 30, 20, 60],
      ["project_create", 5, 10 / 60, 10, 20 / 60],
      ["endpoint_write", 20, 60, 60, 180],
      ["resend", 20, 60, 60, 180],
      ["bulk_resend", 3, 6, 6, 12],
      ["listen", 20, 120, 60, 360],
      ["feedback_write.production", 5, 0.5, 20, 100 / 60],
      ["feedback_write.sandbox", 2, 10 / 60, 5, 0.5]
    ]
    for (const [name, keyBurst, keyPace, organizationBurst, organizationPace] of rows) {
      assert.deepStrictEqual(perMinute(name, "key"), [keyBurst, keyPace], name)
      assert.deepStrictEqual(perMinute(name, "organization"), [organizationBurst, organizationPace], name)
    }
  })

  it("limits by environment and source IP where the contract does (gaps-1 C, gaps-1 M, gaps-2 J)", () => {
    assert.deepStrictEqual(perMinute("listen_session_create", "environment"), [5, 10])
    assert.deepStrictEqual(perMinute("inbound_simulation", "environment"), [20, 60])
    assert.deepStrictEqual(perMinute("failed_authentication", "ip"), [30, 60])
    assert.deepStrictEqual(perMinute("device_create", "ip"), [5, 20 / 60])
    assert.deepStrictEqual(perMinute("device_token", "ip"), [60, 60])
    assert.deepStrictEqual(standardRates.endpoint_test, { endpoint: { limit: 5, windowMillis: 60_000 } })
  })

  it("has a row for every class in both kinds of environment", () => {
    for (const rateClass of RateClass.literals) {
      for (const kind of ["sandbox", "production"] as const) {
        assert.isAbove(Object.keys(rateRow(standardRates, rateClass, kind)).length, 0, `${rateClass} ${kind}`)
      }
    }
    assert.strictEqual(rateRow(standardRates, "read", "sandbox").key?.burst, 50)
    assert.strictEqual(rateRow(standardRates, "read", "production").key?.burst, 200)
  })

  it("keeps the standard table when nothing is set", () => {
    assert.deepStrictEqual(read(undefined), standardRates)
    assert.deepStrictEqual(read(""), standardRates)
    assert.deepStrictEqual(read("{}"), standardRates)
  })

  it("lifts every bucket but the endpoint test limit when off", () => {
    const table = read("off")
    for (const name of names) {
      assert.deepStrictEqual(table[name], name === "endpoint_test" ? standardRates.endpoint_test : {}, name)
    }
  })

  it("replaces one limit of one row and leaves all others", () => {
    const buckets = names.filter((name) => name !== "endpoint_test")
    const count = fc.integer({ min: 1, max: 9999 })
    fc.assert(
      fc.property(fc.constantFrom(...buckets), count, count, (name, burst, sustained) => {
        const holder = Object.keys(standardRates[name])[0] ?? ""
        const table = read(JSON.stringify({ [name]: { [holder]: { burst, sustained, per: "minute" } } }))
        const replaced = { ...standardRates[name], [holder]: { burst, perMillis: sustained / 60_000 } }
        assert.deepStrictEqual(table, { ...standardRates, [name]: replaced })
      })
    )
    const { organization } = standardRates["read.sandbox"]
    assert.deepEqual(read('{"read.sandbox":{"key":"off"}}')["read.sandbox"], organization && { organization })
    assert.deepStrictEqual(read('{"endpoint_test":{"endpoint":{"limit":9,"per":"hour"}}}').endpoint_test, {
      endpoint: { limit: 9, windowMillis: 3_600_000 }
    })
  })

  it("refuses anything else with a sentence", () => {
    const refused = [
      "on",
      "[]",
      '{"reads":{"key":"off"}}',
      '{"__proto__":{"key":"off"}}',
      '{"read.sandbox":{"ip":"off"}}',
      '{"read.sandbox":{"toString":"off"}}',
      '{"read.sandbox":{"key":{"burst":0,"sustained":1,"per":"second"}}}',
      '{"read.sandbox":{"key":{"burst":1,"sustained":1,"per":"day"}}}',
      '{"read.sandbox":{"key":{"burst":1,"sustained":1,"per":"second","extra":1}}}',
      '{"read.sandbox":{"key":{"limit":5,"per":"second"}}}',
      '{"endpoint_test":{"endpoint":{"burst":1,"sustained":1,"per":"second"}}}'
    ]
    for (const text of refused) {
      const answer = readRateLimits(text)
      assert.isTrue(Result.isFailure(answer) && answer.failure.length > 0, text)
    }
  })
})
