import {
  nextRenewalAt,
  type RentedNumber,
  releaseCutoffAt,
  renewalOf
} from "@carteiro/runtime/phone-numbers/number/RenewalState.ts"
import { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { PhoneRenewal } from "@carteiro/schema/phone-numbers/Renewal.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const at = (text: string) => Date.parse(text)
const now = at("2026-02-14T09:30:00Z")
const rented: RentedNumber = {
  source: "numprov",
  environment: "production",
  status: "active",
  activated_at: 0,
  monthly_fee: 499_000
}
const paid = { charged: 499_000, unpaid: false, paidPlan: false }
const isPrinted = Schema.is(PhoneRenewal)

describe("The renewal of a number", () => {
  it("is null for numbers that are not rented, and in a sandbox M-PHN-27", () => {
    assert.isNull(renewalOf({ ...rented, source: "byon" }, paid, now))
    assert.isNull(renewalOf({ ...rented, environment: "sandbox" }, paid, now))
  })

  it("reports the present UTC month of a rented production number, with every printed member M-PHN-28 M-PHN-38", () => {
    assert.deepStrictEqual(renewalOf(rented, paid, now), {
      state: "upcoming",
      reason_codes: [],
      next_renewal_at: "2026-03-01T00:05:00.000Z",
      release_cutoff_at: null,
      automatic_release_enabled: true,
      amount_brl: "49.9000",
      currency: "brl",
      recommended_action: "none",
      evaluated_at: "2026-02-14T09:30:00.000Z",
      cycle_id: null,
      renewal_warning_48h_at: null,
      renewal_warning_24h_at: null,
      grace_selected_at: null,
      grace_ends_at: null,
      release_requested_at: null,
      provider_evidence_observed_at: null
    })
  })

  it("is at risk while the charged month is unpaid, and states the remedy M-PHN-30 M-PHN-32 M-PHN-34 M-PHN-37", () => {
    const renewal = renewalOf(rented, { ...paid, unpaid: true }, now)
    assert.strictEqual(renewal?.state, "at_risk")
    assert.deepStrictEqual(renewal?.reason_codes, ["insufficient_credit"])
    assert.strictEqual(renewal?.release_cutoff_at, "2026-02-28T12:00:00.000Z")
    assert.strictEqual(renewal?.recommended_action, "add_credit_or_enable_auto_topup")
  })

  it("is upcoming when the number was not charged for an unpaid month, and amount is null; a balance of zero or above reads as paid M-PHN-31 M-PHN-36 M-PHN-40", () => {
    const renewal = renewalOf(rented, { charged: null, unpaid: true, paidPlan: false }, now)
    assert.strictEqual(renewal?.state, "upcoming")
    assert.isNull(renewal?.amount_brl)
    assert.isNull(renewal?.release_cutoff_at)
  })

  it("stays at risk on a paid plan, which keeps the number M-PHN-35 M-PHN-39", () => {
    const renewal = renewalOf(rented, { charged: 499_000, unpaid: true, paidPlan: true }, now)
    assert.strictEqual(renewal?.state, "at_risk")
    assert.isNull(renewal?.release_cutoff_at)
    assert.isFalse(renewal?.automatic_release_enabled)
  })

  it("renews nothing before activation and after a release request M-PHN-33", () => {
    assert.isNull(renewalOf({ ...rented, status: "provisioning", activated_at: null }, paid, now)?.next_renewal_at)
    const leaving = renewalOf({ ...rented, status: "release_requested" }, { ...paid, unpaid: true }, now)
    assert.strictEqual(leaving?.state, "release_pending")
    assert.isNull(leaving?.next_renewal_at)
    assert.strictEqual(renewalOf({ ...rented, status: "released" }, paid, now)?.state, "released")
  })

  it("follows the ends of months, leap days and years included M-PHN-33 M-PHN-34", () => {
    assert.strictEqual(nextRenewalAt(at("2026-01-01T00:04:59.999Z")), at("2026-01-01T00:05:00Z"))
    assert.strictEqual(nextRenewalAt(at("2026-01-01T00:05:00Z")), at("2026-02-01T00:05:00Z"))
    assert.strictEqual(nextRenewalAt(at("2026-12-31T23:59:59.999Z")), at("2027-01-01T00:05:00Z"))
    assert.strictEqual(releaseCutoffAt(at("2028-02-01T00:00:00Z")), at("2028-02-29T12:00:00Z"))
    assert.strictEqual(releaseCutoffAt(at("2026-12-31T23:00:00Z")), at("2026-12-31T12:00:00Z"))
  })

  it.prop(
    "always has the printed members M-PHN-29",
    [
      NumberStatus,
      Schema.Boolean,
      Schema.Boolean,
      Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
    ],
    ([status, unpaid, paidPlan, charged]) => {
      assert.isTrue(isPrinted(renewalOf({ ...rented, status }, { charged, unpaid, paidPlan }, now)))
    }
  )
})
