import { startCardproc } from "@carteiro/simulators/cardproc/Simulator.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Fault, Faults } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startStripe } from "@carteiro/simulators/stripe/Simulator.ts"
import { Effect } from "effect"
import type { PixVendor } from "../payments/PixVendor.ts"

/** A charge as its vendor has it: `taken` when the payer's money was. */
export interface VendorCharge {
  readonly external_id: string
  readonly amount_centavos: number
  readonly taken: boolean
}

/** What the vendors of top-ups did, by their own logs. */
export interface ChargeLog {
  readonly charges: ReadonlyArray<VendorCharge>
  /** Our ids of charges that were asked for although the vendor had them. */
  readonly repeated: ReadonlyArray<string>
}

/** The simulated card processor. It lives with the run, so that no fault ends it. */
export interface CardVendor {
  /** Settings of every node: where it is, and what both sides agree on. */
  readonly env: Readonly<Record<string, string>>
  /** The product stands at this address: it is told there. */
  readonly connect: (baseUrl: string) => void
  /** What goes wrong from now on; nothing for an empty list. */
  readonly hurt: Faults["set"]
  readonly log: () => ChargeLog
}

const apiKey = "faults-cardproc-key"
const webhookSecret = "faults-cardproc-webhook-secret"

export type CardDriver = "stripe" | "bridge"

/** What the run uses of a simulated processor, whichever wire it speaks. */
interface CardSimulator {
  readonly url: string
  readonly charges: {
    readonly list: ReadonlyArray<Pick<VendorCharge, "external_id" | "amount_centavos"> & { readonly status: string }>
  }
  readonly faults: Faults
  readonly log: CallLog
  readonly webhooks: { readonly aim: (url: string) => void }
  readonly close: () => Promise<void>
}

/** Who plays the card processor, by its driver. */
const simulators: Readonly<
  Record<CardDriver, (options: Parameters<typeof startCardproc>[0]) => Promise<CardSimulator>>
> = {
  stripe: startStripe,
  bridge: startCardproc
}

/** Starts one; it goes with the scope. */
export const startCardVendor = Effect.fnUntraced(function* (driver: CardDriver) {
  const { charges, faults, log, url, webhooks } = yield* Effect.acquireRelease(
    Effect.promise(() => simulators[driver]({ apiKey, webhookSecret, now: vendorClock })),
    (running) => Effect.promise(() => running.close())
  )
  const vendor: CardVendor = {
    env: {
      CARTEIRO_CARDPROC_DRIVER: driver,
      CARTEIRO_CARDPROC_API_BASE_URL: url,
      CARTEIRO_CARDPROC_API_KEY: apiKey,
      CARTEIRO_CARDPROC_WEBHOOK_SECRET: webhookSecret
    },
    connect: (baseUrl) => webhooks.aim(`${baseUrl}/webhooks/cardproc`),
    hurt: (wanted, seed) => faults.set(wanted, seed),
    log: () => ({
      charges: charges.list.map(({ amount_centavos, external_id, status }) => ({
        external_id,
        amount_centavos,
        taken: status === "succeeded"
      })),
      repeated: log
        .read(0, "charge")
        .flatMap(({ external_id, outcome }) => (outcome === "repeated" ? [String(external_id)] : []))
    })
  }
  return vendor
})

/** What both vendors of top-ups have. */
export const chargesOf = (cards: CardVendor, pix: Pick<PixVendor, "topups">): ChargeLog => {
  const { charges, repeated } = cards.log()
  return { charges: [...charges, ...pix.topups()], repeated }
}

/** What the processor does wrong when it is told to: calls first, then what it tells. */
export const cardFaults = [
  { name: "reset", permille: 300 },
  { name: "reset_after", permille: 300 },
  { name: "error_500", permille: 300 },
  { name: "error_500_after", permille: 300 },
  { name: "timeout_after", operation: "charge", permille: 100 },
  { name: "lands_late", operation: "charge", value: 2500, permille: 400 },
  { name: "lagging_lookup", operation: "charge_lookup", value: 4000, permille: 700 },
  { name: "idempotency_key_in_use", operation: "charge", permille: 100 },
  { name: "delay", value: 800, permille: 500 },
  { name: "processing", value: 700, permille: 500 },
  { name: "declined", permille: 300 },
  { name: "pays_after_decline", operation: "charge", value: 1500 },
  { name: "lost_webhook", permille: 500 },
  { name: "duplicate_webhook", permille: 500 },
  { name: "reorder_webhooks", permille: 500 },
  { name: "delay_webhook", value: 1500, permille: 500 },
  { name: "stale_webhook", permille: 300 },
  { name: "bad_signature", permille: 300 }
] as const satisfies readonly [Fault, ...ReadonlyArray<Fault>]
