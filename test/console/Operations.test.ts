import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import type { Rate } from "@carteiro/runtime/ratelimit/TokenBucket.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedBatches } from "../batches/BatchStage.ts"
import { agentic, connectAgentic } from "../payments/AgenticStage.ts"
import { paying } from "../payments/PaymentsStage.ts"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing } from "../webhooks/Deliveries.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const owed = "The credit balance is exhausted"
const off = "switched off"

/** Sets the families that are off in an environment. */
const switched = (environment: string, families: ReadonlyArray<string>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update environments set capabilities_off = ${JSON.stringify(families)} where id = ${environment}`
  )

/** Blocks or frees the spending of an organization. */
const blocked = (organization: string, value: boolean) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update organizations set credit_blocked = ${value} where id = ${organization}`
  )

it.layer(DashboardTest, { excludeTestServices: true })("Forms call the operations of the API", (it) => {
  it.effect("a delivery is sent again only with credit (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.production
      const someone = yield* signedIn(acme)
      const resend = someone.submit(
        "/dashboard",
        `/dashboard/webhooks/${id}/deliveries/whe_01k00000000000000000000000/resend`
      )
      yield* blocked(acme.organization_id, true)
      const api = yield* post("/v1/webhook-events/whe_01k00000000000000000000000/resend", undefined, { key })
      assert.deepStrictEqual([api.status, (yield* resend).status], [402, 402])
      yield* blocked(acme.organization_id, false)
      assert.strictEqual((yield* resend).status, 404)
    })
  )

  it.effect('a payment\'s approval is requested only while payments are on (gaps-2 A "Feature families")', () =>
    Effect.gen(function* () {
      const { acme, create, id: environment } = yield* paying("sandbox")
      const { id } = (yield* create()).body
      yield* turnBy(500)
      const path = `/dashboard/payments/${environment}/${id}`
      const someone = yield* signedIn(acme)
      yield* switched(environment, ["payments"])
      const refused = yield* someone.submit(path, `${path}/approval`)
      assert.deepStrictEqual([refused.status, textOf(refused.text).includes(off)], [403, true])
      yield* switched(environment, [])
      assert.strictEqual((yield* someone.submit(path, `${path}/approval`, { note: "Please" })).status, 303)
    })
  )

  it.effect("an authorization is revoked only with credit (gaps-1 C)", () =>
    Effect.gen(function* () {
      yield* connectAgentic
      const { acme, authorization, authorize, id: environment } = yield* agentic("production")
      const { id } = (yield* authorize()).body
      yield* turnBy(500)
      const { customer_name: name } = yield* authorization(id)
      const path = `/dashboard/agentic-authorizations/${environment}/${id}/revoke`
      const someone = yield* signedIn(acme)
      yield* blocked(acme.organization_id, true)
      const refused = yield* someone.submit("/dashboard", path, { name })
      assert.deepStrictEqual([refused.status, textOf(refused.text).includes(owed)], [402, true])
      yield* blocked(acme.organization_id, false)
      assert.strictEqual((yield* someone.submit("/dashboard", path, { name })).status, 303)
    })
  )

  it.effect(
    'a batch is resumed only while messaging is on, and paused all the same (gaps-2 A "Feature families")',
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const { id: environment } = acme.sandbox
        const batches = yield* seedBatches(acme.sandbox)
        const { id } = (yield* batches.post({ scheduled_at: "2026-01-20T00:00:00Z" })).body
        const path = `/dashboard/batches/${environment}/${id}`
        const someone = yield* signedIn(acme)
        const command = (name: string) => someone.submit(path, `${path}/command`, { command: name })
        yield* switched(environment, ["messaging"])
        assert.strictEqual((yield* command("pause")).status, 303)
        const refused = yield* command("resume")
        assert.deepStrictEqual([refused.status, textOf(refused.text).includes(off)], [403, true])
        yield* switched(environment, [])
        assert.strictEqual((yield* command("resume")).status, 303)
      })
  )

  it.effect("a template is looked at and written while messaging is off, and not submitted (gaps-2 G)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id: environment } = acme.sibling.sandbox
      const path = `/dashboard/templates/${environment}/new`
      const someone = yield* signedIn(acme)
      const typed = (intent: string) => ({
        intent,
        name: `written_${intent}`,
        language: "pt_BR",
        category: "utility",
        body: "Seu pedido saiu."
      })
      yield* switched(environment, ["messaging"])
      assert.strictEqual((yield* someone.submit(path, path, typed("look"))).status, 200)
      assert.match((yield* someone.submit(path, path, typed("save"))).headers.location ?? "", /done=saved$/)
      const refused = yield* someone.submit(path, path, typed("submit"))
      assert.include(textOf(refused.text), off)
      yield* switched(environment, [])
      assert.match(
        (yield* someone.submit(path, path, { ...typed("submit"), name: "again" })).headers.location ?? "",
        /done=submitted$/
      )
    })
  )

  it.effect("pages of production are read without credit, as before they called operations (gaps-1 C)", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.production
      const made = yield* post("/v1/contacts/opt-in", { phone: "+5511922227777" }, { key })
      const someone = yield* signedIn(acme)
      yield* blocked(acme.organization_id, true)
      assert.strictEqual((yield* get("/v1/contacts", { key })).status, 402)
      for (const section of ["contacts", "media", "groups", "request-logs"]) {
        const page = yield* someone.get(`/dashboard/${section}?environment=${id}`)
        assert.strictEqual(page.status, 200, section)
      }
      const contact = yield* someone.get(`/dashboard/contacts/${id}/${made.body.id}`)
      assert.deepStrictEqual([contact.status, textOf(contact.text).includes("+55 11 92222-7777")], [200, true])
      yield* blocked(acme.organization_id, false)
    })
  )

  it.effect("a list goes on where its page ended, and a filter that no row can have finds nothing A-CONV-17", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const phones = Array.from({ length: 27 }, (_, n) => `+55119333300${String(n).padStart(2, "0")}`)
      for (const phone of phones) yield* post("/v1/contacts/opt-in", { phone, source: "paged" }, { key })
      const someone = yield* signedIn(acme)
      const page = `/dashboard/contacts?environment=${id}&source=paged`
      const first = yield* someone.get(page)
      const older = /href="([^"]+)">Older/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.match(older, /before=con_[0-9a-z]{26}$/)
      const second = yield* someone.get(older)
      const shown = (text: string) => phones.filter((phone) => text.includes(readablePhone(phone).text))
      assert.deepStrictEqual([shown(first.text).length, shown(second.text)], [25, phones.slice(0, 2)])
      assert.notInclude(second.text, ">Older")
      const nothing = yield* someone.get(`/dashboard/contacts?environment=${id}&user_id=none`)
      assert.deepStrictEqual([nothing.status, textOf(nothing.text).includes("Nothing here is like this")], [200, true])
    })
  )

  it.effect("a file holds each row once, newest first, beyond the hundred rows of a page of the API A-CONV-14", () =>
    Effect.gen(function* () {
      const { get, other, post } = yield* Api
      const { id, key } = other.sandbox
      yield* post("/v1/contacts/opt-in", { phone: "+5511933331111", source: "filed" }, { key })
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into contacts (environment_id, id, customer_type, match_key, phone, opt_in_status, source, metadata,
          created_at, updated_at, revision)
        select environment_id, left(id, 24) || lpad(n::text, 6, '0'), customer_type, match_key || n, phone, opt_in_status,
          source, metadata, created_at, updated_at, revision
        from contacts, generate_series(1, 1300) n where environment_id = ${id} and source = 'filed'`
      const someone = yield* signedIn(other)
      const file = yield* someone.get(`/dashboard/contacts/export?environment=${id}&source=filed`)
      const ids = file.text
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0] ?? "")
      assert.deepStrictEqual([file.status, ids.length], [200, 1301])
      assert.deepStrictEqual(ids, [...new Set(ids)].toSorted().toReversed())
      assert.strictEqual((yield* get("/v1/contacts?limit=101", { key })).status, 400)
    })
  )
})

/** Members who may call five operations at once, and whom no time gives another. */
const frugal = { ...standardRates, person: { member: { ...standardRates.person.member, burst: 5 } as Rate } }

it.layer(WholeProduct({ outgoing, sweeps: false, rates: frugal }), { excludeTestServices: true })(
  "Pages read by operations",
  (it) => {
    it.effect("a page takes one token of its reader, however much it reads", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const someone = yield* signedIn(acme)
        // It reads the contacts and how long they are kept.
        const page = someone.get(`/dashboard/contacts?environment=${acme.sandbox.id}`)
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => page)
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200, 200, 429]
        )
      })
    )
  }
)
