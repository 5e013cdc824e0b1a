import { ResetRepo } from "@carteiro/runtime/sandbox/clock/ResetRepo.ts"
import {
  changedTables,
  emptiedAccounts,
  emptiedTables,
  untouchedTables
} from "@carteiro/runtime/sandbox/clock/ResetTables.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedThings } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const dayMs = 86_400_000
const customer = "+5511912345678"
let projects = 0

/** A sandbox of its own with a number, and what its key asks. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `reset-${++projects}`)
  const { sandbox, slug } = project
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const get = (path: string) => api.get(`/v1/${path}`, { key })
  const post = (path: string, body?: object, more: object = {}) => api.post(`/v1/${path}`, body, { key, ...more })
  const settle = Effect.fnUntraced(function* (begun: Effect.Success<ReturnType<typeof post>>) {
    assert.strictEqual(begun.status, 202, begun.text)
    const read = get(`sandbox/clock/advances/${begun.body.id}`)
    yield* until(Effect.map(read, ({ body }) => body.status !== "running"))
    return (yield* read).body
  })
  const advance = (by_seconds: number) => Effect.flatMap(post("sandbox/clock/advance", { by_seconds }), settle)
  const reset = Effect.flatMap(post("sandbox/clock/reset", { project_slug: slug }), settle)
  const say = post("sandbox/inbound-messages", {
    channel: "chatapp",
    from: customer,
    to: number.id,
    type: "text",
    text: { body: "oi" }
  })
  const send = post("messages", {
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: number.id },
    recipient: { type: "phone_e164", id: customer },
    message: { type: "text", text: { body: "Olá" } }
  })
  return { api, project, sandbox, slug, key, number, get, post, advance, reset, say, send }
})

/** Rows of the environment, or of its own account, in every table that has such rows. */
const rowsOf = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{ readonly table_name: string; readonly column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and column_name in ('environment_id', 'account_id')`
  const rows = new Map<string, number>()
  for (const { column_name, table_name } of columns) {
    const [found] = yield* sql<{ readonly count: number }>`select count(*)::int4 as count from ${sql(table_name)}
      where ${sql(column_name)} = ${environmentId}`
    rows.set(table_name, (rows.get(table_name) ?? 0) + (found?.count ?? 0))
  }
  return rows
})

it.layer(WholeProduct({ clock: "live" }), { excludeTestServices: true })("A reset of a sandbox", (it) => {
  it.effect("knows every table with rows of a sandbox", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* stage
      const known = [...emptiedTables, ...emptiedAccounts, ...changedTables, ...Object.keys(untouchedTables)]
      assert.deepStrictEqual([...(yield* rowsOf(sandbox.id)).keys()].sort(), [...known].sort())
    })
  )

  it.effect(
    "leaves keys, templates and the first number of a sandbox that had one of everything, at real time",
    () =>
      Effect.gen(function* () {
        const { advance, get, key, number, project, reset, sandbox, say, send } = yield* stage
        const other = project.production.id
        yield* seedThings(sandbox)
        yield* seedNumber(sandbox)
        yield* say
        const moved = yield* advance((400 * dayMs) / 1000)
        assert.include(["settled", "stopped"], moved.status)
        yield* say
        yield* send
        const templates = (yield* get("templates?limit=50")).body.data.map(({ id }: { readonly id: string }) => id)
        const untouched = yield* rowsOf(other)
        const settled = yield* reset
        assert.deepInclude(settled, { status: "settled", kind: "reset", error: null })
        const rows = yield* rowsOf(sandbox.id)
        for (const table of [...emptiedTables, ...emptiedAccounts]) {
          // Requests of this test are logged, and the account opens an empty wallet anew.
          if (!["request_blocks", "request_log_counts", "wallets"].includes(table))
            assert.strictEqual(rows.get(table), 0, table)
        }
        assert.deepInclude(Object.fromEntries(rows), {
          media_assets: 0,
          phone_months: 0,
          phone_numbers: 1,
          api_keys: 2
        })
        const sql = yield* SqlClient.SqlClient
        const wallets = yield* sql`select balance::int4, held::int4 from wallets where account_id = ${sandbox.id}
        and (balance <> 0 or held <> 0)`
        assert.deepStrictEqual(wallets, [])
        assert.deepStrictEqual(yield* rowsOf(other), untouched)
        const clock = (yield* get("sandbox/clock")).body
        assert.deepInclude(clock, { lead_seconds: 0, frozen: false, advance_id: null })
        const kept = yield* get(`phone-numbers/${number.id}`)
        assert.deepInclude(kept.body, { id: number.id, status: "active" })
        for (const path of [
          "messages",
          "webhook-events",
          "webhook-endpoints",
          "batches",
          "payments",
          "contacts",
          "media",
          "groups"
        ])
          assert.deepStrictEqual((yield* get(path)).body.data, [], path)
        const after = yield* get("templates?limit=50")
        assert.deepStrictEqual(
          after.body.data.map(({ id }: { readonly id: string }) => id),
          templates
        )
        for (const { created_at } of after.body.data) assert.isAtMost(Date.parse(created_at), Date.now())
        assert.strictEqual((yield* get("account")).status, 200, key)
      }),
    240_000
  )

  it.effect(
    "ends what owners and caches remember: windows, tokens, plans and replays",
    () =>
      Effect.gen(function* () {
        const { advance, get, post, reset, say, send } = yield* stage
        for (let round = 0; round < 2; round++) {
          const closed = yield* send
          assert.strictEqual(closed.body.error?.code, "service_window_required", closed.text)
          yield* say
          const open = yield* send
          assert.strictEqual(open.status, 202, open.text)
          yield* advance(3600)
          assert.strictEqual((yield* get(`messages/${open.body.id}`)).body.status, "read")
          yield* say
          const headers = { idempotencyKey: "same" }
          const paid = yield* post("payments", { amount_brl_centavos: 12_550 }, headers)
          assert.strictEqual(paid.status, 201, paid.text)
          assert.strictEqual((yield* post("payments", { amount_brl_centavos: 12_550 }, headers)).body.id, paid.body.id)
          const saved = { cardproc_payment_method_id: "sbpm_ok", set_default: true }
          assert.strictEqual((yield* post("billing/payment-methods", saved)).status, 201)
          const plan = { plan_offering_id: "plo_standard", rail: "cardproc_card" }
          const subscribed = yield* post("billing/plan/subscribe", plan)
          assert.isBelow(subscribed.status, 300, subscribed.text)
          assert.strictEqual((yield* advance((200 * dayMs) / 1000)).status, "settled")
          assert.strictEqual((yield* reset).status, "settled")
          assert.strictEqual((yield* get(`payments/${paid.body.id}`)).status, 404)
        }
      }),
    240_000
  )

  it.effect("gives nothing an instant that it had not: drafts stay drafts, and work that is done stays done", () =>
    Effect.gen(function* () {
      const { advance, api, get, key, number, post, reset } = yield* stage
      assert.strictEqual((yield* advance((400 * dayMs) / 1000)).status, "settled")
      const named = { name: "only_a_draft", language: "pt_BR", category: "utility" }
      const components = [{ type: "BODY", text: "Seu pedido saiu para entrega." }]
      const draft = yield* post("templates", { ...named, components })
      assert.strictEqual(draft.status, 201, draft.text)
      const inbound = { channel: "chatapp", from: customer, to: number.id, type: "media", media: { kind: "audio" } }
      const heard = yield* post("sandbox/inbound-messages", inbound)
      assert.strictEqual(heard.status, 202, heard.text)
      assert.strictEqual((yield* advance(60)).status, "settled")
      const { media } = (yield* get(`messages/${heard.body.id}`)).body
      assert.strictEqual((yield* api.delete(`/v1/media/${media.asset_id}`, { key })).status, 200)
      assert.strictEqual((yield* advance(3600)).status, "settled")
      const before = (yield* get(`templates/${draft.body.id}`)).body
      assert.deepInclude(yield* reset, { status: "settled", error: null })
      const after = (yield* get(`templates/${draft.body.id}`)).body
      const instants = { created_at: after.created_at, updated_at: after.updated_at, trace_id: after.trace_id }
      assert.deepStrictEqual(after, { ...before, ...instants })
      // Work that was made due again would be tried each hour for ever.
      const day = yield* advance(dayMs / 1000)
      assert.deepInclude(day, { status: "settled", next_due_at: null })
      assert.isBelow(day.steps, 5)
    })
  )

  it.effect("is confirmed with the slug of the key's own project", () =>
    Effect.gen(function* () {
      const { api, get, post, project, say, slug } = yield* stage
      yield* say
      for (const body of [{ project_slug: "acme" }, { project_slug: "" }, {}]) {
        const refused = yield* post("sandbox/clock/reset", body)
        assert.strictEqual(refused.status, 400, refused.text)
        assert.deepInclude(refused.body.error, { code: "invalid_sandbox_request", param: "project_slug" })
      }
      const production = { key: project.production.key }
      const refused = yield* api.post("/v1/sandbox/clock/reset", { project_slug: slug }, production)
      assert.deepStrictEqual([refused.status, refused.body.error?.code], [400, "sandbox_only_route"], refused.text)
      assert.strictEqual((yield* get("messages")).body.data.length, 1)
    })
  )

  it.effect("ends also while requests that read it are logged", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ResetRepo
      const empties = Effect.suspend(() => repo.empty(sandbox.id, undefined, Date.now()))
      yield* until(empties)
      yield* sql`insert into request_blocks (environment_id, last_id, first_id, production, refused, lines)
        values (${sandbox.id}, 'req_1', 'req_1', false, false, '{}')`
      assert.isTrue(yield* empties)
      assert.strictEqual((yield* rowsOf(sandbox.id)).get("request_blocks"), 0)
    }).pipe(Effect.provide(ResetRepo.layer))
  )

  it.effect("refuses writes until it is settled, and is repeated under its idempotency key without a second one", () =>
    Effect.gen(function* () {
      const { get, post, say, slug } = yield* stage
      const again = { idempotencyKey: "nightly" }
      const begun = yield* post("sandbox/clock/reset", { project_slug: slug }, again)
      assert.strictEqual(begun.status, 202, begun.text)
      const refused = yield* say
      assert.deepStrictEqual([refused.status, refused.body.error?.code], [503, "service_unavailable"], refused.text)
      assert.strictEqual(refused.headers["retry-after"], "1")
      const second = yield* post("sandbox/clock/advance", { by_seconds: 60 })
      assert.strictEqual(second.body.error?.code, "sandbox_clock_advancing", second.text)
      const read = get(`sandbox/clock/advances/${begun.body.id}`)
      yield* until(Effect.map(read, ({ body }) => body.status === "settled"))
      assert.strictEqual((yield* say).status, 202)
      const repeated = yield* post("sandbox/clock/reset", { project_slug: slug }, again)
      assert.strictEqual(repeated.body.id, begun.body.id)
      assert.strictEqual((yield* get("messages")).body.data.length, 1)
    })
  )
})
