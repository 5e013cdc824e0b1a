import { request } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Queue } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy, whileTurning } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { receiver } from "../webhooks/Deliveries.ts"
import { cookieOf, DashboardTest, seedMember, signedIn, textOf, type Visitor } from "./Visitor.ts"

const customer = "+5511999997777"
const chat = (environment: TestEnvironment) =>
  `/dashboard/chat?environment=${environment.id}&customer=${encodeURIComponent(customer)}`

/** The part of a page that a script would take over. */
const part = (page: string, id: string): string => {
  const from = page.slice(page.indexOf(`id="${id}"`))
  return textOf(from.slice(from.indexOf(">") + 1, from.indexOf("</div>\n<")))
}

/** Events and comments of a stream. */
const anything = /^(?:event)?: (\w+)/gm

/** Follows a stream as a browser does, until it ends or the scope closes: its events, or all that it writes. */
const follow = Effect.fnUntraced(function* (someone: Visitor, path: string, heeds = /event: (\w+)/g) {
  const { baseUrl } = yield* Api
  const heard = yield* Queue.unbounded<string>()
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof request>>((resume) => {
      const sent = request(`${baseUrl}${path}`, { headers: cookieOf(someone.cookies, path) }, (answer) => {
        Queue.offerUnsafe(heard, `${answer.statusCode} ${answer.headers["content-type"]}`)
        answer.setEncoding("utf8")
        answer.on("data", (text: string) => {
          for (const [, event = ""] of text.matchAll(heeds)) Queue.offerUnsafe(heard, event)
        })
        answer.on("end", () => Queue.offerUnsafe(heard, "end"))
        answer.on("error", () => undefined)
        resume(Effect.succeed(sent))
      })
      sent.on("error", () => undefined)
      sent.end()
    }),
    // As a browser leaves: in order, so that the server sees no more than the end of what is sent.
    (sent) => Effect.sync(() => sent.socket?.end())
  )
  return Queue.take(heard)
})

it.layer(DashboardTest, { excludeTestServices: true })("The chat of a sandbox", (it) => {
  it.effect("shows the customer's words, the answer with its ticks, the events and the webhooks M-SBX-03", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      const hook = yield* receiver(() => 200)
      const subscribed_events = ["message.received"]
      yield* post("/v1/webhook-endpoints", { url: hook.url, subscribed_events }, { key: sandbox.key })
      const someone = yield* signedIn(acme)
      const page = chat(sandbox)
      const spoken = { from: customer, to: number.id }
      const write = `/dashboard/chat/${sandbox.id}/write`
      const words = { type: "text", body: "<b>Good</b> morning", profile_name: "Ana <i>Lima</i>" }
      const wrote = yield* someone.submit(page, write, { ...spoken, ...words })
      assert.strictEqual(wrote.headers.location, `${page}#write`)
      const answered = yield* someone.submit(page, `/dashboard/chat/${sandbox.id}/send`, {
        customer,
        number: number.id,
        answer: "Good morning to you"
      })
      assert.strictEqual(answered.status, 303, answered.text)
      assert.match(textOf((yield* someone.get(page)).text), /Good morning to you[^·]*◷ queued/)
      yield* turnBy(500)
      assert.match(textOf((yield* someone.get(page)).text), /Good morning to you[^·]*✓ sent/)
      yield* turnBy(5_000)
      const { headers, text } = yield* someone.get(page)
      assert.include(headers["content-security-policy"] ?? "", "script-src 'self'; connect-src 'self'")
      assert.notInclude(text, "<b>Good</b>")
      assert.match(text, /curl -X POST http:\/\/[^/ ]+\/v1\/messages -H/)
      const told = textOf(text)
      for (const said of [
        "<b>Good</b> morning",
        "Ana <i>Lima</i>",
        "✓✓ read",
        "message.received",
        "message.delivered",
        "webhook delivered"
      ])
        assert.include(told, said)
      assert.isBelow(told.indexOf("message.read"), told.indexOf("message.received"), "newest event first")
      const other = yield* someone.get(page.replace("7777", "6666"))
      assert.notInclude(part(other.text, "talk"), "Good morning to you")
    })
  )

  it.effect("takes every type of content that a customer can send, and a tap on the buttons that were sent", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const sandbox = acme.sibling.sandbox
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const page = chat(sandbox)
      const common = { from: customer, to: number.id }
      const write = (fields: Readonly<Record<string, string>>) =>
        Effect.map(
          someone.submit(page, `/dashboard/chat/${sandbox.id}/write`, { ...common, ...fields }),
          ({ status, text }) => assert.strictEqual(status, 303, textOf(text))
        )
      yield* write({ type: "text", body: "Hello" })
      const buttons = [{ type: "reply", reply: { id: "yes", title: "Yes, please" } }]
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: customer },
          message: {
            type: "interactive",
            interactive: { type: "button", body: { text: "Shall we?" }, action: { buttons } }
          }
        },
        { key: sandbox.key }
      )
      assert.strictEqual(sent.status, 202, sent.text)
      yield* turnBy(5_000)
      const { text } = yield* someone.get(page)
      assert.include(text, '<input type="hidden" name="id" value="yes">')
      yield* write({ type: "button_reply", id: "yes", title: "Yes, please" })
      yield* write({ type: "list_reply", id: "row-1", title: "The first row" })
      yield* write({ type: "media", kind: "document", filename: "invoice.pdf" })
      yield* write({ type: "reaction", message_id: sent.body.id, emoji: "🎉" })
      yield* write({ type: "flow", name: "survey", response: '{"rating":"5"}' })
      yield* write({ type: "unsupported", provider_type: "" })
      yield* write({ type: "unknown", provider_type: "location" })
      const talk = textOf((yield* someone.get(page)).text)
      for (const said of [
        "Yes, please",
        "The first row",
        "document: invoice.pdf",
        "🎉",
        'flow answer: survey {"rating":"5"}',
        "unsupported: video_note",
        "unknown: location"
      ])
        assert.include(talk, said)
    })
  )

  it.effect("lists each conversation once, who waits before the others, newest first, and leads to answering", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/chat?environment=${sandbox.id}`
      for (const [from, body] of [
        ["+5511999991001", "First"],
        ["+5511999991002", "Second"],
        ["+5511999991001", "Third"]
      ] as const) {
        const spoken = { from, to: number.id, type: "text", body }
        yield* someone.submit(page, `/dashboard/chat/${sandbox.id}/write`, spoken)
        yield* turnBy(1_000)
      }
      const { text } = yield* someone.get(page)
      const list = textOf(text.slice(text.indexOf('id="talks"'), text.indexOf('class="thread"')))
      assert.match(list, /1001[\s\S]*Third[\s\S]*1002[\s\S]*Second/)
      assert.notInclude(list, "First")
      assert.include(text, "customer=%2B5511999991002&amp;as=business#write")
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.notInclude((yield* member.get(page)).text, "as=business")
      // More than are read to be shown: a batch to hundreds must not push out who waits.
      for (let n = 100; n < 205; n++) {
        const customer = `+5511999992${n}`
        const spoken = { channel: "chatapp", from: customer, to: number.id, type: "text", text: { body: "Oi" } }
        yield* post("/v1/sandbox/inbound-messages", spoken, { key: sandbox.key })
        yield* turnBy(1_000)
        const answered = {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: customer },
          message: { type: "text", text: { body: "Olá!" } }
        }
        assert.strictEqual((yield* post("/v1/messages", answered, { key: sandbox.key })).status, 202)
      }
      const busy = (yield* someone.get(page)).text
      const talks = textOf(busy.slice(busy.indexOf('id="talks"'), busy.indexOf('class="thread"')))
      assert.match(talks, /1001[\s\S]*1002[\s\S]*2204/, "who waits stands first, however many others moved since")
      assert.notInclude(talks, "2180", "the oldest of those that were answered makes room")
    })
  )

  it.effect(
    "sends a template by its values, a text with buttons and a reaction, and shows each as its reader sees it",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { sandbox } = acme
        const number = yield* seedNumber(sandbox)
        const someone = yield* signedIn(acme)
        const page = `/dashboard/chat?environment=${sandbox.id}&customer=${encodeURIComponent("+5511999991003")}`
        const business = `${page}&as=business`
        const closed = yield* someone.get(business)
        assert.include(textOf(closed.text), "only a template reaches them")
        const lasting = /<div id="service-window" data-live>(.*?)<\/div>/s
        assert.include(lasting.exec(closed.text)?.[1] ?? "", "only a template reaches them")
        const components = [{ type: "BODY", text: "Olá, {{1}}!", example: { body_text: [["Ana"]] } }]
        const wanted = { name: "chat_hello", language: "pt_BR", category: "utility", components }
        const made = yield* post("/v1/templates", wanted, { key: sandbox.key })
        yield* post(`/v1/templates/${made.body.id}/submit`, {}, { key: sandbox.key })
        yield* turnBy(60_000)
        const picked = `${business}&template=${made.body.id}`
        assert.match(
          (yield* someone.get(picked)).text,
          / name="value_1" type="text" value="" placeholder="Ana" required/,
          "an example is no value"
        )
        const sending = `/dashboard/chat/${sandbox.id}/send`
        const draft = { customer: "+5511999991003", number: number.id, answer: "Já <vai>" }
        for (const [pick, part] of [
          ["choose", `name="pick" value="${made.body.id}"`],
          [made.body.id, 'name="value_1"']
        ]) {
          const opened = yield* someone.submit(business, sending, { ...draft, pick: String(pick) })
          assert.strictEqual(opened.status, 200, textOf(opened.text))
          assert.include(opened.text, part)
          assert.include(opened.text, ">\nJá &lt;vai&gt;</textarea>", "what was written stays in the line")
        }
        const common = { customer: "+5511999991003", number: number.id }
        const send = (fields: Readonly<Record<string, string>>) =>
          Effect.map(
            someone.submit(page, `/dashboard/chat/${sandbox.id}/send`, { ...common, ...fields }),
            ({ headers, status, text }) => {
              assert.strictEqual(status, 303, textOf(text))
              assert.strictEqual(headers.location, `${business}#write`)
            }
          )
        yield* send({ template: made.body.id, value_1: "Bia" })
        assert.include(textOf((yield* someone.get(page)).text), "Olá, Bia!")
        const [, sent = ""] =
          /href="(\/dashboard\/messages\/env_\w+\/msg_\w+)"/.exec((yield* someone.get(page)).text) ?? []
        assert.include(textOf((yield* someone.get(sent)).text), "Olá, Bia!", "the page of the message shows it too")
        const spoken = { from: common.customer, to: number.id, type: "text", body: "*Oi*" }
        yield* someone.submit(page, `/dashboard/chat/${sandbox.id}/write`, spoken)
        const { text } = yield* someone.get(page)
        assert.include(text, "<b>Oi</b>")
        assert.strictEqual(lasting.exec(text)?.[1], "")
        const [, reaction = ""] = /form="react-business" name="reaction" value="(msg_\w+ 👍)"/.exec(text) ?? []
        yield* send({ reaction })
        yield* send({ answer: "Vamos?", button_0: "Sim", button_1: "Não" })
        const shown = (yield* someone.get(page)).text
        assert.include(shown, '<p class="reacted">👍</p>')
        assert.include(shown, '<input type="hidden" name="title" value="Sim">')
      })
  )

  it.effect(
    "says that a customer opted out, in the list, above the thread and where the business writes M-MSG-23",
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { sandbox } = acme
        const number = yield* seedNumber(sandbox)
        const phone = "+5511999995511"
        const spoken = { channel: "chatapp", from: phone, to: number.id, type: "text", text: { body: "Oi" } }
        yield* post("/v1/sandbox/inbound-messages", spoken, { key: sandbox.key })
        yield* turnBy(1000)
        const someone = yield* signedIn(acme)
        const page = `/dashboard/chat?environment=${sandbox.id}&customer=${encodeURIComponent(phone)}&as=business`
        const before = (yield* someone.get(page)).text
        assert.notInclude(textOf(before), "opted out")
        const out = yield* post("/v1/contacts/opt-out", { phone }, { key: sandbox.key })
        const { text } = yield* someone.get(page)
        const listed = text.slice(text.indexOf('id="talks"'), text.indexOf('class="thread"'))
        const head = text.slice(text.indexOf('id="conversation"')).split("</header>")[0] ?? ""
        for (const where of [listed, head]) assert.include(textOf(where), "opted out")
        assert.match(
          textOf(text),
          /The customer opted out .*: every message to them is refused until they opt in again\./
        )
        assert.include(text, `/dashboard/contacts/${sandbox.id}/${out.body.id}`)
        // A page that is open learns of a name and an opt-out, and a refusal names no path of a request.
        assert.match(text, /<header id="who" data-live/)
        yield* someone.get("/dashboard?language=pt")
        const said = { customer: phone, number: number.id, answer: "Olá" }
        const refused = yield* someone.submit(page, `/dashboard/chat/${sandbox.id}/send`, said)
        const why = part(refused.text, "refused")
        assert.match(why, /Este cliente pediu para não receber mensagens\./)
        assert.notInclude(why, "recipient.id")
      })
  )

  it.effect("leads from a customer's first words to the answer, and from a closed window to a template", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/chat?environment=${sandbox.id}&customer=${encodeURIComponent("+5511999990042")}`
      const common = { customer: "+5511999990042", number: number.id }
      const offered = /<div id="offered" data-live>(.*?)<\/div>/s
      const fresh = yield* someone.get(page)
      assert.isAbove(offered.exec(fresh.text)?.[1]?.length ?? 0, 0, "templates stand ready on the side of the business")
      assert.include(fresh.text, '<input type="hidden" name="next" value="business">')
      const sending = `/dashboard/chat/${sandbox.id}/send`
      const refused = yield* someone.submit(page, sending, { ...common, answer: "Tudo bem?" })
      assert.strictEqual(refused.status, 400)
      assert.include(part(refused.text, "refused"), "Choose a template below, or write as the customer first.")
      assert.notInclude(part(refused.text, "refused"), "/v1/")
      const spoken = { from: common.customer, to: number.id, type: "text", body: "Oi" }
      const write = `/dashboard/chat/${sandbox.id}/write`
      const first = yield* someone.submit(page, write, { ...spoken, next: "business" })
      assert.strictEqual(first.headers.location, `${page}&as=business#write`)
      const then = (yield* someone.get(page)).text
      assert.strictEqual(offered.exec(then)?.[1], "")
      assert.notInclude(then, 'name="next"')
    })
  )

  it.effect("leads from a conversation to the customer and to the question that opts them out, for who may", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      yield* seedNumber(acme.sandbox)
      const owner = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const phone = "+5511977770101"
      const page = `/dashboard/chat?environment=${id}&customer=${encodeURIComponent(phone)}`
      const asked = `/dashboard/contacts/${id}/opt-out?phone=${encodeURIComponent(phone)}`
      assert.include((yield* owner.get(page)).text, `href="${asked}"`, "who never wrote is no contact yet")
      assert.notInclude((yield* member.get(page)).text, "/opt-out")
      const consent = { phone, source: "form" }
      const contact = (yield* post("/v1/contacts/opt-in", consent, { key })).body.id
      const known = (yield* owner.get(page)).text
      assert.include(known, `href="/dashboard/contacts/${id}/${contact}"`)
      assert.include(known, `href="/dashboard/contacts/${id}/${contact}/opt-out"`)
      yield* post("/v1/contacts/opt-out", consent, { key })
      assert.notInclude((yield* owner.get(page)).text, "/opt-out")
    })
  )

  it.effect("keeps refused input, and says why it was refused", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const page = chat(sandbox)
      const refused = (fields: Readonly<Record<string, string>>) =>
        someone.submit(page, `/dashboard/chat/${sandbox.id}/write`, { from: customer, to: number.id, ...fields })
      const long = "x".repeat(4097)
      const answer = yield* refused({ type: "text", body: long })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, `>\n${long}</textarea>`)
      assert.include(part(answer.text, "refused"), "text.body")
      for (const fields of [
        { type: "flow", response: "{" },
        { type: "bogus" },
        { type: "text", body: "x", to: "pn_x" }
      ]) {
        assert.isAtLeast((yield* refused(fields)).status, 400)
      }
      const national = yield* someone.get(`/dashboard/chat?environment=${sandbox.id}&customer=(11)+99999-7777`)
      assert.include(national.text, `value="${customer}"`)
      for (const written of ["Nobody d'Ávila", "9999", "99999-7777"]) {
        const { headers } = yield* someone.get(
          `/dashboard/chat?environment=${sandbox.id}&customer=${encodeURIComponent(written)}`
        )
        const sought = new URL(headers.location ?? "", "http://here").searchParams
        assert.deepStrictEqual(
          [sought.get("q"), sought.get("open")],
          [written, "1"],
          "the search knows names and last digits"
        )
      }
      const wrong = yield* someone.get(`/dashboard/chat?environment=${sandbox.id}&customer=x7`)
      assert.strictEqual(wrong.status, 400)
      assert.include(textOf(wrong.text), "That is no phone number.")
      const abroad = yield* someone.get(`/dashboard/chat?environment=${sandbox.id}&customer=(650)+555-0123&language=pt`)
      assert.strictEqual(abroad.status, 400)
      assert.include(textOf(abroad.text), "Brasil: este número não existe. Escreva também o DDD")
      const curitiba = yield* someone.get(`/dashboard/chat?environment=${sandbox.id}&customer=415+555+0134&language=pt`)
      assert.include(textOf(curitiba.text), "+55 41 5555-0134 Brasil")
    })
  )

  it.effect("is open to members as the customer only, and in no production environment", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const number = yield* seedNumber(acme.sandbox)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const page = chat(acme.sandbox)
      const spoken = { from: customer, to: number.id, type: "text", body: "From a member" }
      const write = (environment: TestEnvironment) => `/dashboard/chat/${environment.id}/write`
      assert.strictEqual((yield* member.submit(page, write(acme.sandbox), spoken)).status, 303)
      const { text } = yield* member.get(page)
      assert.include(text, "From a member")
      assert.notInclude(text, "Answer as the business")
      const send = { customer, number: number.id, answer: "x" }
      const sent = yield* member.submit(page, `/dashboard/chat/${acme.sandbox.id}/send`, send)
      assert.strictEqual(sent.status, 403)
      for (const strange of [acme.production, other.sandbox]) {
        assert.strictEqual((yield* member.submit(page, write(strange), spoken)).status, 404)
      }
      assert.include(textOf((yield* member.get(chat(acme.production))).text), "which only a sandbox has")
      assert.strictEqual((yield* member.get(chat(other.sandbox))).status, 404)
    })
  )

  it.effect("shows the sandbox's own clock", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { key, ...made } = acme.sibling.sandbox
      const sandbox = { key, ...made }
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const page = chat(sandbox).replace("7777", "5555")
      const frozen = yield* post("/v1/sandbox/clock/freeze", {}, { key })
      assert.strictEqual(frozen.status, 200, frozen.text)
      yield* turnBy(3_600_000)
      const spoken = { from: "+5511999995555", to: number.id, type: "text", body: "When?" }
      yield* someone.submit(page, `/dashboard/chat/${sandbox.id}/write`, spoken)
      const { text } = yield* someone.get(page)
      const stood = (frozen.body.now as string).slice(0, 19)
      assert.match(text, new RegExp(`When\\?[\\s\\S]*?<time datetime="${stood}`))
    })
  )

  it.effect("is the target of the overview of a sandbox without messages", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const someone = yield* signedIn(other)
      const { sandbox } = other.sibling
      const link = `href="/dashboard/chat?environment=${sandbox.id}"`
      assert.include((yield* someone.get("/dashboard")).text, `${link}>Open the chat`)
      const number = yield* seedNumber(sandbox)
      const spoken = { from: customer, to: number.id, type: "text", body: "First" }
      yield* someone.submit(chat(sandbox), `/dashboard/chat/${sandbox.id}/write`, spoken)
      assert.include((yield* someone.get("/dashboard")).text, `${link}>Open the chat`, "nothing was sent yet")
      const said = { customer, number: number.id, answer: "Second" }
      yield* someone.submit(chat(sandbox), `/dashboard/chat/${sandbox.id}/send`, said)
      assert.notInclude((yield* someone.get("/dashboard")).text, `${link}>Open the chat`)
    })
  )

  it.effect("streams changes live to up to twenty pages an environment", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { sandbox } = acme
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const path = `/dashboard/stream?environment=${sandbox.id}`
      const streams = yield* Effect.forEach(Array.from({ length: 20 }), () => follow(someone, path))
      for (const next of streams) {
        assert.deepStrictEqual([yield* next, yield* next], ["200 text/event-stream; charset=utf-8", "ready"])
      }
      // All of them wait before one more comes.
      yield* turnBy(1)
      const late = yield* follow(someone, path)
      assert.deepStrictEqual([yield* late, yield* late, yield* late, yield* late].slice(1), ["ready", "full", "end"])
      const spoken = { from: customer, to: number.id, type: "text", body: "Live" }
      yield* someone.submit(chat(sandbox), `/dashboard/chat/${sandbox.id}/write`, spoken)
      const told = yield* whileTurning(Effect.all(streams))
      assert.deepStrictEqual(new Set(told), new Set(["happened"]))
      assert.strictEqual((yield* someone.get(path.replace(sandbox.id, other.sandbox.id))).status, 404)
    }).pipe(Effect.scoped)
  )

  it.effect("gives the place of a closed page to the next", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `/dashboard/stream?environment=${acme.production.id}`
      const open = Effect.gen(function* () {
        const next = yield* follow(someone, path)
        assert.strictEqual(yield* next, "200 text/event-stream; charset=utf-8")
        assert.strictEqual(yield* next, "ready")
        return next
      })
      yield* Effect.scoped(Effect.forEach(Array.from({ length: 20 }), () => open))
      // The server learns that they left a moment later.
      const isFull = Effect.scoped(
        Effect.flatMap(open, (next) => Effect.raceFirst(next, Effect.as(turnBy(1), "waits")))
      )
      yield* until(Effect.map(isFull, (told) => told === "waits"))
    })
  )

  it.effect("says on a stream of a quiet environment one thing in some fifteen seconds, however long it is open", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const path = `/dashboard/stream?environment=${acme.sibling.production.id}`
      const next = yield* follow(someone, path, anything)
      assert.deepStrictEqual([yield* next, yield* next], ["200 text/event-stream; charset=utf-8", "ready"])
      for (let waited = 0; waited < 4; waited++) {
        yield* turnBy(15_000)
        assert.strictEqual(yield* next, "nothing")
        yield* turnBy(500)
        // A stream that did not wait would have written by now, because another request was answered meanwhile.
        yield* someone.get("/dashboard")
        assert.isTrue(Option.isNone(yield* Effect.timeoutOption(next, 0)), `${waited}`)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("ends its stream with the session", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const next = yield* follow(someone, `/dashboard/stream?environment=${acme.sibling.sandbox.id}`, anything)
      assert.deepStrictEqual([yield* next, yield* next], ["200 text/event-stream; charset=utf-8", "ready"])
      yield* someone.submit("/dashboard", "/dashboard/sign-out")
      yield* turnBy(15_000)
      assert.strictEqual(yield* next, "nothing")
      yield* turnBy(500)
      assert.strictEqual(yield* next, "end")
    }).pipe(Effect.scoped)
  )
})
