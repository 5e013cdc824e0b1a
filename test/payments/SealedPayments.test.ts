import { pageHash, pageHashes } from "@carteiro/runtime/payments/sealing/SealedColumns.ts"
import { sealOldRows } from "@carteiro/runtime/payments/sealing/SealOldRows.ts"
import { makeSecrets } from "@carteiro/secrets/Secrets.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { visitor } from "../console/Visitor.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic } from "./AgenticStage.ts"
import { connect, everything, paying } from "./PaymentsStage.ts"

const tables = ["payment_requests", "agentic_authorizations", "outbox_events", "webhook_events", "idempotency_records"]

/** Every row about payments as text, bytes as characters. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const texts = yield* Effect.forEach(tables, (table) =>
    sql.unsafe<{ readonly text: string }>(`select coalesce(string_agg(t::text, chr(10)), '') as text from ${table} t`)
  )
  const bytes = /x((?:[0-9a-f]{2}){8,})/g
  return texts
    .flat()
    .map(({ text }) => text.replaceAll(bytes, (_, hex: string) => Buffer.from(hex, "hex").toString("latin1")))
    .join("\n")
})

/** A sandbox payment whose link is a page of ours, and the path of that page. */
const linked = Effect.fnUntraced(function* (more: object = {}) {
  const calls = yield* paying("sandbox")
  const { id } = (yield* calls.create({ ...everything, ...more })).body
  yield* turnBy(500)
  const url: string = (yield* calls.payment(id)).payment_link_url
  const page = new URL(url).pathname
  return { ...calls, id: id as string, url, page, token: page.split("/").at(-1) ?? "" }
})

/** Turns a payment into the stored form of an earlier release. */
const asBefore = Effect.fnUntraced(function* (id: string, url: string, token: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update payment_requests set payment_link_url = ${url}, page_token = ${token}, link_sealed = null,
    page_hash = null, customer_tax_id = '12345678909', customer_tax_id_sealed = null where id = ${id}`
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Payments at rest", (it) => {
  it.effect('hold neither the tax id of a payer nor the token of a page gaps-3 C "Personal data in payments"', () =>
    Effect.gen(function* () {
      const sandbox = yield* agentic("sandbox")
      const { id } = (yield* sandbox.authorize({ customer_tax_id: "98765432100" })).body
      assert.strictEqual((yield* sandbox.authorization(id)).customer_tax_id, "98765432100")
      const page = yield* linked()
      yield* connect("pixprov2", "sandbox")
      const code = yield* linked({ provider_options: { pixprov2: { mode: "transparent_pix" } } })
      const text = yield* stored
      assert.include(text, page.id)
      for (const secret of ["98765432100", everything.customer_tax_id, page.token, code.token]) {
        assert.notInclude(text, secret)
      }
      assert.strictEqual((yield* page.payment(page.id)).customer_tax_id, everything.customer_tax_id)
      const payer = yield* visitor
      for (const { page: address } of [page, code]) assert.strictEqual((yield* payer.get(address)).status, 200)
      assert.strictEqual((yield* page.payment(page.id)).payment_link_url, page.url)
    })
  )

  it.effect(
    'of an earlier release keep their links, before and after their encryption gaps-3 C "Sandbox pay page"',
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, page, payment, token, url } = yield* linked()
        yield* asBefore(id, url, token)
        const sandbox = yield* agentic("sandbox")
        const authorization = (yield* sandbox.authorize()).body.id
        yield* sql`update agentic_authorizations set customer_tax_id = '55544433322', customer_tax_id_sealed = null
        where id = ${authorization}`
        const looks = Effect.gen(function* () {
          const payer = yield* visitor
          assert.strictEqual((yield* payer.get(page)).status, 200)
          const shown = yield* payment(id)
          assert.deepStrictEqual([shown.payment_link_url, shown.customer_tax_id], [url, "12345678909"])
          assert.strictEqual((yield* sandbox.authorization(authorization)).customer_tax_id, "55544433322")
        })
        yield* looks
        for (const secret of [token, "12345678909", "55544433322"]) assert.include(yield* stored, secret)
        yield* sealOldRows.run
        for (const secret of [token, "12345678909", "55544433322"]) assert.notInclude(yield* stored, secret)
        yield* looks
        const sealed = yield* stored
        yield* sealOldRows.run
        assert.strictEqual(yield* stored, sealed)
        const payer = yield* visitor
        assert.strictEqual((yield* payer.post(page, { status: "paid" })).status, 303)
        assert.strictEqual((yield* payment(id)).status, "paid")
      })
  )

  it.effect("of an earlier release are encrypted however many there are, and links to other pages do not change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* linked()
      const vendors = "https://pay.example/1"
      yield* sql`insert into payment_requests (environment_id, id, environment, account_id, status, amount, provider, mode,
          expires_in_seconds, trace_id, created_at, updated_at, customer_tax_id, payment_link_url)
        select environment_id, 'pay_old' || n, environment, account_id, 'link_pending', amount, provider, mode,
          expires_in_seconds, trace_id, created_at, updated_at, '11122233344', ${vendors}
        from payment_requests, generate_series(1, 450) n where id = ${id}`
      yield* sealOldRows.run
      const left =
        yield* sql`select count(*)::int4 as plain, count(*) filter (where payment_link_url = ${vendors})::int4 as links
        from payment_requests where id like 'pay_old%' and customer_tax_id is null`
      assert.deepStrictEqual(left, [{ plain: 450, links: 450 }])
    })
  )
})

describe("The hash of a page", () => {
  const key = (byte: number) => new Uint8Array(32).fill(byte)

  it("is found under an older master key while that key is listed", () => {
    const before = makeSecrets([key(1)])
    const after = makeSecrets([key(2), key(1)])
    const hash = Buffer.from(pageHash(before, "token"))
    assert.isTrue(pageHashes(after, "token").some((one) => hash.equals(one)))
    assert.isFalse(pageHashes(makeSecrets([key(2)]), "token").some((one) => hash.equals(one)))
  })
})
