import { changed } from "../Bending.ts"
import { asks, type Draft } from "../GoodRun.ts"
import { buys, charged, credited, topup } from "./GoodMoney.ts"

/** Histories that break each promise about top-ups. */
export const moneyBreaches = {
  "what a vendor took is credited once": [
    ["a charge without its credit", ({ money }: Draft) => money.entries.shift()],
    ["a second credit", ({ money }: Draft) => money.entries.push(credited(1, "45.0000"))],
    ["another amount", ({ money }: Draft) => changed(money.entries, { amount_brl: "44.0000" })],
    ["the credit of a declined card", ({ money }: Draft) => money.entries.push(credited(2, "45.0000"))],
    ["a charge nobody here knows", ({ money }: Draft) => money.vendors.charges.push(charged(7, 100))]
  ],
  "what is credited was taken by its vendor": [
    [
      "a credit without a charge",
      ({ money }: Draft) => {
        money.topups.push(topup(5, "cash"))
        money.entries.push(credited(5, "20.0000"))
      }
    ],
    ["the credit of a declined card", ({ money }: Draft) => money.entries.push(credited(2, "45.0000"))],
    ["a credit of no top-up", ({ money }: Draft) => money.entries.push(credited(6, "45.0000"))]
  ],
  "a vendor is not asked again for what it has": [
    ["a second request", ({ money }: Draft) => money.vendors.repeated.push("ctu_1")]
  ],
  "one key buys one package": [
    ["a second package", (draft: Draft) => asks(draft, "b1", buys("k1"), { phase: "ok", body: { id: "ctu_8" } })],
    ["a package that nobody bought", ({ money }: Draft) => money.topups.push(topup(8, "package"))],
    ["a package that is gone", ({ money }: Draft) => money.topups.shift()],
    ["a key without an answer", (draft: Draft) => asks(draft, "b1", buys("k3"), { phase: "unknown", status: null })]
  ],
  "vendors misbehave as they are told": [
    ["a fault that never struck", ({ strikes }: Draft) => Object.assign(strikes.pix, { rate_limited: 0 })],
    ["one that struck at the other vendor", ({ strikes }: Draft) => Object.assign(strikes, { cards: strikes.pix })]
  ]
} as const
