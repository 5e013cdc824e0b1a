import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { idReach } from "../../packages/console/search/IdReach.ts"
import { committedDescription } from "../../packages/openapi/Committed.ts"
import { loggedRequest } from "../contract/Stage.ts"
import { declare } from "../phone-orders/Orders.ts"
import { Api } from "../support/ApiTest.ts"
import { seedMedia } from "../support/Media.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { receiver } from "../webhooks/Deliveries.ts"
import { DashboardTest, seedMember, signedIn, textOf, type Visitor } from "./Visitor.ts"

/** Where a search of these words leads to; the menu and the field aside. */
const find = (someone: Visitor, words: string) =>
  Effect.map(someone.get(`/dashboard/search?q=${encodeURIComponent(words)}`), ({ status, text }) => {
    assert.strictEqual(status, 200, words)
    const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"))
    return [...main.matchAll(/href="([^"]+)"/g)]
      .map(([, address = ""]) => address.replaceAll("&amp;", "&"))
      .filter((address) => address !== "/docs")
  })

it.layer(DashboardTest, { excludeTestServices: true })("The search", (it) => {
  it.effect("finds a key by its id for every member, and shows none of another organization gaps-1 C", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const keysOf = (environment: string) =>
        sql<{ readonly id: string }>`select id from api_keys where environment_id = ${environment} limit 1`
      const [own] = yield* keysOf(acme.sandbox.id)
      const [foreign] = yield* keysOf(other.sandbox.id)
      const someone = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.deepStrictEqual(yield* find(someone, own?.id ?? ""), [
        `/dashboard/api-keys?environment=${acme.sandbox.id}`
      ])
      assert.deepStrictEqual(yield* find(someone, foreign?.id ?? ""), [])
    }).pipe(Effect.orDie)
  )

  it.effect("finds things of the organization by id, phone number, trace and template, each on its page", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const hook = yield* receiver(() => 200)
      const subscribed_events = ["message.received"]
      const endpoint = yield* post("/v1/webhook-endpoints", { url: hook.url, subscribed_events }, { key })
      const from = "+5511933332222"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Where am I?" } }
      const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      const components = [{ type: "BODY", text: "Hello" }]
      const template = yield* post(
        "/v1/templates",
        { name: "found_by_name", language: "pt_BR", category: "utility", components },
        { key }
      )
      assert.deepStrictEqual([heard.status, template.status], [202, 201], template.text)
      const logged = yield* loggedRequest(acme.sandbox)
      yield* turnBy(5_000)
      const someone = yield* signedIn(acme)
      const message = `/dashboard/messages/${environment}/${heard.body.id}`
      const request = `/dashboard/request-logs/${environment}/${logged}`
      const trace = /trace_id=([0-9a-f]{32})/.exec((yield* someone.get(request)).text)?.[1] ?? ""
      for (const [words, address] of [
        [heard.body.id, message],
        [` sb_${heard.body.id} `, message],
        [endpoint.body.id, `/dashboard/webhooks/${environment}/endpoints/${endpoint.body.id}`],
        [template.body.id, `/dashboard/templates/${environment}/${template.body.id}`],
        ["found_by_name", `/dashboard/templates/${environment}/${template.body.id}`],
        [number.id, `/dashboard/phone-numbers/${environment}/${number.id}`],
        ["+55 11 93333-2222", message],
        [logged, request],
        [trace, request]
      ] as const) {
        const found = yield* find(someone, words)
        assert.include(found, address, words)
        assert.strictEqual((yield* someone.get(found[0] ?? "")).status, 200, found[0])
      }
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.deepStrictEqual(yield* find(member, "found_by_name"), yield* find(someone, "found_by_name"))
      const named = yield* someone.get("/dashboard/search?q=found_by_name")
      assert.match(named.text, /data-hit="Template, [^"]+ · sandbox"/)
      const page = yield* someone.get(message)
      const delivery = /deliveries\/(whe_[0-9a-z]+)/.exec(page.text)?.[1] ?? ""
      assert.include(yield* find(someone, delivery), `/dashboard/webhooks/${environment}/deliveries/${delivery}`)
    })
  )

  it.effect("finds customers by any spelling, payments by reference and projects by name, and opens an exact hit", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const from = "+5521987651234"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Oi" } }
      const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      const charge = { amount_brl_centavos: 1000, customer_phone: from, external_reference: "order 42/B" }
      const payment = yield* post("/v1/payments", charge, { key })
      assert.deepStrictEqual([heard.status, payment.status], [202, 201], heard.text + payment.text)
      yield* turnBy(5_000)
      const someone = yield* signedIn(acme)
      const open = (words: string) => someone.get(`/dashboard/search?open=1&q=${encodeURIComponent(words)}`)
      const isCustomer = (address: string) => address.startsWith(`/dashboard/contacts/${environment}/con_`)
      const customer = (yield* find(someone, from)).find(isCustomer) ?? "no customer"
      for (const spelling of ["+55 21 98765-1234", "(21) 98765-1234", "21 8765-1234", "021987651234", "552187651234"]) {
        assert.include(yield* find(someone, spelling), customer, spelling)
        assert.strictEqual((yield* open(spelling)).headers.location, customer, spelling)
      }
      const paid = `/dashboard/payments/${environment}/${payment.body.id}`
      assert.strictEqual((yield* open("order 42/B")).headers.location, paid)
      const sql = yield* SqlClient.SqlClient
      const [project] = yield* sql<{ readonly name: string }>`select name from projects where id = ${acme.project.id}`
      assert.include(yield* find(someone, project?.name.toUpperCase() ?? ""), `/dashboard/projects/${acme.project.id}`)
      assert.strictEqual((yield* open("nothing has this name")).status, 200)
    })
  )

  it.effect("finds events, groups, orders, keys, projects and environments by their ids", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      yield* declare(acme.organization_id, "approved")
      const group = yield* post("/v1/groups", { phone_number_id: number.id, subject: "Maio" }, { key })
      const order = yield* post("/v1/phone-numbers/orders", { ddd: "11", display_name: "Loja", purpose: "x" }, { key })
      assert.deepStrictEqual([group.status, order.status], [202, 201], group.text + order.text)
      const from = "+5511911112222"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Told" } }
      const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      yield* turnBy(1_000)
      const sql = yield* SqlClient.SqlClient
      const [event] = yield* sql<{
        readonly id: string
      }>`select id from outbox_events where source_id = ${heard.body.id}`
      const [own] = yield* sql<{ readonly id: string }>`select id from api_keys where environment_id = ${environment}`
      const someone = yield* signedIn(acme)
      for (const [words, address] of [
        [group.body.id, `/dashboard/groups/${environment}/${group.body.id}`],
        [order.body.id, `/dashboard/phone-orders/${order.body.id}`],
        [event?.id ?? "", `/dashboard/messages/${environment}/${heard.body.id}`],
        [own?.id ?? "", `/dashboard/api-keys?environment=${environment}`],
        [acme.project.id, `/dashboard/projects/${acme.project.id}`],
        [environment, `/dashboard?environment=${environment}`]
      ] as const) {
        const found = yield* find(someone, words)
        assert.include(found, address, words)
        assert.strictEqual((yield* someone.get(address)).status, 200, address)
      }
    })
  )

  it.effect("finds pages by their names, and says what can be typed", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      assert.deepStrictEqual(yield* find(someone, "batch"), ["/dashboard/batches"])
      assert.deepStrictEqual(yield* find(someone, ""), [])
      assert.include(textOf((yield* someone.get("/dashboard/search")).text), "Type the id of anything")
      const nothing = yield* someone.get(`/dashboard/search?q=${encodeURIComponent("<b>x</b>")}`)
      assert.notInclude(nothing.text, "<b>x")
      assert.include(textOf(nothing.text), "Nothing of this organization")
      assert.include((yield* someone.get("/dashboard/billing")).text, 'action="/dashboard/search"')
    })
  )

  it.effect("finds nothing of another organization A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const number = yield* seedNumber(other.sandbox)
      const from = "+5511922221111"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Private" } }
      const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key: other.sandbox.key })
      const components = [{ type: "BODY", text: "Hello" }]
      const drafted = { name: "their_own", language: "pt_BR", category: "utility", components }
      assert.strictEqual((yield* post("/v1/templates", drafted, { key: other.sandbox.key })).status, 201)
      const logged = yield* loggedRequest(other.sandbox)
      const stranger = yield* signedIn(other)
      const shown = yield* stranger.get(`/dashboard/request-logs/${other.sandbox.id}/${logged}`)
      const trace = /trace_id=([0-9a-f]{32})/.exec(shown.text)?.[1] ?? ""
      assert.lengthOf(trace, 32)
      const someone = yield* signedIn(acme)
      for (const words of [heard.body.id as string, number.id, from, logged, trace, "their_own"]) {
        assert.isAbove((yield* find(stranger, words)).length, 0, words)
        const theirs = (yield* find(someone, words)).filter((address) => address.includes(other.sandbox.id))
        assert.deepStrictEqual(theirs, [], words)
      }
    })
  )

  it.effect("leads from the id of a part to the page of its whole, and from money and people to their pages", () =>
    Effect.gen(function* () {
      const { acme, get, other, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const hook = yield* receiver(() => 200)
      const asked = { url: hook.url, subscribed_events: ["message.received"] }
      const endpoint = yield* post("/v1/webhook-endpoints", asked, { key })
      const from = "+5511944443333"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Told" } }
      yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      yield* turnBy(5_000)
      const log = yield* get(`/v1/webhook-events?webhook_endpoint_id=${endpoint.body.id}`, { key })
      const [delivery] = log.body.data
      const media = yield* seedMedia(acme.sandbox)
      const components = [{ type: "BODY", text: "Hello" }]
      const drafted = { name: "of_parts", language: "pt_BR", category: "utility", components }
      const template = yield* post("/v1/templates", drafted, { key })
      const sql = yield* SqlClient.SqlClient
      const idOf = (from: string) =>
        Effect.map(
          sql.unsafe<{ readonly id: string }>(`select id from ${from} order by id desc limit 1`),
          ([row]) => row?.id ?? ""
        )
      const organization = acme.organization_id
      const movement = yield* idOf(`ledger_entries where organization_id = '${organization}'`)
      const topup = yield* idOf(`(select source_id as id from ledger_entries where account_id = '${organization}') s`)
      const version = yield* idOf(`template_versions where template_id = '${template.body.id}'`)
      const someone = yield* signedIn(acme)
      const stranger = yield* signedIn(other)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const [id, address] of [
        [delivery.attempts[0].id, `/dashboard/webhooks/${environment}/deliveries/${delivery.id}`],
        [media.asset_id, `/dashboard/media?environment=${environment}&file=${media.asset_id}`],
        [media.transcription_id, `/dashboard/media?environment=${environment}&file=${media.asset_id}`],
        [version, `/dashboard/templates/${environment}/${template.body.id}`],
        [movement, `/dashboard/billing?entry=${movement}`],
        [topup, `/dashboard/billing?entry=${topup}`],
        [acme.owner.id, `/dashboard/members/${acme.owner.id}`],
        [organization, "/dashboard"]
      ] as const) {
        assert.deepStrictEqual(yield* find(someone, id), [address], id)
        const page = yield* someone.get(address)
        assert.strictEqual(page.status, 200, address)
        if (address.includes("?")) assert.include(page.text, address.split("=").at(-1) ?? "", address)
        assert.deepStrictEqual(yield* find(stranger, id), [], id)
        assert.deepStrictEqual(yield* find(member, id), [address], id)
      }
    })
  )

  it.effect("every id prefix of the API leads to a page, or the search says why it has none", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const described = committedDescription() ?? ""
      const handedOut = new Set([...described.matchAll(/\^([a-z]+)_\[0-7\]/g)].map(([, prefix = ""]) => prefix))
      assert.isAbove(handedOut.size, 35)
      const [found, unfound] = [true, false].map((wanted) =>
        Object.entries(idReach).flatMap(([prefix, reach]) => ((reach === true) === wanted ? [prefix] : []))
      )
      for (const prefix of handedOut) assert.include([...(found ?? []), ...(unfound ?? [])], prefix)
      const source = ["SearchHttp", "ThingFinder", "OrganizationFinder"]
        .map((name) => readFileSync(new URL(`../../packages/console/search/${name}.ts`, import.meta.url), "utf8"))
        .join("")
      // Projects, environments and the organization are compared as a whole.
      for (const prefix of found?.filter((one) => !["org", "prj", "env"].includes(one)) ?? []) {
        assert.match(source, new RegExp(`"${prefix}"|\\b${prefix}: \\[`), prefix)
      }
      const someone = yield* signedIn(acme)
      const audience = `aud_${"0".repeat(26)}`
      const { text } = yield* someone.get(`/dashboard/search?q=${audience}`)
      assert.include(textOf(text), "An audience has no page")
    })
  )
})
