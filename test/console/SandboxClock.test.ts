import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

/** Returns the time that a page tells its script, in epoch milliseconds. */
const servedNow = (page: string): number => Number(/<body data-now="(\d+)"[ >]/.exec(page)?.[1])

it.layer(DashboardTest, { excludeTestServices: true })("The page of a sandbox's clock", (it) => {
  it.effect("shows the time and the next due work, and advances the clock by its buttons", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme
      const page = `/dashboard/sandbox-clock?environment=${sandbox.id}`
      const turn = `/dashboard/sandbox-clock/${sandbox.id}/turn`
      const someone = yield* signedIn(acme)
      const payment = yield* post("/v1/payments", { amount_brl_centavos: 5_000 }, { key: sandbox.key })
      assert.strictEqual(payment.status, 201, payment.text)
      yield* turnBy(1_000)
      const before = textOf((yield* someone.get(page)).text)
      assert.match(before, /Ahead by 0 s/)
      assert.match(before, /Payments of acme-\w+ .*(?:7 d|6 d 23 h)/)

      assert.strictEqual((yield* someone.submit(page, turn, { turn: "freeze" })).status, 303)
      const stands = textOf((yield* someone.get(page)).text)
      assert.match(stands, /The clock stands still/)
      const elsewhere = textOf((yield* someone.get(`/dashboard/messages?environment=${sandbox.id}`)).text)
      assert.match(elsewhere, /The time of this sandbox is .*, and stands still\. Turn its clock/)

      const question = yield* someone.submit(page, turn, { turn: "day" })
      assert.include(textOf(question.text), "It does not go back, unless you empty the sandbox.")
      assert.match(textOf((yield* someone.get(page)).text), /Ahead by 0 s/)
      assert.strictEqual((yield* someone.submit(page, turn, { turn: "day", confirmed: "1" })).status, 303)
      yield* turnBy(5_000)
      assert.match(textOf((yield* someone.get(page)).text), /Ahead by (1 d|23 h)/)
      const ahead = (yield* someone.get(`/dashboard/messages?environment=${sandbox.id}`)).text
      assert.match(ahead, /The time of this sandbox is <span class="exact"><time /)
      for (const section of ["request-logs", "api-keys"]) {
        const real = (yield* someone.get(`/dashboard/${section}?environment=${sandbox.id}`)).text
        assert.notInclude(real, "The time of this sandbox is")
        assert.isAbove(servedNow(ahead) - servedNow(real), 23 * hourMs)
      }
      const due = textOf((yield* someone.submit(page, turn, { turn: "next" })).text)
      assert.match(due, /What is due until then happens: .*Payments of/)
      yield* someone.submit(page, turn, { turn: "next", confirmed: "1" })
      yield* turnBy(5_000)
      const paid = textOf((yield* someone.get(`/dashboard/payments?environment=${sandbox.id}`)).text)
      assert.match(paid, /expired/)
      assert.strictEqual((yield* someone.submit(page, turn, { turn: "resume" })).status, 303)
      assert.match(textOf((yield* someone.get(page)).text), /The clock goes on/)
    })
  )

  it.effect("names the numbers whose messages wait for time", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = yield* seedProject(acme.organization_id, "waits-here")
      const number = yield* seedNumber(sandbox)
      const words = { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: "oi" } }
      assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", words, { key: sandbox.key })).status, 202)
      yield* turnBy(5_000)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/sandbox-clock?environment=${sandbox.id}`
      yield* someone.submit(page, `/dashboard/sandbox-clock/${sandbox.id}/turn`, { turn: "freeze" })
      const answer = {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: words.from },
        message: { type: "text", text: { body: "Olá" } }
      }
      const sent = yield* post("/v1/messages", answer, { key: sandbox.key })
      assert.strictEqual(sent.status, 202, sent.text)
      const { text } = yield* someone.get(page)
      assert.match(textOf(text), /Messages of (?!pn_)\S/)
      assert.include(text, `href="/dashboard/phone-numbers/${sandbox.id}/${number.id}"`)
    })
  )

  it.effect("is for owners and admins of the sandbox's organization", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const page = `/dashboard/sandbox-clock?environment=${acme.sandbox.id}`
      const owner = yield* signedIn(acme)
      const stranger = yield* signedIn(other)
      assert.strictEqual((yield* stranger.get(page)).status, 404)
      const theirs = `/dashboard/sandbox-clock?environment=${other.sandbox.id}`
      const turn = { turn: "freeze" }
      const foreign = yield* stranger.submit(theirs, `/dashboard/sandbox-clock/${acme.sandbox.id}/turn`, turn)
      assert.strictEqual(foreign.status, 404)
      const production = `/dashboard/sandbox-clock?environment=${acme.production.id}`
      assert.match(textOf((yield* owner.get(production)).text), /Production has real time only/)
      const led = yield* owner.submit(page, `/dashboard/sandbox-clock/${acme.production.id}/turn`, turn)
      assert.strictEqual(led.status, 404)
      const nonsense = yield* owner.submit(page, `/dashboard/sandbox-clock/${acme.sandbox.id}/turn`, { turn: "back" })
      assert.strictEqual(nonsense.status, 404)
    })
  )

  it.effect("empties a sandbox once the slug of its project is typed, and refuses changes until it is empty", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { sandbox, slug } = yield* seedProject(acme.organization_id, "emptied-here")
      const number = yield* seedNumber(sandbox)
      const words = { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: "oi" } }
      assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", words, { key: sandbox.key })).status, 202)
      const someone = yield* signedIn(acme)
      const clock = `/dashboard/sandbox-clock?environment=${sandbox.id}`
      const reset = `/dashboard/sandbox-clock/${sandbox.id}/reset`
      const turn = `/dashboard/sandbox-clock/${sandbox.id}/turn`
      assert.strictEqual((yield* someone.submit(clock, turn, { turn: "day", confirmed: "1" })).status, 303)
      yield* turnBy(5_000)
      assert.include((yield* someone.get(clock)).text, `href="${reset}"`)
      assert.include(textOf((yield* someone.get(reset)).text), `Type ${slug} to confirm`)

      const wrong = yield* someone.submit(reset, reset, { name: "acme" })
      assert.strictEqual(wrong.status, 400)
      assert.include(textOf(wrong.text), `That is not ${slug}.`)
      assert.strictEqual((yield* get("/v1/messages", { key: sandbox.key })).body.data.length, 1)

      const begun = yield* someone.submit(reset, reset, { name: slug })
      assert.deepStrictEqual([begun.status, begun.headers.location], [303, clock])
      const meanwhile = (yield* someone.get(clock)).text
      assert.include(textOf(meanwhile), "This sandbox is being emptied. Its clock is back at real time.")
      assert.notInclude(meanwhile, `href="${reset}"`)
      const refused = yield* someone.submit(clock, turn, { turn: "freeze" })
      assert.strictEqual(refused.status, 503)
      assert.include(textOf(refused.text), "This sandbox is being emptied; ask again in a few seconds.")
      yield* someone.get("/dashboard?language=pt")
      const endpoint = { url: "https://example.com/hook", subscribed_events: "message.received" }
      const recusado = yield* someone.submit(clock, `/dashboard/webhooks/${sandbox.id}/new`, endpoint)
      assert.strictEqual(recusado.status, 503)
      assert.include(textOf(recusado.text), "Este sandbox está sendo esvaziado; tente de novo em alguns segundos.")
      yield* someone.get("/dashboard?language=en")

      yield* turnBy(10_000)
      const empty = yield* someone.get(clock)
      assert.include(empty.text, `href="${reset}"`)
      assert.match(textOf(empty.text), /Ahead by 0 s/)
      const messages = yield* someone.get(`/dashboard/messages?environment=${sandbox.id}`)
      assert.notInclude(textOf(messages.text), "The time of this sandbox is")
      assert.deepStrictEqual((yield* get("/v1/messages", { key: sandbox.key })).body.data, [])
      assert.strictEqual((yield* someone.submit(clock, turn, { turn: "freeze" })).status, 303)
      assert.include(textOf((yield* someone.get("/dashboard/audit")).text), "sandbox.reset")
    })
  )

  it.effect("empties for owners and admins alone, and never production", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const owner = yield* signedIn(acme)
      const page = `/dashboard/sandbox-clock?environment=${acme.sandbox.id}`
      const reset = `/dashboard/sandbox-clock/${acme.sandbox.id}/reset`
      const name = acme.project.slug
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(page)).text, reset)
      assert.strictEqual((yield* member.submit("/dashboard", reset, { name })).status, 403)
      const stranger = yield* signedIn(other)
      assert.strictEqual((yield* stranger.get(reset)).status, 404)
      const theirs = `/dashboard/sandbox-clock?environment=${other.sandbox.id}`
      assert.strictEqual((yield* stranger.submit(theirs, reset, { name })).status, 404)
      const production = `/dashboard/sandbox-clock/${acme.production.id}/reset`
      assert.strictEqual((yield* owner.get(production)).status, 404)
      assert.strictEqual((yield* owner.submit(page, production, { name })).status, 404)
    })
  )
})
