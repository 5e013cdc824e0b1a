import type { EntrySeen, TopupSeen } from "./MoneySeen.ts"
import type { VendorCharge } from "./Vendors.ts"

/** Money that a test may bend before it is judged. */
export interface DraftMoney {
  entries: Array<EntrySeen>
  topups: Array<TopupSeen>
  vendors: { charges: Array<VendorCharge>; repeated: Array<string> }
}

/** Two purchases of which one was declined, and one automatic top-up. */
export const goodMoney = (): DraftMoney => ({
  entries: [credited(1, "45.0000"), credited(3, "20.0000")],
  topups: [topup(1, "package"), { ...topup(2, "package"), status: "failed" }, topup(3, "cash")],
  vendors: { charges: [charged(1, 4500), { ...charged(2, 4500), taken: false }, charged(3, 2000)], repeated: [] }
})

/** A purchase under a key. */
export const buys = (key: string): { readonly kind: "buy"; readonly key: string } => ({ kind: "buy", key })

/** The top-up number `n`, its credit, and its charge at the vendor. */
export const topup = (n: number, kind: "package" | "cash"): TopupSeen => ({
  id: `ctu_${n}`,
  kind,
  status: "succeeded",
  amount_brl: "45.0000",
  provider: "cardproc"
})

export const credited = (n: number, amount_brl: string): EntrySeen => ({
  id: `led_${n}`,
  type: "credit",
  amount_brl,
  source_type: "credit_topup",
  source_id: `ctu_${n}`
})

export const charged = (n: number, amount_centavos: number): VendorCharge => ({
  external_id: `ctu_${n}`,
  amount_centavos,
  taken: true
})
