import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { ApiKeys, Tenancy } from "@carteiro/runtime/access/Access.ts"
import { Corrections } from "@carteiro/runtime/billing/Billing.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { correct, violations } from "./Accounts.ts"

/** An organization as the operator's command makes it, and a key of its production. */
const born = Effect.fnUntraced(function* (name: string) {
  const now = yield* Clock.currentTimeMillis
  const made = yield* (yield* Tenancy).createOrganization(
    { name, owner: { name: "Nina", email: `nina@${name}.test` }, project: { name: "First", slug: "first" } },
    now as RealInstant
  )
  const { secret } = yield* (yield* ApiKeys).mint(
    {
      organization_id: made.organization_id,
      project_id: made.project_id,
      environment_id: made.production_id,
      environment: "production",
      name: "first",
      scopes: KeyScope.literals,
      kind: "standard",
      expires_at: null
    },
    now as RealInstant
  )
  return { ...made, key: secret }
})

/** Something that a credit block stops, in its order before the body is looked at. */
const restricted = (key: string) =>
  Effect.flatMap(Api, ({ post }) => Effect.map(post("/v1/messages", {}, { key }), ({ body }) => body.error.code))

it.layer(WholeProduct({ settings: { CARTEIRO_PROMOTION_CREDIT_BRL: "12.5" } }), { excludeTestServices: true })(
  "A new organization with a promotion",
  (it) => {
    it.effect(
      "a new organization begins with the promotion as a credit entry, and production is open (gaps-3 D production_blocked)",
      () =>
        Effect.gen(function* () {
          const { get } = yield* Api
          const { key, organization_id } = yield* born("promoted")
          const balance = (yield* get("/v1/billing/balance", { key })).body
          assert.deepInclude(balance, { balance_brl: "12.5000", held_brl: "0.0000", production_blocked: false })
          const { data } = (yield* get("/v1/billing/ledger", { key })).body
          assert.deepStrictEqual(
            data.map((entry: { readonly [member: string]: unknown }) => [
              entry.type,
              entry.source_type,
              entry.amount_brl,
              entry.environment,
              entry.trace_id
            ]),
            [["credit", "credit_topup", "12.5000", null, null]]
          )
          assert.strictEqual(yield* restricted(key), "invalid_message_request")
          // The demonstration's own credit comes beside it, once. Boot contract, "Ready"
          const now = yield* Clock.currentTimeMillis
          const { begin } = yield* Corrections
          yield* begin(organization_id, 1000_0000, now)
          yield* begin(organization_id, 1000_0000, now)
          assert.strictEqual((yield* get("/v1/billing/balance", { key })).body.balance_brl, "1012.5000")
          assert.deepStrictEqual(yield* violations, [])
        })
    )
  }
)

it.layer(WholeProduct(), { excludeTestServices: true })("A new organization without one", (it) => {
  it.effect(
    "without a promotion an organization begins blocked and is freed by a positive balance C-BAL-10 C-BAL-12 (gaps-3 D production_blocked)",
    () =>
      Effect.gen(function* () {
        const { get } = yield* Api
        const { key, organization_id } = yield* born("penniless")
        const balance = () => Effect.map(get("/v1/billing/balance", { key }), ({ body }) => body)
        assert.deepInclude(yield* balance(), { balance_brl: "0.0000", production_blocked: true })
        assert.strictEqual(yield* restricted(key), "credit_balance_exhausted")
        yield* correct(organization_id, "credit", 1)
        assert.deepInclude(yield* balance(), { balance_brl: "0.0001", production_blocked: false })
        assert.strictEqual(yield* restricted(key), "invalid_message_request")
      })
  )
})
