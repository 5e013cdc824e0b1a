import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { PixTopups } from "@carteiro/runtime/billing/routes/PixTopups.ts"
import { pixApiAuthorityPath } from "@carteiro/runtime/boot/simulators/PixApiSimulator.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { signedIn } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { simulatedBank } from "../support/PixApi.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { violations } from "./Accounts.ts"

// The service's own account for Pix at vendors whose notices do not name a charge by our id: the owner of notices asks them.

/** What a vendor of either driver lets a test do. */
interface SimulatedVendor {
  readonly settings: Readonly<Record<string, string>>
  readonly log: Pick<CallLog, "read">
  readonly faults: { readonly set: (faults: ReadonlyArray<Fault>, seed: number) => unknown }
  /** A payer's bank pays a code. */
  readonly pay: (code: string) => void
  /** Tells the vendor where the product listens; undefined where charges say so. */
  readonly setUp: ((webhookUrl: string) => void) | undefined
  /** Brings the vendor's notices to the product at this address, and returns how many it took. */
  readonly notices: (baseUrl: string) => Effect.Effect<number>
  /** How the vendor names a charge in its log. */
  readonly nameOf: (id: string) => string
}

class Vendor extends Context.Service<Vendor, SimulatedVendor>()("@carteiro/test/billing/PixTopupVendor") {}

const secrets = {
  CARTEIRO_PIXPROV2_PLATFORM_API_KEY: "TEST-platform-key",
  CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: "platform-secret"
}

const mercadopago = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => startMercadopago({ now: vendorClock, accounts: [] })),
    (running) => Effect.promise(() => running.close())
  ),
  ({ accounts, decide, faults, log, url }): SimulatedVendor => ({
    settings: { ...secrets, CARTEIRO_PIXPROV2_DRIVER: "mercadopago", CARTEIRO_PIXPROV2_API_BASE_URL: url },
    log,
    faults,
    pay: (code) => void decide(code, "paid"),
    setUp: (webhook_url) =>
      accounts.setUp({ key: "TEST-platform-key", webhook_secret: "platform-secret", webhook_url }),
    notices: () => Effect.sync(() => log.read(0, "webhook").filter(({ status }) => status === 200).length),
    nameOf: (id) => id
  })
)

const pixApi = Effect.gen(function* () {
  const { credential, simulator } = yield* simulatedBank
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => dataFolder("carteiro-topups-")),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const authority = pixApiAuthorityPath({ dataDir })
  mkdirSync(dirname(authority), { recursive: true })
  writeFileSync(authority, simulator.certificates.ca)
  const { decide, faults, log } = simulator
  return {
    settings: {
      ...secrets,
      CARTEIRO_DATA_DIR: dataDir,
      CARTEIRO_PIX_API_SIMULATOR_URL: credential.base_url,
      CARTEIRO_PIXPROV2_DRIVER: "pix-api",
      CARTEIRO_PIXPROV2_API_BASE_URL: credential.base_url,
      CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID: credential.client_id,
      CARTEIRO_PIXPROV2_PLATFORM_API_KEY: credential.client_secret,
      CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: credential.certificate_pkcs12_base64,
      CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD: credential.certificate_password,
      CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: credential.pix_key
    },
    log,
    faults,
    pay: (code) => void decide(code, "paid"),
    setUp: undefined,
    // It tells at the public address of the installation, which is another one than the test's.
    notices: (baseUrl) =>
      Effect.promise(async () => {
        const [registered] = log.read(0, "webhook_register")
        const path = new URL(String(registered?.url)).pathname
        const bodies = log.read(0, "webhook").map(({ body }) => String(body))
        const answers = await Promise.all(
          bodies.map((body) => fetch(`${baseUrl}${path}/pix`, { method: "POST", body }))
        )
        return answers.filter(({ status }) => status === 200).length
      }),
    nameOf: (id) => id.replace("_", "")
  } satisfies SimulatedVendor as SimulatedVendor
})

const productOver = (vendor: Effect.Effect<SimulatedVendor, never, Scope.Scope>) =>
  Layer.unwrap(
    Effect.map(vendor, (simulated) =>
      WholeProduct({ clock: "live", settings: simulated.settings }).pipe(
        Layer.provideMerge(Layer.succeed(Vendor, simulated))
      )
    )
  )

const begin = Effect.fnUntraced(function* (accountId: string, amount: number) {
  return yield* (yield* PixTopups).begin(accountId, amount, yield* Clock.currentTimeMillis)
})

const read = Effect.fnUntraced(function* (accountId: string, id: string) {
  return yield* (yield* PixTopups).read(accountId, id)
})

const drivers = [
  ["mercadopago", mercadopago],
  ["pix-api", pixApi]
] as const

describe.each(drivers)("Top-ups by Pix with the driver %s", (_name, vendor) => {
  it.layer(productOver(vendor), { excludeTestServices: true })("in production", (it) => {
    it.effect(
      "the console shows a code; the vendor's notices, each twice, credit it once; a lost answer makes no second charge C-PKG-08 C-LED-09",
      () =>
        Effect.gen(function* () {
          const { acme, baseUrl, get } = yield* Api
          const { faults, log, nameOf, notices, pay, setUp } = yield* Vendor
          setUp?.(`${baseUrl}/webhooks/pixprov2/platform`)
          const account = acme.organization_id
          const units = Effect.map(get("/v1/billing/balance", { key: acme.production.key }), ({ body }) =>
            Math.round(Number(body.balance_brl) * 10_000)
          )
          const before = yield* units
          const someone = yield* signedIn(acme)
          const path = "/dashboard/billing/top-up"
          const posted = yield* someone.submit(path, `${path}/pix`, { amount: "50,00" })
          const page = posted.headers.location ?? ""
          const id = page.split("/").at(-1) ?? ""
          yield* until(Effect.map(read(account, id), (topup) => topup?.pix_copy_paste != null))
          const code = (yield* read(account, id))?.pix_copy_paste ?? ""
          assert.match(code, /^000201/)
          assert.include((yield* someone.get(page)).text, code)

          faults.set([{ name: "duplicate_webhook" }], 1)
          pay(code)
          yield* until(Effect.map(notices(baseUrl), (taken) => taken >= 2))
          // No look-up is due for a minute: the notices bring this about.
          yield* until(Effect.map(read(account, id), (topup) => topup?.status === "succeeded"))
          assert.strictEqual((yield* units) - before, 50_0000)

          faults.set([{ name: "reset_after", operation: "checkout", times: 1 }], 1)
          const lost = yield* begin(account, 20_0000)
          yield* until(Effect.map(read(account, lost.id), (topup) => topup?.pix_copy_paste != null))
          const made = log.read(0, "checkout").filter(({ external_id }) => external_id === nameOf(lost.id))
          assert.strictEqual(made.length, 1)
          assert.deepStrictEqual(yield* violations, [])
        })
    )

    it.effect("a notice that nothing proves is refused, and changes nothing", () =>
      Effect.gen(function* () {
        const { acme, baseUrl } = yield* Api
        const begun = yield* begin(acme.organization_id, 30_0000)
        const forged = JSON.stringify({ id: 1, type: "payment", data: { id: "1" }, pix: [{ txid: begun.id }] })
        for (const below of ["", "/guessed", "/guessed/pix"]) {
          const { status } = yield* Effect.promise(() =>
            fetch(`${baseUrl}/webhooks/pixprov2/platform${below}`, { method: "POST", body: forged })
          )
          assert.strictEqual(status, 401, below)
        }
        assert.strictEqual((yield* read(acme.organization_id, begun.id))?.status, "pending")
      })
    )
  })
})
