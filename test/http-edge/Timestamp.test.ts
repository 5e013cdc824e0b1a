import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"

const ofYears = (first: number, last: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: Date.UTC(first, 0, 1), maximum: Date.UTC(last, 11, 31, 23, 59, 59, 999) })
  )

it.prop("instants are written as the engine writes them A-CONV-10", [ofYears(1950, 2400)], ([millis]) => {
  assert.strictEqual(formatTimestamp(millis), new Date(millis).toISOString())
})

it("every day of four centuries is written as the engine writes it A-CONV-10", () => {
  for (let at = Date.UTC(1999, 0, 1); at < Date.UTC(2401, 0, 1); at += 86_400_000) {
    const text = new Date(at).toISOString()
    if (formatTimestamp(at) !== text) assert.strictEqual(formatTimestamp(at), text)
  }
})

it("the edges of what is written by hand are written as the engine writes them", () => {
  for (const at of [-1, 0, 0.9, 1, 253_402_300_799_999, 951_782_400_000, 1_709_251_199_999.5]) {
    assert.strictEqual(formatTimestamp(at), new Date(at).toISOString())
  }
  assert.throws(() => formatTimestamp(Number.NaN), RangeError)
})
