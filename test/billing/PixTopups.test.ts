import { PixTopups } from "@carteiro/runtime/billing/routes/PixTopups.ts"
import type { PixSimulator } from "@carteiro/simulators/pix/PixSimulator.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { csrfIn, signedIn } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { simulatedPix } from "../support/Pix.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { violations } from "./Accounts.ts"

const begin = Effect.fnUntraced(function* (accountId: string, amount: number) {
  return yield* (yield* PixTopups).begin(accountId, amount, yield* Clock.currentTimeMillis)
})

const read = Effect.fnUntraced(function* (accountId: string, id: string) {
  return yield* (yield* PixTopups).read(accountId, id)
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Top-ups by Pix in a sandbox", (it) => {
  it.effect("shows a code with its picture, and is paid a second later without a provider C-PKG-08", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id: account, key } = acme.sandbox
      const begun = yield* begin(account, 100_0000)
      assert.deepInclude(begun, { kind: "cash", status: "pending", payment_method: "pix", amount_brl: "100.0000" })
      assert.strictEqual(begun.provider, "pixprov2")
      assert.isString(begun.pix_copy_paste)
      assert.strictEqual(
        Buffer.from(begun.pix_qr_code_base64 ?? "", "base64")
          .subarray(1, 4)
          .toString(),
        "PNG"
      )
      yield* turnBy(1500)
      assert.strictEqual((yield* read(account, begun.id))?.status, "succeeded")
      const { body } = yield* get("/v1/billing/packages", { key })
      assert.deepInclude(body.data[0], { id: begun.id, status: "succeeded", cardproc_client_secret: null })
      assert.deepStrictEqual(yield* violations, [])
    })
  )

  it.effect("takes whole centavos from R$ 20,00 to R$ 10.000,00", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      for (const amount of [19_9999, 20_0001, 10_000_0100, 0, -1, 1.5]) {
        const refused = yield* Effect.flip(begin(acme.sandbox.id, amount))
        assert.deepStrictEqual([refused._tag, refused.param], ["invalid_billing_request", "amount_brl"])
      }
      const unset = yield* Effect.flip(begin(acme.organization_id, 20_0000))
      assert.deepStrictEqual(
        [unset._tag, unset.message],
        ["billing_provider_not_configured", "No Pix provider is set up here; pay by card."]
      )
    })
  )
})

class Vendor extends Context.Service<Vendor, PixSimulator>()("@carteiro/test/billing/PixVendor") {}

const product = Layer.unwrap(
  Effect.map(simulatedPix("pixprov2"), (simulator) =>
    WholeProduct({
      clock: "live",
      settings: {
        CARTEIRO_PIXPROV2_DRIVER: "bridge",
        CARTEIRO_PIXPROV2_API_BASE_URL: simulator.url,
        CARTEIRO_PIXPROV2_PLATFORM_API_KEY: "platform-key",
        CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET: "platform-secret"
      }
    }).pipe(Layer.provideMerge(Layer.succeed(Vendor, simulator)))
  )
)

it.layer(product, { excludeTestServices: true })("Top-ups by Pix in production", (it) => {
  it.effect(
    "are paid at the provider, reported by webhook and credited once; a lost answer makes no second charge C-PKG-08 C-LED-09",
    () =>
      Effect.gen(function* () {
        const { acme, baseUrl, get } = yield* Api
        const simulator = yield* Vendor
        const webhook_url = `${baseUrl}/webhooks/pixprov2/platform`
        simulator.accounts.setUp({ key: "platform-key", webhook_secret: "platform-secret", webhook_url })
        const account = acme.organization_id
        const units = Effect.map(get("/v1/billing/balance", { key: acme.production.key }), ({ body }) =>
          Math.round(Number(body.balance_brl) * 10_000)
        )
        const before = yield* units
        const begun = yield* begin(account, 50_0000)
        assert.match(begun.pix_copy_paste ?? "", /^000201/)
        assert.strictEqual(
          Buffer.from(begun.pix_qr_code_base64 ?? "", "base64")
            .subarray(1, 4)
            .toString(),
          "PNG"
        )
        simulator.faults.set([{ name: "duplicate_webhook" }], 1)
        const paid = { method: "POST", body: new URLSearchParams({ outcome: "paid" }) }
        yield* Effect.promise(() => fetch(`${simulator.url}/pay/${begun.id}`, paid))
        yield* until(Effect.map(read(account, begun.id), (topup) => topup?.status === "succeeded"))
        const taken = simulator.log.read(0, "webhook").filter(({ status }) => status === 200)
        assert.isAbove(taken.length, 0)
        assert.strictEqual((yield* units) - before, 50_0000)

        simulator.faults.set([{ name: "reset_after", operation: "checkout", times: 1 }], 1)
        const lost = yield* begin(account, 20_0000)
        yield* until(Effect.map(read(account, lost.id), (topup) => topup?.pix_copy_paste != null))
        const made = simulator.log.read(0, "checkout").filter(({ external_id }) => external_id === lost.id)
        assert.strictEqual(made.length, 1)
        assert.deepStrictEqual(yield* violations, [])
      })
  )

  it.effect("a form of the console that is posted twice begins one, whose page both answers lead to gaps-1 B", () =>
    Effect.gen(function* () {
      const { acme, baseUrl } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const webhook_url = `${baseUrl}/webhooks/pixprov2/platform`
      ;(yield* Vendor).accounts.setUp({ key: "platform-key", webhook_secret: "platform-secret", webhook_url })
      const someone = yield* signedIn(acme)
      const path = "/dashboard/billing/top-up"
      const sent = { amount: "33,00", csrf: csrfIn((yield* someone.get(path)).text) }
      const answers = yield* Effect.forEach([sent, sent], (fields) => someone.post(`${path}/pix`, fields))
      const [first, second] = answers.map(({ headers }) => headers.location ?? "")
      assert.match(first ?? "", /^\/dashboard\/billing\/top-up\/ctu_[0-9a-z]{26}$/)
      assert.strictEqual(second, first)
      const count = sql`select id from credit_topups where account_id = ${acme.organization_id} and amount = 330000`
      assert.lengthOf(yield* count, 1)
      const entries = yield* sql`select id from audit_log where action = 'billing.pix_topup_begun'`
      assert.lengthOf(entries, 1)
      assert.strictEqual((yield* someone.submit(path, `${path}/pix`, { amount: "33,00" })).status, 303)
      assert.lengthOf(yield* count, 2)
    })
  )
})
