import { pixprov2Demo } from "@carteiro/runtime/boot/simulators/PixSimulators.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, Redacted } from "effect"
import { type HurtVendor, hurtVendor } from "../VendorFaults.ts"
import { type Decision, driversOf, type PixDriver, type PixSimulator, pixSimulators } from "./PixSimulators.ts"

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
export interface PixVendor extends HurtVendor {
  /** Settings of every node. */
  readonly env: Readonly<Record<string, string>>
  /** What the production environment's account is connected with; undefined where the demonstration has connected it. */
  readonly credentials: Readonly<Record<string, string>> | undefined
  /** The ways in which merchants are paid by turns; none where the standard one is enough. */
  readonly modes: ReadonlyArray<"hosted_checkout" | "transparent_pix">
  /** The product stands at this address, and its connection is that of the demo account. */
  readonly connect: (baseUrl: string, connectionId: string) => void
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

/** Starts it on the wires of its drivers; it knows the demo account of nodes with this master key, and goes with the scope. */
export const startPixVendor = Effect.fnUntraced(function* (driver: PixDriver, masterKey: string, folder: string) {
  const keys = parseMasterKeys(masterKey)
  if (keys === undefined) return yield* Effect.die("32 bytes in hex are a master key")
  const demo = pixprov2Demo(Redacted.make(keys))
  const drivers = driversOf(driver)
  const own = yield* pixSimulators[drivers.own](platform, folder)
  const tenants = drivers.tenants === drivers.own ? own : yield* pixSimulators[drivers.tenants](platform, folder)
  const simulators = [...new Set([own, tenants])]
  const vendor: PixVendor = {
    ...hurtVendor(
      simulators.map(({ faults }) => faults),
      // A bank finds a charge by its txid, and no list is read.
      new Set(driver === "pix-api" ? ["lagging_lookup"] : [])
    ),
    env: { CARTEIRO_PIXPROV2_DRIVER: drivers.own, ...own.env, ...own.trust, ...tenants.trust },
    credentials: tenants.credentials,
    modes: drivers.tenants === "mercadopago" ? ["hosted_checkout", "transparent_pix"] : [],
    connect: (baseUrl, connectionId) => {
      own.setUp({
        key: demo.api_key,
        webhook_secret: demo.webhook_secret,
        webhook_url: `${baseUrl}/webhooks/pixprov2/${connectionId}`
      })
      own.setUp({ ...platform, webhook_url: `${baseUrl}/webhooks/pixprov2/platform` })
    },
    decide: (id, decision) => (isTopup(id) ? own : tenants).end(id, decision),
    decideAll: (pick) => {
      for (const simulator of simulators) {
        for (const id of new Set(createsOf(simulator).map(({ external_id }) => external_id))) {
          if (simulator.hasEnded(id) === false) simulator.end(id, pick())
        }
      }
    },
    log: () => ({
      creates: createsOf(tenants).filter(({ external_id }) => !isTopup(external_id)),
      ends: endsOf(tenants).filter(({ external_id, status }) => status !== "approved" && !isTopup(external_id))
    }),
    topups: () =>
      endsOf(own)
        .filter(({ external_id }) => isTopup(external_id))
        .map(({ amount_centavos, external_id, status }) => ({ external_id, amount_centavos, taken: status === "paid" }))
  }
  return vendor
})

const createsOf = ({ idOf, log }: PixSimulator): ReadonlyArray<VendorCreate> =>
  log.read(0, "checkout").flatMap(({ external_id, landed, outcome }) => {
    const id = idOf(external_id)
    // One that lands late is in the log as it was cut off, and once more as it landed.
    return id !== undefined && landed !== true ? [{ external_id: id, outcome: String(outcome) }] : []
  })

const endsOf = ({ idOf, log, statusOf }: PixSimulator) =>
  log.read(0, "outcome").map(({ amount_centavos, external_id, status }) => ({
    external_id: idOf(external_id) ?? "",
    amount_centavos: Number(amount_centavos),
    status: statusOf(String(status))
  }))

const isTopup = (externalId: string): boolean => externalId.startsWith("ctu_")
