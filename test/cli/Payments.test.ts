import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { CliTest, json, run } from "./Commands.ts"

const id = (n: number) => `pay_01kdvrbq78f4j63tz98jy2er2${n}`

/** A payment as it stands in the table. */
const stored = Effect.fnUntraced(function* (n: number, status: string, hoursAgo: number) {
  const { acme } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const at = new Date((yield* Clock.currentTimeMillis) - hoursAgo * 3_600_000)
  const column = status === "expired" ? { expired_at: at } : {}
  yield* sql`insert into payment_requests ${sql.insert({
    environment_id: acme.production.id,
    id: id(n),
    environment: "production",
    account_id: acme.organization_id,
    status,
    amount: 1_255_000,
    customer_tax_id: "12345678909",
    external_reference: `order-${n}`,
    provider: "pixprov2",
    mode: "hosted_checkout",
    expires_in_seconds: 86_400,
    trace_id: "t",
    rate_card_id: "rct_2026_01",
    initiation_amount: 4900,
    initiation_reservation_id: `rsv_i${n}`,
    completion_rate: 100,
    completion_amount: 12_550,
    completion_reservation_id: `rsv_c${n}`,
    completion_state: "held",
    created_at: at,
    updated_at: at,
    step: "find",
    due_at: new Date(),
    ...column
  })}`
}, Effect.orDie)

it.layer(CliTest, { excludeTestServices: true })("carteiro payments", (it) => {
  it.effect("lists and shows payments, and finds unresolved fees C-PAY-30 C-FEE-09 C-FEE-10", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      yield* stored(1, "expired", 1)
      yield* stored(2, "link_pending", 25)
      yield* stored(3, "link_pending", 23)
      const of = ["-e", acme.production.id]
      const ids = (found: { readonly data: ReadonlyArray<{ readonly id: string }> }) => found.data.map(({ id }) => id)
      assert.deepStrictEqual(ids(yield* json("payments", "list", ...of)), [id(3), id(2), id(1)])
      assert.deepStrictEqual(ids(yield* json("payments", "list", ...of, "--status", "expired")), [id(1)])
      assert.deepStrictEqual(ids(yield* json("payments", "list", ...of, "--named", "order-2")), [id(2)])
      const held = yield* json("payments", "held")
      assert.deepStrictEqual(ids(held), [id(1), id(2)])
      assert.strictEqual(held.data[0].fees.completion.state, "unresolved")
      const { text } = yield* run("payments", "show", ...of, id(2))
      assert.match(text, /^completion_state +unresolved$/m)
      assert.notInclude(text, "12345678909")
      assert.match((yield* run("payments", "show", ...of, "pay_none")).refusal, /No payment of this id/)
    })
  )
})
