import { changed, first } from "../Bending.ts"
import type { Draft } from "../GoodRun.ts"
import { type DraftPayments, entry } from "./GoodPayments.ts"

/** The fees of a payment with the hold still there. */
const heldFees = ({ payments }: DraftPayments) => {
  const { fees } = first(payments)
  return fees && { ...fees, completion: { ...fees.completion, state: "held" } }
}

/** Histories that break each promise about payments. */
export const paymentBreaches = {
  "a payment is there once for its key": [
    ["a payment that is gone", ({ payments }: Draft) => payments.payments.shift()],
    ["two under one key", ({ payments }: Draft) => payments.payments.push({ ...first(payments.payments), id: "pay_d" })]
  ],
  "every payment and its fee come to their end": [
    ["a stuck payment", ({ payments }: Draft) => changed(payments.payments, { status: "link_generated" })],
    ["a fee that is held for ever", ({ payments }: Draft) => changed(payments.payments, { fees: heldFees(payments) })],
    [
      "one at the vendor",
      ({ payments }: Draft) => payments.vendor.creates.push({ external_id: "pay_c", outcome: "made" })
    ]
  ],
  "a payment is created at its provider once": [
    [
      "two creates",
      ({ payments }: Draft) => payments.vendor.creates.push({ external_id: "pay_b", outcome: "repeated" })
    ]
  ],
  "only stored payments are created": [
    [
      "one that nobody stored",
      ({ payments }: Draft) => payments.vendor.creates.push({ external_id: "pay_x", outcome: "made" })
    ]
  ],
  "payments end as their provider says": [
    ["another end", ({ payments }: Draft) => changed(payments.vendor.ends, { status: "cancelled" })],
    ["an end that nobody told", ({ payments }: Draft) => payments.vendor.ends.shift()]
  ],
  "each fee moves once, as its payment ends": [
    [
      "charged twice",
      ({ payments }: Draft) => payments.ledger.push(entry("a", "debit", "0.1000", "payment.completion"))
    ],
    ["charged and given back", ({ payments }: Draft) => payments.ledger.push(entry("a", "release", "0.1000"))],
    ["charged without being paid", ({ payments }: Draft) => changed(payments.payments, { status: "failed" })],
    ["no hold", ({ payments }: Draft) => payments.ledger.splice(2, 1)]
  ],
  "no fee without its payment": [
    ["a lone fee", ({ payments }: Draft) => payments.ledger.push(entry("x", "hold", "0.1000"))]
  ],
  "no authorization is open at its provider that is over here": [
    ["a revoked one that landed late", ({ agents }: Draft) => agents.openThere.push("aga_1")],
    ["one that is not there", ({ agents }: Draft) => agents.openThere.push("aga_9")]
  ],
  "balance and held credit are what the ledger adds up to": [
    ["a lost centavo", ({ payments }: Draft) => Object.assign(payments.balance, { balance_brl: "8.3200" })],
    [
      "held for nobody",
      ({ payments }: Draft) => Object.assign(payments.balance, { balance_brl: "8.2300", held_brl: "0.2000" })
    ]
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<readonly [what: string, bend: (draft: Draft) => unknown]>>>
