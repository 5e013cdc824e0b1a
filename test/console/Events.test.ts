import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { receiver } from "../webhooks/Deliveries.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/events"

/** A customer writes to a number of the environment; returns the message. */
const speak = Effect.fnUntraced(function* (environment: TestEnvironment, words: string) {
  const { post } = yield* Api
  const number = yield* seedNumber(environment)
  const spoken = { channel: "chatapp", from: "+5511999998888", to: number.id, type: "text", text: { body: words } }
  const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key: environment.key })
  assert.strictEqual(heard.status, 202, heard.text)
  yield* turnBy(2000)
  return { number: number.id, message: heard.body.id as string }
})

it.layer(DashboardTest, { excludeTestServices: true })("Events", (it) => {
  it.effect("are listed newest first by type, also those that no endpoint gets, with what they are about", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const first = yield* speak(acme.sandbox, "first")
      yield* speak(acme.sandbox, "second")
      const group = yield* post("/v1/groups", { phone_number_id: first.number, subject: "Maio" }, { key })
      assert.strictEqual(group.status, 202, group.text)
      yield* turnBy(5000)
      const someone = yield* signedIn(acme)
      const listed = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/href="\/dashboard\/events\/env_[0-9a-z]+\/(evt_[0-9a-z]+)">([a-z._]+)</g)].map(
            ([, event = "", type = ""]) => ({ event, type })
          )
        )
      const all = yield* listed("")
      const ids = all.map(({ event }) => event)
      assert.deepStrictEqual(ids, ids.toSorted().reverse())
      assert.includeMembers(
        all.map(({ type }) => type),
        ["message.received", "group.created"]
      )
      const received = yield* listed("&type=message.received")
      assert.deepStrictEqual(
        received.map(({ type }) => type),
        ["message.received", "message.received"]
      )
      assert.deepStrictEqual(yield* listed(`&type=message.received&before=${received[0]?.event}`), received.slice(1))
      assert.deepStrictEqual(yield* listed("&type=payment.paid"), [])
      assert.deepStrictEqual(yield* listed("&type=bogus"), all)
      const list = (yield* someone.get(`${page}?environment=${id}`)).text
      assert.include(list, `href="/dashboard/messages/${id}/${first.message}"`)
      assert.include(list, `href="/dashboard/groups/${id}/${group.body.id}"`)
      const file = yield* someone.get(`${page}/export?environment=${id}&type=message.received`)
      assert.deepStrictEqual(
        file.text.split("\r\n").map((line) => line.split(",")[0]),
        ["id", ...received.map(({ event }) => event), ""]
      )
    })
  )

  it.effect("one shows its envelope with all values escaped, its deliveries, and masks what it declares secret", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const ends = yield* Effect.all([receiver(() => 200), receiver(() => 200)])
      for (const { url } of ends)
        yield* post("/v1/webhook-endpoints", { url, subscribed_events: ["message.received", "group.created"] }, { key })
      const { message, number } = yield* speak(acme.sibling.sandbox, "<b>hello</b>")
      const group = yield* post("/v1/groups", { phone_number_id: number, subject: "Junho" }, { key })
      assert.strictEqual(group.status, 202, group.text)
      yield* turnBy(5000)
      const someone = yield* signedIn(acme)
      const eventOf = (type: string) =>
        Effect.map(
          someone.get(`${page}?environment=${id}&type=${type}`),
          ({ text }) => /\/dashboard\/events\/env_[0-9a-z]+\/evt_[0-9a-z]+/.exec(text)?.[0] ?? assert.fail(type)
        )
      const own = yield* eventOf("message.received")
      const { text } = yield* someone.get(own)
      assert.notInclude(text, "<b>hello")
      for (const part of ["<b>hello</b>", '"type": "message.received"', "200"]) assert.include(textOf(text), part)
      assert.include(text, `href="/dashboard/messages/${id}/${message}"`)
      const deliveries = new Set([...text.matchAll(/deliveries\/(whe_[0-9a-z]+)/g)].map(([, delivery]) => delivery))
      assert.strictEqual(deliveries.size, 2)
      for (const delivery of deliveries) {
        const { text: shown } = yield* someone.get(`/dashboard/webhooks/${id}/deliveries/${delivery}`)
        assert.include(shown, own.split("/").at(-1) ?? "")
      }
      const groupEvent = (yield* someone.get(yield* eventOf("group.created"))).text
      const delivered = /deliveries\/(whe_[0-9a-z]+)/.exec(groupEvent)?.[1]
      const groupDelivery = (yield* someone.get(`/dashboard/webhooks/${id}/deliveries/${delivered}`)).text
      for (const grouped of [textOf(groupEvent), textOf(groupDelivery)]) {
        assert.include(grouped, '"invite_link": "[REDACTED]"')
        assert.notMatch(grouped, /"invite_link": "https/)
        assert.include(grouped, "Junho")
      }
      const found = yield* someone.get(`/dashboard/search?q=${own.split("/").at(-1)}`)
      assert.include(found.text, `href="${own}"`)
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      yield* speak(other.sandbox, "private words")
      const theirs = yield* (yield* signedIn(other)).get(`${page}?environment=${other.sandbox.id}`)
      const event = /evt_[0-9a-z]{26}/.exec(theirs.text)?.[0] ?? assert.fail("no event")
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${other.sandbox.id}/${event}`,
        `${page}/${acme.sandbox.id}/${event}`,
        `${page}/${acme.sandbox.id}/evt_nothing`,
        `${page}?environment=${other.sandbox.id}`,
        `${page}/export?environment=${other.sandbox.id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.deepStrictEqual([status, text.includes("private words")], [404, false], path)
      }
    })
  )
})
