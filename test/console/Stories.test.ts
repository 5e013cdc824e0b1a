import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countAll } from "../activity/CountAll.ts"
import { phone, recipients, seedBatches } from "../batches/BatchStage.ts"
import { paying } from "../payments/PaymentsStage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { receiver } from "../webhooks/Deliveries.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

/** The text of one section of a page. */
const sectionOf = (page: string, id: string): string => {
  const from = page.slice(page.indexOf(`<section aria-labelledby="${id}"`))
  return textOf(from.slice(0, from.indexOf("</section>")))
}

it.layer(DashboardTest, { excludeTestServices: true })("Pages of one thing", (it) => {
  it.effect("a payment tells its webhooks, its ledger entries, and its calls with its own id", () =>
    Effect.gen(function* () {
      const { acme, create, id, key, setStatus } = yield* paying("sandbox")
      const { post } = yield* Api
      const hook = yield* receiver(() => 200)
      yield* post("/v1/webhook-endpoints", { url: hook.url, subscribed_events: ["payment.paid"] }, { key })
      const payment = (yield* create({ external_reference: "order <9>" })).body.id
      const other = (yield* create()).body.id
      yield* turnBy(500)
      yield* setStatus(payment, { status: "paid" })
      yield* setStatus(other, { status: "paid" })
      yield* turnBy(2_000)
      const { text } = yield* (yield* signedIn(acme)).get(`/dashboard/payments/${id}/${payment}`)
      const deliveries = sectionOf(text, "deliveries")
      assert.match(deliveries, new RegExp(`payment\\.paid.*${payment}.*delivered`))
      assert.notInclude(deliveries, other)
      const ledger = sectionOf(text, "ledger")
      for (const moved of ["debit", "hold", "payment completion"]) assert.include(ledger, moved)
      const calls = sectionOf(text, "calls")
      assert.include(calls, `/v1/payments/${payment}"`)
      assert.include(calls, `await carteiro.payments.get("${payment}")`)
      assert.match(calls, /carteiro\.payments\.create\(\{ amount_brl_centavos: 12550, external_reference: "order <9>"/)
      assert.notInclude(text, "order <9>")
    })
  )

  it.effect("a webhook endpoint tells how its calls went over time, of its own environment alone A-WHE-24", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const { id, key } = acme.sandbox
      const sql = yield* SqlClient.SqlClient
      const hook = yield* receiver(() => 200)
      const made = yield* post("/v1/webhook-endpoints", { url: hook.url, subscribed_events: ["payment.paid"] }, { key })
      const endpoint = made.body.id
      const counted = (environment_id: string, outcome: string, count: number) => ({
        environment_id,
        measure: `${endpoint}.${outcome}`,
        hour: new Date("2025-12-31T22:00:00Z"),
        count,
        amount: count * 40
      })
      yield* sql`insert into endpoint_activity_hours ${sql.insert([
        counted(id, "succeeded", 3),
        counted(id, "failed", 1),
        counted(other.sandbox.id, "failed", 90)
      ])}`
      const someone = yield* signedIn(acme)
      const page = `/dashboard/webhooks/${id}/endpoints/${endpoint}`
      const { text } = yield* someone.get(page)
      const health = sectionOf(text, "health")
      assert.include(health, "75% of 4 calls succeeded; one took 40 ms on average.")
      assert.match(health, /31 Dec 3 1/)
      assert.include(sectionOf((yield* someone.get(`${page}?span=24h`)).text, "health"), "22:00 3 1")
    })
  )

  it.effect("a batch tells its failures by code, who was left out and why, and leads to its messages M-BAT-24", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const batches = yield* seedBatches(acme.sibling.sandbox)
      for (const index of [1, 2]) yield* post("/v1/contacts/opt-out", { phone: phone(index) }, { key })
      const made = (yield* batches.post({ recipients: recipients(4) })).body
      yield* turnBy(120_000)
      const { text } = yield* (yield* signedIn(acme)).get(`/dashboard/batches/${id}/${made.id}`)
      assert.match(sectionOf(text, "reasons"), /contact_opted_out 2 .*Who they are/)
      assert.include(text, `/dashboard/messages?environment=${id}&amp;batch_id=${made.id}`)
      assert.include(text, `/dashboard/phone-numbers/${id}/${made.sender.id}`)
      assert.include(sectionOf(text, "timeline"), "2 sent, 2 failed")
      assert.include(sectionOf(text, "calls"), `carteiro.batches.get("${made.id}")`)
    })
  )

  it.effect("a contact tells the conversation, a template where it was used, a number what happened to it", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const from = "+5511955554444"
      const spoken = { channel: "chatapp", from, to: number.id, type: "text", text: { body: "Is it <open>?" } }
      assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", spoken, { key })).status, 202)
      const { body } = yield* get(`/v1/contacts?phone=${encodeURIComponent(from)}`, { key })
      const contact = body.data[0].id
      const someone = yield* signedIn(acme)
      const shown = (yield* someone.get(`/dashboard/contacts/${id}/${contact}`)).text
      assert.include(sectionOf(shown, "talk"), "Is it <open>?")
      assert.notInclude(shown, "<open>")
      assert.match(sectionOf(shown, "calls"), new RegExp(`-X DELETE "[^"]+/v1/contacts/${contact}"`))
      assert.include(sectionOf(shown, "erasure"), "Payments stay")

      const components = [{ type: "BODY", text: "Oi" }]
      const written = { name: "oi", language: "pt_BR", category: "utility", components }
      const template = (yield* post("/v1/templates", written, { key })).body.id
      yield* post(`/v1/templates/${template}/submit`, undefined, { key })
      yield* turnBy(2_000)
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: from },
          message: { type: "template", template: { name: "oi", language: "pt_BR" } }
        },
        { key }
      )
      assert.strictEqual(sent.status, 202, sent.text)
      const used = (yield* someone.get(`/dashboard/templates/${id}/${template}`)).text
      assert.include(used, `/dashboard/messages/${id}/${sent.body.id}`)
      const phoned = (yield* someone.get(`/dashboard/phone-numbers/${id}/${number.id}`)).text
      assert.match(sectionOf(phoned, "recent"), /\+55 11 95555-4444 Is it/)
      assert.notMatch(sectionOf(phoned, "recent"), /msg_/)
      assert.match(phoned, /<title>\+[\d -]+ · Carteiro<\/title>/)
      // A fact without a value is not shown.
      assert.notInclude(phoned, "Business portfolio")
      assert.notMatch(phoned, /<dd><span class="muted">/)
      assert.match(sectionOf(phoned, "timeline"), /Created 1 Jan/)
      yield* turnBy(5_000)
      yield* countAll
      const counted = sectionOf((yield* someone.get(`/dashboard/phone-numbers/${id}/${number.id}`)).text, "traffic")
      assert.include(counted, "1 sent, 1 delivered, 1 read, 0 failed; 1 received.")
      assert.match(counted, /1 Jan \(so far\) 1 1 1 0 1/)
      const other = yield* seedNumber(acme.sandbox)
      const quiet = (yield* someone.get(`/dashboard/phone-numbers/${id}/${other.id}`)).text
      assert.include(sectionOf(quiet, "traffic"), "0 sent, 0 delivered, 0 read, 0 failed; 0 received.")
      assert.include(phoned, `/dashboard/messages?environment=${id}&amp;sender_id=${number.id}`)
    })
  )
})
