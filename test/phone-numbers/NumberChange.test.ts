import { newNumber } from "@carteiro/runtime/phone-numbers/number/NewNumber.ts"
import { convert, disconnect, release, transferRefusal } from "@carteiro/runtime/phone-numbers/number/NumberChange.ts"
import type { Enrollment, NumberRow } from "@carteiro/runtime/phone-numbers/number/NumberRead.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { NumberSource, NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const { row: fresh } = newNumber({
  environment_id: "env_1",
  environment: "production",
  id: "pn_1",
  source: "byon",
  status: "active",
  display_name: undefined,
  ddd: "11",
  phone: "+5511999990000",
  upstream_phone_number_id: null,
  throughput_plan: "growth",
  monthly_fee: null,
  due_at: null,
  at: 0
})

const enrollment = (status: Enrollment["status"]) => jsonText({ status } as Enrollment)

const numbers = fc
  .record({
    source: fc.constantFrom(...NumberSource.literals),
    status: fc.constantFrom(...NumberStatus.literals),
    enrollment: fc.constantFrom(null, enrollment("active"), enrollment("ended"))
  })
  .map((standing): NumberRow => ({ ...fresh, ...standing }))

describe("Changes of a number", () => {
  it('a repeated release, disconnect or conversion is done already gaps-2 K "Release, disconnect, convert"', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom(release, disconnect, convert), (number, change) => {
        const changed = change(number, 5)
        if (changed === "done" || isApiError(changed)) return
        assert.isTrue(changed.isDone(changed.after))
        assert.strictEqual(change(changed.after, 6), "done")
        assert.strictEqual(changed.after.updated_at, 5)
      })
    )
  })

  it("only rented numbers are given back, and only brought ones disconnected", () => {
    const outcomes = (change: typeof release) =>
      (["numprov", "byon"] as const).map((source) => {
        const changed = change({ ...fresh, source }, 5)
        return isApiError(changed) ? changed._tag : changed === "done" ? changed : changed.status
      })
    assert.deepStrictEqual(outcomes(release), [202, "phone_number_not_removable"])
    assert.deepStrictEqual(outcomes(disconnect), ["phone_number_not_removable", 200])
    assert.deepStrictEqual(outcomes(convert), ["phone_number_not_convertible", "phone_number_not_convertible"])
  })

  it("a transfer stays among sandboxes or among production, and goes elsewhere M-TRF-04 M-TRF-05", () => {
    const from = { environment_id: "env_1", environment: "sandbox" } as const
    const tag = (id: string, kind: "sandbox" | "production") => transferRefusal(from, { id, kind })?._tag
    assert.deepStrictEqual(
      [tag("env_1", "sandbox"), tag("env_2", "production"), tag("env_2", "sandbox")],
      ["phone_number_transfer_same_environment", "phone_number_transfer_environment_kind_mismatch", undefined]
    )
  })
})
