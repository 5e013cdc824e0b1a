import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { correct, hold, mint, release, settle, use } from "./Accounts.ts"
import { billingOwners, testHold } from "./TestActs.ts"

const owners = Layer.provideMerge(billingOwners, billingRoom.services)

/** The first organization of the test as an account. */
const account = Effect.map(Api, ({ acme }) => ({
  id: acme.organization_id,
  project_id: acme.project.id,
  environment_id: acme.production.id,
  tenant: acme
}))

/** Members of a ledger entry or a price. */
type ShownEntry = { readonly [member: string]: unknown }

it.layer(ApiTest(billingRoom.routes, owners, { followers: billingRoom.followers }), { excludeTestServices: true })(
  "Balance, ledger and rate cards",
  (it) => {
    it.effect(
      "any key of the organization reads its credit, blocked or not C-BAL-01..05 C-BAL-10 C-BAL-11 C-BAL-14",
      () =>
        Effect.gen(function* () {
          const { acme, get } = yield* Api
          const sql = yield* SqlClient.SqlClient
          yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
          const before = yield* get("/v1/billing/balance", { key: acme.production.key })
          assert.deepInclude(before.body, {
            id: acme.organization_id,
            object: "credit_balance",
            organization_id: acme.organization_id,
            balance_brl: "1000.0000",
            held_brl: "0.0000",
            currency: "brl",
            production_blocked: true
          })
          yield* correct(acme.organization_id, "credit", 50_0000)
          const { id } = yield* hold(yield* account, 12_3400)
          const after = yield* get("/v1/billing/balance", { key: acme.sandbox.key })
          assert.deepInclude(after.body, { balance_brl: "1037.6600", held_brl: "12.3400", production_blocked: false })
          assert.match(after.body.updated_at, /^2026-01-01T/)
          yield* release(yield* account, id)
        })
    )

    it.effect("needs billing:read, and lists refuse unknown parameters C-BAL-01 C-LED-11 C-RATE-03", () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { key } = yield* seedKey(acme.sandbox, { scopes: ["billing:write"] })
        for (const path of ["/v1/billing/balance", "/v1/billing/plan", "/v1/rate-cards/current"]) {
          assert.strictEqual((yield* get(path, { key })).body.error.code, "insufficient_scope")
          assert.strictEqual((yield* get(`${path}?other=1`, { key: acme.sandbox.key })).status, 200)
        }
        for (const path of ["/v1/billing/ledger", "/v1/billing/plans", "/v1/rate-cards"]) {
          assert.strictEqual((yield* get(path, { key })).body.error.code, "insufficient_scope")
          const unknown = yield* get(`${path}?other=1`, { key: acme.sandbox.key })
          assert.deepStrictEqual(
            [unknown.status, unknown.body.error.code, unknown.body.error.param],
            [400, "invalid_billing_query", "other"]
          )
        }
        for (const [query, param] of [
          ["limit=0", "limit"],
          ["limit=101", "limit"],
          ["environment=staging", "environment"],
          ["source_type=refund", "source_type"]
        ] as const) {
          const { body, status } = yield* get(`/v1/billing/ledger?${query}`, { key: acme.sandbox.key })
          assert.deepStrictEqual([status, body.error.code, body.error.param], [400, "invalid_billing_query", param])
        }
        const { body } = yield* get("/v1/rate-cards?currency=usd", { key: acme.sandbox.key })
        assert.deepStrictEqual([body.error.code, body.error.param], ["invalid_billing_query", "currency"])
      })
    )

    it.effect(
      "lists production and organization entries newest first, sandbox ones by filter C-LED-01..14 C-LED-17 C-LED-18 C-LED-20",
      () =>
        Effect.gen(function* () {
          const { get, other } = yield* Api
          const of = {
            id: other.organization_id,
            project_id: other.project.id,
            environment_id: other.production.id,
            tenant: other
          }
          const paid = yield* hold(of, 10_0000)
          const unpaid = yield* hold(of, 2_0000)
          yield* settle(of, paid.id)
          yield* release(of, unpaid.id)
          const usage = yield* use(of, "message.transport.utility")
          const sandboxed = yield* hold({ ...of, id: other.sandbox.id }, 4_0000)
          yield* turnBy(100)

          const list = (query = "") =>
            Effect.map(get(`/v1/billing/ledger${query}`, { key: other.production.key }), ({ body }) => body)
          const all = yield* list()
          assert.deepStrictEqual(
            all.data.map((entry: ShownEntry) => [entry.type, entry.source_type, entry.amount_brl, entry.environment]),
            [
              ["debit", "usage", "0.0500", "production"],
              ["release", "payment_fee_hold", "2.0000", "production"],
              ["debit", "usage", "10.0000", "production"],
              ["hold", "payment_fee_hold", "2.0000", "production"],
              ["hold", "payment_fee_hold", "10.0000", "production"],
              ["credit", "credit_topup", "1000.0000", null]
            ]
          )
          const [used, released, completed, , held, credited] = all.data
          assert.deepStrictEqual(
            [used.source_id, used.meter_id, used.payment_fee],
            [usage, "message.transport.utility", null]
          )
          assert.deepStrictEqual([credited.trace_id, credited.uncollected_brl, credited.currency], [null, null, "brl"])
          const fee = { object: "payment_request", id: `pay_of_${paid.id}`, reservation_id: paid.id }
          assert.deepStrictEqual([held.payment_fee, completed.payment_fee, held.source_id], [fee, fee, paid.id])
          assert.deepStrictEqual([completed.meter_id, completed.uncollected_brl], ["payment.completion", "0.0000"])
          assert.deepStrictEqual(
            [released.source_id, released.trace_id, released.meter_id],
            [unpaid.id, "trace-hold", null]
          )
          assert.strictEqual(new Set(all.data.map(({ id }: { readonly id: string }) => id)).size, 6)

          const production = yield* list("?environment=production")
          assert.strictEqual(production.data.length, 5)
          const sandbox = yield* list("?environment=sandbox")
          assert.deepStrictEqual(
            sandbox.data.map(({ source_id }: { readonly source_id: string }) => source_id),
            [sandboxed.id]
          )
          const topups = yield* list("?source_type=credit_topup")
          assert.deepStrictEqual(
            topups.data.map(({ type }: { readonly type: string }) => type),
            ["credit"]
          )
          const first = yield* list("?limit=4")
          const second = yield* list(`?limit=4&starting_after=${first.next_cursor}`)
          assert.deepStrictEqual([...first.data, ...second.data], all.data)
          assert.deepStrictEqual([first.has_more, second.has_more, second.next_cursor], [true, false, null])
        })
    )

    it.effect("a number's month creates no hold and appears as a debit C-LED-19", () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        const of = yield* account
        yield* correct(of.id, "credit", 100_0000)
        const reservation_id = yield* mint("rsv")
        yield* (yield* testHold.caller)(of.id, {
          id: reservation_id,
          amount: 49_9000,
          meter_id: "phone.rental.month",
          source_type: "phone_month",
          project_id: of.project_id,
          environment_id: of.environment_id,
          trace_id: null,
          payment: null
        })
        const newest = Effect.map(
          get("/v1/billing/ledger?limit=1", { key: of.tenant.production.key }),
          ({ body }) => body.data[0]
        )
        assert.strictEqual((yield* newest).type, "credit")
        yield* settle(of, reservation_id)
        const debit = yield* newest
        assert.deepInclude(debit, {
          type: "debit",
          source_type: "usage",
          meter_id: "phone.rental.month",
          amount_brl: "49.9000"
        })
        assert.isNull(debit.payment_fee)
      })
    )

    it.effect(
      "shows prices newest first and the current rate card, or 404 C-RATE-01 C-RATE-02 C-RATE-04 C-RATE-05 C-LIM-07",
      () =>
        Effect.gen(function* () {
          const { acme, get } = yield* Api
          const sql = yield* SqlClient.SqlClient
          const current = () => get("/v1/rate-cards/current", { key: acme.sandbox.key })
          const seed = (yield* current()).body
          assert.deepInclude(seed, {
            id: "rct_2026_01",
            object: "rate_card",
            name: "Standard 2026-01",
            currency: "brl",
            effective_from: "2026-01-01T00:00:00.000Z",
            effective_to: null
          })
          assert.deepStrictEqual(
            seed.entries.map((entry: ShownEntry) => [
              entry.meter_id,
              entry.unit_price_brl,
              entry.rate,
              entry.multiplier_applies
            ]),
            [
              ["message.transport.authentication", "0.0500", null, true],
              ["message.transport.marketing", "0.0800", null, true],
              ["message.transport.service", "0.0300", null, true],
              ["message.transport.utility", "0.0500", null, true],
              ["payment.completion", null, "0.01", false],
              ["payment.initiation", "0.4900", null, false],
              ["phone.management.month", "19.9000", null, false],
              ["phone.rental.month", "49.9000", null, false]
            ]
          )
          yield* sql`update rate_cards set effective_to = '2026-01-01T06:00:00Z' where id = 'rct_2026_01'`
          yield* sql`insert into rate_cards (id, name, effective_from) values ('rct_later', 'Later', '2026-01-02T00:00:00Z')`
          yield* turnBy(7 * 3_600_000)
          const none = yield* current()
          assert.deepStrictEqual([none.status, none.body.error.code], [404, "rate_card_not_found"])
          const list = yield* get("/v1/rate-cards?limit=1&currency=brl", { key: acme.sandbox.key })
          assert.deepStrictEqual([list.body.data[0].id, list.body.has_more], ["rct_later", true])
          const rest = yield* get(`/v1/rate-cards?starting_after=${list.body.next_cursor}`, { key: acme.sandbox.key })
          assert.deepStrictEqual(
            rest.body.data.map(({ id }: { readonly id: string }) => id),
            ["rct_2026_01"]
          )
        })
    )
  }
)
