import type { Operation } from "../Log.ts"
import type { LedgerSeen, PaymentSeen } from "./PaymentsSeen.ts"
import type { VendorCreate, VendorEnd } from "./PixVendor.ts"

/** Payments of a run that a test may bend. */
export interface DraftPayments {
  payments: Array<PaymentSeen>
  ledger: Array<LedgerSeen>
  balance: { balance_brl: string; held_brl: string }
  vendor: { creates: Array<VendorCreate>; ends: Array<VendorEnd> }
}

/** A payment under the key of its marker. */
export const asked = (marker: string): Operation => ({ kind: "payment", marker, key: `key ${marker}` })

/** One was paid, one expired, and one never came to the vendor; 10.0000 were there. */
export const goodPayments = (): DraftPayments => ({
  payments: [
    payment("a", "paid", "settled"),
    payment("b", "expired", "released"),
    payment("c", "link_pending", "held")
  ],
  ledger: [
    { id: "led_0", type: "credit", amount_brl: "10.0000", meter_id: null, payment_fee: null },
    ...["a", "b", "c"].flatMap((name) => [
      entry(name, "debit", "0.4900", "payment.initiation"),
      entry(name, "hold", "0.1000")
    ]),
    entry("a", "debit", "0.1000", "payment.completion"),
    entry("b", "release", "0.1000")
  ],
  balance: { balance_brl: "8.3300", held_brl: "0.1000" },
  vendor: {
    creates: [
      { external_id: "pay_a", outcome: "reset_after" },
      { external_id: "pay_b", outcome: "made" }
    ],
    ends: [
      { external_id: "pay_a", status: "paid" },
      { external_id: "pay_b", status: "expired" }
    ]
  }
})

const payment = (name: string, status: string, state: string): PaymentSeen => ({
  id: `pay_${name}`,
  status,
  amount_brl: "10.0000",
  external_reference: name,
  provider_payment_id: status === "link_pending" ? null : `chk_${name}`,
  fees: {
    initiation: { amount_brl: "0.4900", reservation_id: `rsv_${name}i` },
    completion: { amount_brl: "0.1000", state, reservation_id: `rsv_${name}c` }
  }
})

/** A ledger entry of a payment. */
export const entry = (
  name: string,
  type: LedgerSeen["type"],
  amount_brl: string,
  meter_id: string | null = null
): LedgerSeen => ({
  id: `led_${name}${type}${meter_id ?? ""}`,
  type,
  amount_brl,
  meter_id,
  payment_fee: { object: "payment_request", id: `pay_${name}`, reservation_id: `rsv_${name}` }
})
