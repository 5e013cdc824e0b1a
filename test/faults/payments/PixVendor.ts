import { pixprov2Demo } from "@carteiro/runtime/boot/simulators/PixSimulators.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import type { Fault, Faults } from "@carteiro/simulators/kit/Faults.ts"
import { Effect, Redacted } from "effect"
import { type Decision, type PixDriver, pixSimulators } from "./PixSimulators.ts"

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
  /** What the production environment's account is connected with; undefined where the demonstration has connected it. */
  readonly credentials: Readonly<Record<string, string>> | undefined
  /** The ways in which merchants are paid by turns; none where the standard one is enough. */
  readonly modes: ReadonlyArray<"hosted_checkout" | "transparent_pix">
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

/** The product's own account there. */
const platform = { key: "faults-pixprov2-key", webhook_secret: "faults-pixprov2-webhook-secret" }

/** Starts one on the wire of a driver that knows the demo account of nodes with this master key; it goes with the scope. */
export const startPixVendor = Effect.fnUntraced(function* (driver: PixDriver, masterKey: string, folder: string) {
  const keys = parseMasterKeys(masterKey)
  if (keys === undefined) return yield* Effect.die("32 bytes in hex are a master key")
  const demo = pixprov2Demo(Redacted.make(keys))
  const simulator = yield* pixSimulators[driver](platform, folder)
  const { credentials, end, env, faults, hasEnded, idOf, log, setUp } = simulator
  const creates = (): ReadonlyArray<VendorCreate> =>
    log.read(0, "checkout").flatMap(({ external_id, landed, outcome }) => {
      const id = idOf(external_id)
      // One that lands late is in the log as it was cut off, and once more as it landed.
      return id !== undefined && landed !== true ? [{ external_id: id, outcome: String(outcome) }] : []
    })
  const ends = () =>
    log.read(0, "outcome").map(({ amount_centavos, external_id, status }) => ({
      external_id: idOf(external_id) ?? "",
      amount_centavos: Number(amount_centavos),
      status: simulator.statusOf(String(status))
    }))
  const vendor: PixVendor = {
    env: { CARTEIRO_PIXPROV2_DRIVER: driver, ...env },
    credentials,
    modes: driver === "mercadopago" ? ["hosted_checkout", "transparent_pix"] : [],
    connect: (baseUrl, connectionId) => {
      setUp({
        key: demo.api_key,
        webhook_secret: demo.webhook_secret,
        webhook_url: `${baseUrl}/webhooks/pixprov2/${connectionId}`
      })
      setUp({ ...platform, webhook_url: `${baseUrl}/webhooks/pixprov2/platform` })
    },
    hurt: (wanted, seed) => {
      setFaults(faults, wanted, seed)
    },
    decide: end,
    decideAll: (pick) => {
      for (const id of new Set(creates().map(({ external_id }) => external_id))) {
        if (hasEnded(id) === false) end(id, pick())
      }
    },
    log: () => ({
      creates: creates().filter(({ external_id }) => !isTopup(external_id)),
      ends: ends().filter(({ external_id, status }) => status !== "approved" && !isTopup(external_id))
    }),
    topups: () =>
      ends()
        .filter(({ external_id }) => isTopup(external_id))
        .map(({ amount_centavos, external_id, status }) => ({ external_id, amount_centavos, taken: status === "paid" }))
  }
  return vendor
})

const isTopup = (externalId: string): boolean => externalId.startsWith("ctu_")

/** Faults that the wires of some vendors do not have: without a signature there is none to forge. */
const ofSomeWires: ReadonlySet<string> = new Set(["bad_signature", "stale_webhook", "early_webhook"])

/** Hurts a simulator by those faults that its wire has; a name that none has is a mistake of the suite. */
export const setFaults = (faults: Faults, wanted: ReadonlyArray<Fault>, seed: number): void => {
  const possible = wanted.filter(({ name }) => faults.names.includes(name) || !ofSomeWires.has(name))
  const unknown = faults.set(possible, seed)
  if (unknown.length > 0) throw new Error(`no such faults: ${unknown.join(", ")}`)
}

/** What a vendor does wrong when it is told to, as far as its wire allows: calls first, then what it tells. */
export const vendorFaults = [
  { name: "reset" },
  { name: "reset_after" },
  { name: "timeout_after" },
  { name: "error_500" },
  { name: "error_500_after" },
  { name: "charge_rejected", operation: "checkout" },
  { name: "idempotency_key_in_use", operation: "checkout" },
  { name: "rate_limited", value: 2 },
  { name: "slow", value: 2000 },
  { name: "lands_late", value: 3000 },
  { name: "lagging_lookup", value: 2000 },
  { name: "early_webhook" },
  { name: "duplicate_webhook" },
  { name: "reorder_webhooks" },
  { name: "delay_webhook", value: 1500 },
  { name: "lost_webhook" },
  { name: "bad_signature" },
  { name: "stale_webhook" }
] as const satisfies readonly [Fault, ...ReadonlyArray<Fault>]
