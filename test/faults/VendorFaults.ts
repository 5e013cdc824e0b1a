import type { Fault, Faults } from "@carteiro/simulators/kit/Faults.ts"
import type { Seeds } from "./Seeds.ts"

/** How often each fault of a vendor has struck, by its name. */
export type Strikes = Readonly<Record<string, number>>

/** A vendor, or the several that play one role, which can be made to misbehave. */
export interface HurtVendor {
  /** What goes wrong from now on, as far as its wire allows; nothing for an empty list. */
  readonly hurt: (faults: ReadonlyArray<Fault>, seed: number) => void
  /** True for a fault that its wire has, and that the driver's calls can meet. */
  readonly has: (fault: string) => boolean
  /** Since the run began. */
  readonly strikes: () => Strikes
}

/** Makes vendors of the simulators that play one role; `never` are faults that the driver's calls do not meet. */
export const hurtVendor = (simulators: ReadonlyArray<Faults>, never: ReadonlySet<string> = new Set()): HurtVendor => ({
  hurt: (wanted, seed) => {
    for (const faults of simulators) {
      const possible = wanted.filter(({ name }) => faults.names.includes(name))
      faults.set(possible, seed)
    }
  },
  has: (fault) => !never.has(fault) && simulators.some(({ names }) => names.includes(fault)),
  strikes: () => {
    const counts: Record<string, number> = {}
    for (const { strikes } of simulators) {
      for (const [name, count] of strikes) counts[name] = (counts[name] ?? 0) + count
    }
    return counts
  }
})

/** Faults that strike before the next fault of the nemesis begins, since every vendor does these on any day. */
const sure: ReadonlySet<string> = new Set([
  "idempotency_key_in_use",
  "rate_limited",
  "early_webhook",
  "webhook_first",
  "delay_webhook",
  "lagging_lookup"
])

/** Returns those of some faults that a run counts on, and that have not struck more often than before. */
export const awaited = (chosen: ReadonlyArray<Fault>, before: Strikes, now: Strikes): ReadonlyArray<string> =>
  chosen.flatMap(({ name }) => (sure.has(name) && (now[name] ?? 0) <= (before[name] ?? 0) ? [name] : []))

/** Returns the next faults of a vendor by a seed: each once before any comes again, those that a run counts on first. */
export const faultDeck = (
  faults: ReadonlyArray<Fault>,
  { has }: Pick<HurtVendor, "has">,
  seeds: Seeds
): (() => ReadonlyArray<Fault>) => {
  const [first, ...rest] = faults.filter(({ name }) => has(name))
  if (first === undefined) throw new Error("the vendor has no fault")
  const isSure = ({ name, first = false }: VendorFault) => first || sure.has(name)
  const deal = seeds.deck([first, ...rest], isSure)
  return () => [deal(), deal(), deal()]
}

/** A fault; `first` are dealt beside those that a run counts on, which need them. */
type VendorFault = Fault & { readonly first?: boolean }

const sometimes = (faults: ReadonlyArray<VendorFault>): ReadonlyArray<VendorFault> =>
  faults.map((fault) => ({ ...fault, permille: 300 }))

/**
 * What a Pix provider does wrong when it is told to, as far as its wire allows: calls first, then what it tells. A charge is
 * looked up by our id where its answer was lost.
 */
export const pixFaults: ReadonlyArray<VendorFault> = sometimes([
  { name: "lagging_lookup", value: 2000 },
  { name: "reset_after", first: true },
  { name: "delay_webhook", value: 1500 },
  { name: "idempotency_key_in_use", operation: "checkout" },
  { name: "rate_limited", value: 2 },
  { name: "early_webhook" },
  { name: "reset" },
  { name: "timeout_after" },
  { name: "error_500" },
  { name: "error_500_after" },
  { name: "charge_rejected", operation: "checkout" },
  { name: "slow", value: 2000 },
  { name: "lands_late", value: 3000 },
  { name: "duplicate_webhook" },
  { name: "reorder_webhooks" },
  { name: "lost_webhook" },
  { name: "bad_signature" },
  { name: "stale_webhook" }
])

/** What the card processor does wrong when it is told to, likewise. */
export const cardFaults: ReadonlyArray<VendorFault> = [
  { name: "lagging_lookup", operation: "charge_lookup", value: 4000, permille: 700 },
  { name: "reset_after", permille: 300, first: true },
  { name: "delay_webhook", value: 1500, permille: 500 },
  { name: "idempotency_key_in_use", operation: "charge", permille: 300 },
  { name: "rate_limited", value: 2, permille: 300 },
  { name: "webhook_first", operation: "charge", value: 800, permille: 500 },
  { name: "reset", permille: 300 },
  { name: "error_500", permille: 300 },
  { name: "error_500_after", permille: 300 },
  { name: "timeout_after", operation: "charge", permille: 100 },
  { name: "lands_late", operation: "charge", value: 2500, permille: 400 },
  { name: "delay", value: 800, permille: 500 },
  { name: "processing", value: 700, permille: 500 },
  { name: "declined", permille: 300 },
  { name: "pays_after_decline", operation: "charge", value: 1500 },
  { name: "lost_webhook", permille: 500 },
  { name: "duplicate_webhook", permille: 500 },
  { name: "reorder_webhooks", permille: 500 },
  { name: "stale_webhook", permille: 300 },
  { name: "bad_signature", permille: 300 }
]
