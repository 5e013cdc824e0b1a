import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { bucketsOf, type Span, spans } from "../../packages/console/kit/Spans.ts"
import { runsOutAt } from "../../packages/console/overview/ActivityParts.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard"

it.layer(DashboardTest, { excludeTestServices: true })("The overview", (it) => {
  it.effect("shows no tasks when none waits for a person", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      assert.notInclude(textOf((yield* someone.get(page)).text), "What needs you")
    })
  )

  it.effect("leads to a first message in the sandbox of the chosen project", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      for (const project of [acme.project, acme.sibling]) {
        const { text } = yield* someone.get(`${page}?environment=${project.production.id}`)
        assert.include(text, `href="/dashboard/chat?environment=${project.sandbox.id}"`)
      }
    })
  )

  it.effect("leads a newcomer from the first message to going live, and says how far the project has come", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const someone = yield* signedIn(acme)
      const read = Effect.map(someone.get(`${page}?environment=${id}`), ({ text }) => textOf(text))
      assert.match(yield* read, /Get started 0 of 5 done[\s\S]*Open the chat/)
      const to = (yield* seedNumber(acme.sibling.sandbox)).id
      const spoken = { channel: "chatapp", from: "+5511922220000", to, type: "text", text: { body: "Oi" } }
      yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      // A customer wrote: the business has not sent anything yet.
      assert.match(yield* read, /Get started 0 of 5 done[\s\S]*Open the chat/)
      assert.match(yield* read, /Your first message is being counted\./)
      const text = { type: "text", text: { body: "Oi, posso ajudar?" } }
      const sender = { type: "chatapp_phone_number", id: to }
      const recipient = { type: "phone_e164", id: spoken.from }
      yield* post("/v1/messages", { channel: "chatapp", sender, recipient, message: text }, { key })
      assert.match(yield* read, /Get started 1 of 5 done[\s\S]*Send your first message done[\s\S]*Add an endpoint/)
      const asked = { url: "https://example.com/in", subscribed_events: ["message.received"] }
      yield* post("/v1/webhook-endpoints", asked, { key })
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.match(
        textOf((yield* member.get(`${page}?environment=${id}`)).text),
        /Get started 2 of 5 done[\s\S]*What happened/
      )
    })
  )

  it.effect("lists tasks of the chosen environment, each with the page that solves it", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sandbox
      const asked = { url: "https://example.com/in", subscribed_events: ["message.received"] }
      const endpoint = (yield* post("/v1/webhook-endpoints", asked, { key })).body
      yield* sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'consecutive_failures'
        where environment_id = ${id} and id = ${endpoint.id}`
      const content = {
        name: "promo",
        language: "pt_BR",
        category: "utility",
        components: [{ type: "BODY", text: "Olá" }]
      }
      const template = (yield* post("/v1/templates", content, { key })).body
      yield* sql`update templates set status = 'rejected' where environment_id = ${id} and id = ${template.id}`
      const expires_at = new Date(Date.parse(template.created_at) + 2 * 86_400_000).toISOString()
      const minted = { name: "nightly", environment: "sandbox", scopes: ["messages:read"], expires_at }
      assert.strictEqual((yield* post("/v1/api-keys", minted, { key })).status, 201)

      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`${page}?environment=${id}`)
      const told = textOf(text)
      for (const part of [
        "What needs you",
        "The webhook endpoint example.com was disabled after failures",
        "The template promo (pt_BR) was rejected.",
        "The API key nightly expires"
      ]) {
        assert.include(told, part)
      }
      for (const address of [
        `/webhooks/${id}/endpoints/${endpoint.id}`,
        `/templates/${id}/${template.id}`,
        "/api-keys"
      ]) {
        assert.include(text, `href="${page}${address}`)
      }
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include(
        textOf((yield* member.get(`${page}?environment=${id}`)).text),
        "The template promo (pt_BR) was rejected."
      )
      const elsewhere = yield* someone.get(`${page}?environment=${acme.production.id}`)
      assert.notInclude(textOf(elsewhere.text), "What needs you")
      const stranger = yield* signedIn(other)
      assert.notInclude(textOf((yield* stranger.get(page)).text), "What needs you")
    })
  )

  it.effect("names an endpoint whose last delivery failed, until one succeeds", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.production
      const asked = { url: "https://shop.example.com/in", subscribed_events: ["message.received"] }
      const endpoint = (yield* post("/v1/webhook-endpoints", asked, { key })).body
      const someone = yield* signedIn(acme)
      const read = Effect.map(someone.get(`${page}?environment=${id}`), ({ text }) => text)
      const told = "Deliveries to the webhook endpoint shop.example.com fail: the last one was not accepted. See why"
      assert.notInclude(textOf(yield* read), told)
      yield* sql`update webhook_endpoints set last_failure_at = now()
        where environment_id = ${id} and id = ${endpoint.id}`
      const failing = yield* read
      assert.include(textOf(failing), told)
      assert.include(failing, `href="${page}/webhooks/${id}/endpoints/${endpoint.id}"`)
      yield* sql`update webhook_endpoints set last_success_at = now() + interval '1 second'
        where environment_id = ${id} and id = ${endpoint.id}`
      assert.notInclude(textOf(yield* read), told)
      yield* sql`update webhook_endpoints set last_success_at = null, status = 'disabled', disabled_reason = 'manual'
        where environment_id = ${id} and id = ${endpoint.id}`
      assert.notInclude(textOf(yield* read), told)
    })
  )

  it.effect("charts the chosen environment and span, and has the values in tables", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id } = acme.production
      const now = yield* Clock.currentTimeMillis
      const happened = (measure: string, hoursAgo: number, count: number, amount = 0) =>
        sql`insert into activity_hours (environment_id, measure, hour, count, amount)
          values (${id}, ${measure}, ${new Date(now - (now % hourMs) - hoursAgo * hourMs)}, ${count}, ${amount})`
      yield* happened("message.sent", 1, 1200)
      yield* happened("message.sent", 50, 34)
      yield* happened("message.failed", 1, 5)
      yield* happened("webhook.succeeded", 2, 95, 9000)
      yield* happened("webhook.failed", 2, 5, 500)
      yield* happened("webhook.within.100", 2, 90)
      yield* happened("webhook.within.1000", 2, 6)
      yield* happened("webhook.within.more", 2, 4)
      yield* happened("payment.paid", 3, 2, 150_0000)
      yield* happened("spend", 1, 10, 70_0000)
      yield* sql`update wallets set balance = ${100_0000} where account_id = ${acme.organization_id}`
      const someone = yield* signedIn(acme)
      const { text } = yield* someone.get(`${page}?environment=${id}`)
      const told = textOf(text)
      for (const part of [
        "1,234 sent, 0 delivered, 0 read, 5 failed; 0 received.",
        "95% of 100 calls of your receivers succeeded; 95% ended within 1000 ms.",
        "R$ 70,00 spent. The balance of R$ 100,00 lasts until about",
        "R$ 10,00 a day",
        "2 payments of R$ 150,00 together were paid."
      ])
        assert.include(told, part)
      // Nothing was counted in the seven days before.
      assert.include(told, "Messages sent 1,234 Nothing to compare with")
      yield* happened("message.sent", 24 * 9, 617)
      assert.include(
        textOf((yield* someone.get(`${page}?environment=${id}`)).text),
        "Messages sent 1,234 ▲ 100% from 617"
      )
      assert.include(text, new Date(now + 10 * 24 * hourMs).toISOString().slice(0, 10))
      assert.lengthOf(text.match(/<figure class="chart">/g) ?? [], 4)
      for (const shown of [/<span class="key tone-(\w+)">[^<]+ <strong>/g, /<svg class="spark tone-(\w+)"/g]) {
        const tones = [...text.matchAll(shown)].map(([, tone]) => tone)
        assert.strictEqual(new Set(tones).size, tones.length, `a colour is there twice: ${tones.join()}`)
        assert.isAbove(tones.length, 2)
      }
      assert.lengthOf(text.match(/<caption class="hidden">(?:Messages by status|Spend|Payments paid)/g) ?? [], 3)
      const day = textOf((yield* someone.get(`${page}?environment=${id}&span=24h`)).text)
      assert.include(day, "1,200 sent")
      const stranger = yield* signedIn(other)
      const strange = textOf((yield* stranger.get(`${page}?environment=${other.production.id}`)).text)
      assert.include(strange, "Get started 0 of 5 done")
      assert.notInclude(strange, "What happened")
      assert.strictEqual((yield* stranger.get(`${page}?environment=${id}`)).status, 404)
    })
  )
})

const measured = fc.array(fc.record({ hoursAgo: fc.nat(24 * 95), count: fc.integer({ min: 1, max: 9 }) }), {
  maxLength: 30
})

it("the buckets of a span contain each hour since its begin once, in every time zone", () => {
  const zone = fc.constantFrom("UTC", "America/Sao_Paulo", "America/Los_Angeles", "Europe/Berlin")
  const span = fc.constantFrom(...(Object.keys(spans) as ReadonlyArray<Span>))
  const instant = fc.integer({ min: 1_760_000_000_000, max: 1_800_000_000_000 })
  fc.assert(
    fc.property(zone, span, instant, measured, (zone, span, now, happened) => {
      const hours = happened.map(({ count, hoursAgo }) => ({
        hour: now - (now % hourMs) - hoursAgo * hourMs,
        count
      }))
      const points = hours.map(({ count, hour }) => [hour / hourMs, count, 0] as const)
      const series = [{ measure: "message.sent", hours: points }]
      const { counts, names } = bucketsOf(span, zone, now, { object: "activity", series, trace_id: "" })
      const sum = counts("message.sent").reduce((total, count) => total + count, 0)
      const since = now - (span === "24h" ? 24 : 24 * (Number.parseInt(span, 10) - 1)) * hourMs
      const counted = (from: number) => hours.reduce((total, { count, hour }) => total + (hour > from ? count : 0), 0)
      assert.isAtLeast(sum, counted(since))
      assert.isAtMost(sum, counted(now - spans[span].ms - 25 * hourMs))
      assert.strictEqual(new Set(names).size, names.length)
      assert.isAtMost(names.length, span === "24h" ? 24 : Number.parseInt(span, 10) + 1)
    })
  )
})

it("hours of a day on which clocks change are buckets of their own, and those of one name say how far from UTC they are", () => {
  const namesAt = (now: number) =>
    bucketsOf("24h", "America/Los_Angeles", now, { object: "activity", series: [], trace_id: "" }).names
  const forward = namesAt(Date.UTC(2026, 2, 8, 10, 30))
  assert.deepStrictEqual([forward.length, forward[0], forward[23]], [24, "03:00 GMT-8", "03:00 GMT-7"])
  const back = namesAt(Date.UTC(2026, 10, 1, 10, 30))
  assert.deepStrictEqual([back.length, ...back.slice(21)], [24, "01:00 GMT-7", "01:00 GMT-8", "02:00"])
})

it("a balance runs out at the pace of its spend, and never without spend", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (balance, pace) => {
      const end = runsOutAt(balance, pace, 1_800_000_000_000)
      if (end === undefined) assert.isTrue(pace === 0 || balance / pace >= 3650)
      else assert.closeTo(((end - 1_800_000_000_000) / (24 * hourMs)) * pace, balance, balance / 1e3 + pace / 1e4)
    })
  )
})
