import { startCardproc } from "@carteiro/simulators/cardproc/Simulator.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Faults } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startStripe } from "@carteiro/simulators/stripe/Simulator.ts"
import { Effect } from "effect"
import type { PixVendor } from "../payments/PixVendor.ts"
import { type HurtVendor, hurtVendor } from "../VendorFaults.ts"
import { eventually } from "../Waiting.ts"

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
export interface CardVendor extends HurtVendor {
  /** Settings of every node: where it is, and what both sides agree on. */
  readonly env: Readonly<Record<string, string>>
  /** The product stands at this address: it is told there. */
  readonly connect: (baseUrl: string) => void
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
    ...hurtVendor([faults]),
    env: {
      CARTEIRO_CARDPROC_DRIVER: driver,
      CARTEIRO_CARDPROC_API_BASE_URL: url,
      CARTEIRO_CARDPROC_API_KEY: apiKey,
      CARTEIRO_CARDPROC_WEBHOOK_SECRET: webhookSecret
    },
    connect: (baseUrl) => webhooks.aim(`${baseUrl}/webhooks/cardproc`),
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

/** Looks until somebody has paid by card and somebody by Pix, for a minute at most: from then on there is money to lose. */
export const moneyMoves = (cards: CardVendor, pix: Pick<PixVendor, "topups">) =>
  eventually(() => {
    const isTaken = ({ taken }: VendorCharge) => taken
    return cards.log().charges.some(isTaken) && pix.topups().some(isTaken) ? true : undefined
  }, 60)
