import { pixprov2Demo } from "@carteiro/runtime/boot/simulators/PixSimulators.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { hasEnded } from "@carteiro/simulators/pix/Charges.ts"
import { startPixprov2 } from "@carteiro/simulators/pixprov2/Simulator.ts"
import { Effect, Redacted } from "effect"

/** How a payer, or time, ends what is asked for. */
export type Decision = "paid" | "failed" | "expired"

/** A create that reached the vendor, by our id. */
export interface VendorCreate {
  readonly external_id: string
  readonly outcome: string
}

/** An end as the vendor has it, by our id. */
export interface VendorEnd {
  readonly external_id: string
  readonly status: string
}

/** What the vendor saw and decided, oldest first. */
export interface VendorLog {
  readonly creates: ReadonlyArray<VendorCreate>
  readonly ends: ReadonlyArray<VendorEnd>
}

/** The simulated Pix provider that production payments go to. It lives with the run, so that no fault ends it. */
export interface PixVendor {
  /** Settings of every node. */
  readonly env: Readonly<Record<string, string>>
  /** The product stands at this address, and its connection is that of the demo account. */
  readonly connect: (baseUrl: string, connectionId: string) => void
  /** What goes wrong at the vendor from now on; nothing for an empty list. */
  readonly hurt: (faults: ReadonlyArray<Fault>, seed: number) => void
  /** Ends a payment by our id, unless it is not there or over. */
  readonly decide: (paymentId: string, decision: Decision) => void
  /** Ends whatever is open, one way or the other. */
  readonly decideAll: (pick: () => Decision) => void
  readonly log: () => VendorLog
  /** How top-ups of the product's own account ended: taken are those that were paid. */
  readonly topups: () => ReadonlyArray<{
    readonly external_id: string
    readonly amount_centavos: number
    readonly taken: boolean
  }>
}

const cancelMs = 200
/** The product's own account there. */
const platform = { key: "faults-pixprov2-key", webhook_secret: "faults-pixprov2-webhook-secret" }

/** Starts one that knows the demo account of nodes with this master key; it goes with the scope. */
export const startPixVendor = Effect.fnUntraced(function* (masterKey: string) {
  const keys = parseMasterKeys(masterKey)
  if (keys === undefined) return yield* Effect.die("32 bytes in hex are a master key")
  const demo = pixprov2Demo(Redacted.make(keys))
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startPixprov2({ now: vendorClock, workMs: cancelMs, accounts: [] })),
    (running) => Effect.promise(() => running.close())
  )
  const { accounts, charges, faults, log } = simulator
  const creates = (): ReadonlyArray<VendorCreate> =>
    log.read(0, "checkout").flatMap(({ external_id, landed, outcome }) =>
      // One that lands late is in the log as it was cut off, and once more as it landed.
      typeof external_id === "string" && landed !== true ? [{ external_id, outcome: String(outcome) }] : []
    )
  const vendor: PixVendor = {
    env: {
      CARTEIRO_PIXPROV2_API_BASE_URL: simulator.url,
      CARTEIRO_PIXPROV2_PLATFORM_API_KEY: platform.key,
      CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: platform.webhook_secret
    },
    connect: (baseUrl, connectionId) => {
      accounts.setUp({
        key: demo.api_key,
        webhook_secret: demo.webhook_secret,
        webhook_url: `${baseUrl}/webhooks/pixprov2/${connectionId}`
      })
      accounts.setUp({ ...platform, webhook_url: `${baseUrl}/webhooks/pixprov2/platform` })
    },
    hurt: (wanted, seed) => {
      const unknown = faults.set(wanted, seed)
      if (unknown.length > 0) throw new Error(`no such faults: ${unknown.join(", ")}`)
    },
    decide: (paymentId, decision) => {
      const charge = charges.any(paymentId)
      if (charge !== undefined) charges.end(charge, decision)
    },
    decideAll: (pick) => {
      for (const id of new Set(creates().map(({ external_id }) => external_id))) {
        const charge = charges.any(id)
        if (charge !== undefined && !hasEnded(charge)) charges.end(charge, pick())
      }
    },
    log: () => ({
      creates: creates().filter(({ external_id }) => !isTopup(external_id)),
      ends: log
        .read(0, "outcome")
        .map(({ external_id, status }) => ({ external_id: String(external_id), status: String(status) }))
        .filter(({ external_id, status }) => status !== "approved" && !isTopup(external_id))
    }),
    topups: () =>
      log
        .read(0, "outcome")
        .map(({ amount_centavos, external_id, status }) => ({
          external_id: String(external_id),
          amount_centavos: Number(amount_centavos),
          taken: status === "paid"
        }))
        .filter(({ external_id }) => isTopup(external_id))
  }
  return vendor
})

const isTopup = (externalId: string): boolean => externalId.startsWith("ctu_")

/** What the vendor does wrong when it is told to: calls first, then what it tells. */
export const vendorFaults = [
  { name: "reset" },
  { name: "reset_after" },
  { name: "timeout_after" },
  { name: "error_500" },
  { name: "error_500_after" },
  { name: "charge_rejected", operation: "checkout" },
  { name: "slow", value: 2000 },
  { name: "lands_late", value: 3000 },
  { name: "lagging_lookup", value: 2000 },
  { name: "duplicate_webhook" },
  { name: "reorder_webhooks" },
  { name: "lost_webhook" },
  { name: "bad_signature" },
  { name: "stale_webhook" }
] as const satisfies readonly [Fault, ...ReadonlyArray<Fault>]
