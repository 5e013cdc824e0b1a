import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { PixDriver as Driver } from "@carteiro/provider/payments/PixProvider.ts"
import { idOfTxid, txidOf } from "@carteiro/provider-pix-api/Txid.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Faults } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import type { AccountSetup } from "@carteiro/simulators/pix/Accounts.ts"
import { hasEnded } from "@carteiro/simulators/pix/Charges.ts"
import { startPixApi } from "@carteiro/simulators/pix-api/Simulator.ts"
import { startPixprov2 } from "@carteiro/simulators/pixprov2/Simulator.ts"
import { Effect, type Scope } from "effect"

/**
 * Who plays Pix provider 2: one driver for tenants and for the service's own account, or `both`: the service's account at
 * Mercado Pago, and tenants at a bank.
 */
export type PixDriver = Driver | "both"

/** The driver of the service's own account, and that of the production environment's connection. */
export const driversOf = (pix: PixDriver): { readonly own: Driver; readonly tenants: Driver } =>
  pix === "both" ? { own: "mercadopago", tenants: "pix-api" } : { own: pix, tenants: pix }

/** How a payer, or time, ends what is asked for. */
export type Decision = "paid" | "failed" | "expired"

/** What the run uses of a simulated Pix provider, whichever wire it speaks. */
export interface PixSimulator {
  /** Settings of every node for the service's own account: where it is, and what both sides agree on. */
  readonly env: Readonly<Record<string, string>>
  /** Settings of every node for accounts of tenants there: an address on this machine, and who signs its certificate. */
  readonly trust: Readonly<Record<string, string>>
  /** What an account there is connected with; undefined where one key is enough. */
  readonly credentials: Readonly<Record<string, string>> | undefined
  readonly setUp: (account: AccountSetup) => void
  readonly log: CallLog
  readonly faults: Faults
  /** Returns our id of the simulator's name of it. */
  readonly idOf: (name: unknown) => string | undefined
  /** Ends a charge by our id, unless it is not there or over. */
  readonly end: (id: string, decision: Decision) => void
  /** Returns whether a charge is over; undefined for one that is not there. */
  readonly hasEnded: (id: string) => boolean | undefined
  /** Returns the contract's word for an outcome of the simulator's log. */
  readonly statusOf: (outcome: string) => string
}

type Start = (platform: AccountSetup, folder: string) => Effect.Effect<PixSimulator, never, Scope.Scope>

const textOf = (name: unknown): string | undefined => (typeof name === "string" ? name : undefined)

const cancelMs = 200

const startBridge: Start = ({ key, webhook_secret }) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => startPixprov2({ now: vendorClock, workMs: cancelMs, accounts: [] })),
      (running) => Effect.promise(() => running.close())
    ),
    ({ accounts, charges, faults, log, url }) => ({
      env: envOf(url, key, webhook_secret),
      trust: {},
      credentials: undefined,
      setUp: (account) => accounts.setUp(account),
      log,
      faults,
      idOf: textOf,
      end: (id, decision) => {
        const charge = charges.any(id)
        if (charge !== undefined) charges.end(charge, decision)
      },
      hasEnded: (id) => {
        const charge = charges.any(id)
        return charge === undefined ? undefined : hasEnded(charge)
      },
      statusOf: (outcome) => outcome
    })
  )

const startVendor: Start = ({ key, webhook_secret }) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => startMercadopago({ now: vendorClock, accounts: [] })),
      (running) => Effect.promise(() => running.close())
    ),
    ({ accounts, decide, faults, log, payments, preferences, url }) => {
      const isPage = (id: string) => preferences.any(id) !== undefined
      const endedOf = (id: string) => {
        const [page, payment] = [preferences.any(id), payments.any(id)]
        if (page === undefined) return payment && payment.outcome !== "pending"
        return payment?.outcome === "paid" || !preferences.isOpen(page)
      }
      return {
        env: envOf(url, key, webhook_secret),
        trust: {},
        credentials: undefined,
        setUp: (account) => accounts.setUp(account),
        log,
        faults,
        idOf: textOf,
        // A payer whose attempt at a page failed may try again: a page ends paid, or by our cancel.
        end: (id, decision) => {
          if (endedOf(id) === false) decide(id, isPage(id) ? "paid" : decision)
        },
        hasEnded: endedOf,
        statusOf: (outcome) => outcome
      }
    }
  )

/** The bank's secret part of the address of its notices, and our credentials there. */
const client = { client_id: "faults", client_secret: "faults-pix-api-secret", pix_key: "faults@example.com" }
const shop = { client_id: "faults-shop", client_secret: "faults-shop-secret" }

const startBank: Start = ({ webhook_secret }, folder) =>
  Effect.gen(function* () {
    const certificateFolder = join(folder, "bank")
    mkdirSync(certificateFolder, { recursive: true })
    const { certificates, cobs, decide, faults, log, url } = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startPixApi({ now: vendorClock, workMs: cancelMs, accounts: [client, shop], certificateFolder })
      ),
      (running) => Effect.promise(() => running.close())
    )
    const endedOf = (id: string) => {
      const cob = cobs.any(txidOf(id) ?? "")
      return cob && cob.status !== "ATIVA"
    }
    const pkcs12 = certificates.clientPkcs12.toString("base64")
    const { password } = certificates
    const base_url = `${url}/api/v2`
    return {
      env: {
        ...envOf(base_url, client.client_secret, webhook_secret),
        CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID: client.client_id,
        CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: pkcs12,
        CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD: password,
        CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: client.pix_key
      },
      trust: { CARTEIRO_PIX_API_SIMULATOR_URL: url, NODE_EXTRA_CA_CERTS: join(certificateFolder, "authority.pem") },
      credentials: {
        driver: "pix-api",
        base_url,
        ...shop,
        certificate_pkcs12_base64: pkcs12,
        certificate_password: password,
        pix_key: "shop@example.com"
      },
      // Notices go where the first charge registers them.
      setUp: () => undefined,
      log,
      faults,
      idOf: (name) => idOfTxid(name),
      end: (id, decision) => {
        if (endedOf(id) === false) decide(txidOf(id) ?? "", decision)
      },
      hasEnded: endedOf,
      // The standard has one word for a charge that its bank removed, and before its time that is a failure.
      statusOf: (outcome) => (outcome === "expired" ? "failed" : outcome)
    }
  })

const envOf = (url: string, key: string, secret: string) => ({
  CARTEIRO_PIXPROV2_API_BASE_URL: url,
  CARTEIRO_PIXPROV2_PLATFORM_API_KEY: key,
  CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: secret
})

/** Who plays Pix provider 2, by its driver. */
export const pixSimulators: Readonly<Record<Driver, Start>> = {
  bridge: startBridge,
  mercadopago: startVendor,
  "pix-api": startBank
}
