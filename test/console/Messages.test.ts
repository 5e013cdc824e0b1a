import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { loggedRequest } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { receiver } from "../webhooks/Deliveries.ts"
import { csrfIn, DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/messages"
const phone = "+5511999998888"

/** A customer writes to a number of the environment, which answers. */
const talk = Effect.fnUntraced(function* (environment: TestEnvironment, words: string, from = phone) {
  const { post } = yield* Api
  const { key } = environment
  const number = yield* seedNumber(environment)
  const inbound = {
    channel: "chatapp",
    from,
    to: number.id,
    type: "text",
    text: { body: words },
    profile_name: "Maria"
  }
  const heard = yield* post("/v1/sandbox/inbound-messages", inbound, { key })
  const sent = yield* post(
    "/v1/messages",
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number.id },
      recipient: { type: "phone_e164", id: from },
      message: { type: "text", text: { body: `re: ${words}` } },
      metadata: { order: "<b>42</b>" }
    },
    { key }
  )
  assert.deepStrictEqual([heard.status, sent.status], [202, 202], heard.text + sent.text)
  return { heard: heard.body.id as string, sent: sent.body.id as string }
})

it.layer(DashboardTest, { excludeTestServices: true })("Messages", (it) => {
  it.effect("are found by recipient, status, type and direction", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sandbox
      const { heard, sent } = yield* talk(acme.sandbox, "first")
      const other = yield* talk(acme.sandbox, "second", "+5511977776666")
      yield* turnBy(10_000)
      const someone = yield* signedIn(acme)
      const ids = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/href="\/dashboard\/messages\/env_[0-9a-z]+\/(msg_[0-9a-z]+)"/g)].map(([, found]) => found)
        )
      assert.deepStrictEqual(yield* ids(""), [other.sent, other.heard, sent, heard])
      assert.deepStrictEqual(yield* ids(`&recipient=${encodeURIComponent(phone)}`), [sent])
      assert.deepStrictEqual(yield* ids("&recipient=55+11+99999-8888"), [sent])
      assert.deepStrictEqual(yield* ids("&recipient=(11)+99999-8888"), [sent])
      assert.deepStrictEqual(yield* ids("&recipient=011999998888"), [sent])
      assert.deepStrictEqual(yield* ids("&status=read"), [other.sent, sent])
      assert.deepStrictEqual(yield* ids("&status=failed"), [])
      assert.deepStrictEqual(yield* ids("&type=text&direction=inbound"), [other.heard, heard])
      assert.deepStrictEqual(yield* ids("&type=template"), [])
      assert.deepStrictEqual(yield* ids("&status=bogus"), [other.sent, other.heard, sent, heard])
      assert.deepStrictEqual(yield* ids(`&before=${sent}`), [heard])
      const wrong = yield* someone.get(`${page}?environment=${id}&recipient=nobody`)
      assert.strictEqual(wrong.status, 400)
      assert.include(textOf(wrong.text), "That is no phone number.")
      assert.match(wrong.text, /id="recipient" name="recipient" aria-describedby="recipient-error" aria-invalid="true"/)
      const list = textOf((yield* someone.get(`${page}?environment=${id}&status=read`)).text)
      for (const part of ["+55 11 99999-8888", "re: first", "out, text", "read"]) assert.include(list, part)
    })
  )

  it.effect("are read by every member: the list, one message, its file and the chat", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id, key } = acme.sandbox
      const { heard, sent } = yield* talk(acme.sandbox, "for everyone", "+5511966665555")
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const sql = yield* SqlClient.SqlClient
      yield* sql`update contacts set profile_name = 'Rosa <Lima>' where environment_id = ${id} and phone = '+5511966665555'`
      const list = yield* member.get(`${page}?environment=${id}&recipient=%2B5511966665555`)
      assert.include(list.text, `href="${page}/${id}/${sent}"`)
      assert.include(textOf(list.text), "Rosa <Lima> +55 11 96666-5555", "a customer has a name")
      assert.notInclude(list.text, heard)
      assert.include(list.text, `href="/dashboard/chat?environment=${id}">Write in the chat<`)
      for (const one of [heard, sent]) {
        const shown = yield* member.get(`${page}/${id}/${one}`)
        assert.deepStrictEqual([shown.status, textOf(shown.text).includes("for everyone")], [200, true])
      }
      const file = yield* member.get(`${page}/export?environment=${id}&recipient=%2B5511966665555`)
      assert.include(file.text, sent)
      // A line says of both sides what the API says of them.
      const whole = yield* member.get(`${page}/export?environment=${id}`)
      for (const one of [heard, sent]) {
        const { body } = yield* get(`/v1/messages/${one}`, { key })
        const { channel, created_at, direction, recipient, sender, status, trace_id, type, updated_at } = body
        const start = [one, created_at, direction, channel, type, status, sender.id, recipient.id]
        assert.include(whole.text, `\r\n${[...start, "", "", trace_id, updated_at].join()}\r\n`)
      }
      const chat = yield* member.get(`/dashboard/chat?environment=${id}&customer=%2B5511966665555`)
      assert.include(textOf(chat.text), "re: for everyone")
      const ghost = `${page}/${acme.sibling.sandbox.id}/${sent}`
      assert.strictEqual((yield* member.get(ghost)).status, 404)
    })
  )

  it.effect("a long list has pages that keep its filters", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const number = yield* seedNumber(acme.sibling.sandbox)
      for (let n = 0; n < 27; n++) {
        const inbound = { channel: "chatapp", from: phone, to: number.id, type: "text", text: { body: `words ${n}.` } }
        yield* post("/v1/sandbox/inbound-messages", inbound, { key })
      }
      const someone = yield* signedIn(acme)
      const first = yield* someone.get(`${page}?environment=${id}&direction=inbound&type=text`)
      assert.include(first.text, "words 2.")
      assert.notInclude(first.text, "words 1.")
      const older = /href="([^"]+)">Older</.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.include(older, "direction=inbound")
      const second = yield* someone.get(older)
      for (const words of ["words 0.", "words 1."]) assert.include(second.text, words)
      assert.notInclude(second.text, "words 2.")
      assert.include(second.text, ">Newest<")
      assert.notInclude(second.text, ">Older<")
    })
  )

  it.effect("shows its content, events and deliveries, with all values escaped", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const ill = yield* receiver(() => 503)
      const subscribed_events = ["message.received", "message.delivered"]
      yield* post("/v1/webhook-endpoints", { url: ill.url, subscribed_events }, { key })
      const { heard, sent } = yield* talk(acme.sandbox, '<script>alert("x")</script>', "+5511955554444")
      yield* turnBy(3000)
      const someone = yield* signedIn(acme)
      const inbound = yield* someone.get(`${page}/${id}/${heard}`)
      assert.notInclude(inbound.text, "<script>")
      const told = textOf(inbound.text)
      for (const part of [
        "Message from a customer",
        '<script>alert("x")</script>',
        "+55 11 95555-4444 Maria",
        "message.received",
        "503 server error"
      ])
        assert.include(told, part)
      assert.notInclude(told, "message.delivered")
      const outbound = yield* someone.get(`${page}/${id}/${sent}`)
      assert.notInclude(outbound.text, "<b>42</b>")
      const shown = textOf(outbound.text)
      for (const part of ["Message to a customer", "<b>42</b>", "message.queued", "message.read", "message.delivered"])
        assert.include(shown, part)
      const delivery = /\/dashboard\/webhooks\/[^"]+\/deliveries\/whe_[0-9a-z]+/.exec(outbound.text)?.[0] ?? ""
      assert.include(textOf((yield* someone.get(delivery)).text), sent)
    })
  )

  it.effect("shows what it answers, the request that made it, and the call that sends it again", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const from = "+5511944443333"
      const { heard, sent: first } = yield* talk(acme.sandbox, "Shall I?", from)
      const someone = yield* signedIn(acme)
      const sender = /"sender": { "type": "chatapp_phone_number", "id": "(pn_[0-9a-z]+)"/.exec(
        textOf((yield* someone.get(`${page}/${id}/${first}`)).text)
      )?.[1]
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: sender },
          recipient: { type: "phone_e164", id: from },
          message: { type: "text", text: { body: "It's <yours>" } },
          reply_to: { message_id: heard }
        },
        { key }
      )
      assert.strictEqual(sent.status, 202, sent.text)
      const request = yield* loggedRequest(acme.sandbox)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update request_logs set trace_id = ${sent.body.trace_id} where id = ${request}`
      yield* turnBy(10_000)
      const { text } = yield* someone.get(`${page}/${id}/${sent.body.id}`)
      assert.include(text, `Answers</dt><dd><a href="${page}/${id}/${heard}">`)
      assert.include(text, `href="/dashboard/request-logs/${id}/${request}"`)
      const told = textOf(text)
      assert.match(told, /It's <yours> 1 Jan(?: 2026)? [\d:]+ UTC ✓✓ read/)
      assert.include(told, `"body": "It'\\''s <yours>"`)
      assert.include(told, "await carteiro.messages.send({")
      assert.include(told, "It has moved no money.")
      const of = { organization_id: acme.organization_id, environment_id: id }
      yield* sql`insert into usage_records ${sql.insert({
        ...of,
        id: "usg_1",
        project_id: acme.project.id,
        meter_id: "message.transport.service",
        source_type: "message",
        source_id: sent.body.id,
        occurred_at: new Date(0)
      })}`
      yield* sql`insert into ledger_entries ${sql.insert({
        ...of,
        id: "led_1",
        account_id: id,
        environment: "sandbox",
        type: "debit",
        is_listed: true,
        from_account: "available",
        to_account: "revenue",
        amount: 590,
        source_type: "usage",
        source_id: "usg_1",
        meter_id: "message.transport.service",
        recorded_at: new Date(0)
      })}`
      const paid = textOf((yield* someone.get(`${page}/${id}/${sent.body.id}`)).text)
      assert.match(paid, /debit −R\$ 0,0590 message transport service/)
      const inbound = textOf((yield* someone.get(`${page}/${id}/${heard}`)).text)
      assert.notInclude(inbound, "Send it once more")
    })
  )

  it.effect("one to a customer is sent again as a new message, once for each question M-MSG-01", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id, key } = acme.sandbox
      const { heard, sent } = yield* talk(acme.sandbox, "Once <more>", "+5511933332222")
      const path = `${page}/${id}/${sent}`
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include((yield* someone.get(path)).text, `href="${path}/again"`)
      assert.notInclude((yield* member.get(path)).text, `href="${path}/again"`)
      assert.notInclude((yield* someone.get(`${page}/${id}/${heard}`)).text, "/again")
      assert.strictEqual((yield* someone.get(`${page}/${id}/${heard}/again`)).status, 404)
      const question = yield* someone.get(`${path}/again`)
      const asMember = yield* member.get(`${path}/again`)
      for (const part of ["To +55 11 93333-2222 · Brazil", "re: Once <more>", "Costs nothing: a sandbox is free"])
        for (const { text } of [question, asMember]) assert.include(textOf(text), part)
      const fields = { csrf: csrfIn(question.text) }
      const first = yield* someone.post(`${path}/again`, fields)
      const [, fresh = ""] = /\/(msg_[0-9a-z]+)\?done=sent_again$/.exec(first.headers.location ?? "") ?? []
      assert.strictEqual(first.headers.location, `${page}/${id}/${fresh}?done=sent_again`)
      const second = yield* someone.post(`${path}/again`, fields)
      assert.strictEqual(second.headers.location, first.headers.location)
      yield* turnBy(10_000)
      const read = (one: string) => get(`/v1/messages/${one}`, { key })
      const [before, after] = [(yield* read(sent)).body, (yield* read(fresh)).body]
      for (const member of ["sender", "recipient", "channel", "type", "metadata"])
        assert.deepStrictEqual(after[member], before[member], member)
      assert.deepStrictEqual(after.payload.request, before.payload.request)
      assert.include(JSON.stringify(after.payload.request), "re: Once <more>")
      assert.strictEqual(after.status, "read")
      const all = (yield* get(`/v1/messages?recipient=${encodeURIComponent("+5511933332222")}`, { key })).body.data
      assert.deepStrictEqual(
        all.map((one: { readonly id: string }) => one.id),
        [fresh, sent]
      )
      assert.include(textOf((yield* someone.get(first.headers.location ?? "")).text), "This is the new message.")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select action, environment_id, subject, after from audit_log
        where organization_id = ${acme.organization_id} and subject = ${sent} order by id limit 1`
      assert.deepStrictEqual(rows, [
        { action: "message.sent_again", environment_id: id, subject: sent, after: JSON.stringify({ message: fresh }) }
      ])
    })
  )

  it.effect("a refusal of sending again stands on its page, and an old question is asked again", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.sandbox
      const to = "+5511922221111"
      const { sent } = yield* talk(acme.sandbox, "Too late", to)
      const path = `${page}/${id}/${sent}/again`
      const someone = yield* signedIn(acme)
      const question = yield* someone.get(path)
      yield* turnBy(15 * 60_000)
      const old = yield* someone.post(path, { csrf: csrfIn(question.text) })
      assert.deepStrictEqual([old.status, textOf(old.text).includes("Send this message again?")], [200, true])
      assert.strictEqual((yield* post("/v1/contacts/opt-out", { phone: to, source: "support" }, { key })).status, 200)
      const refused = yield* someone.submit(path, path)
      assert.deepStrictEqual([refused.status, textOf(refused.text).includes("opted out")], [400, true])
      const all = (yield* get(`/v1/messages?recipient=${encodeURIComponent(to)}`, { key })).body.data
      assert.strictEqual(all.length, 1)
      const sql = yield* SqlClient.SqlClient
      const moved = yield* sql`update phone_numbers set environment_id = ${acme.production.id}
        where id = (select business_id from messages where id = ${sent}) returning id`
      assert.lengthOf(moved, 1)
      const gone = yield* someone.submit(path, path)
      assert.deepStrictEqual([gone.status, textOf(gone.text).includes("Send this message again?")], [404, true])
      yield* sql`update messages set environment_id = ${acme.production.id} where id = ${sent}`
      const there = `${page}/${acme.production.id}/${sent}/again`
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const one of [someone, member]) {
        assert.include(textOf((yield* one.get(there)).text), "Costs at most R$ 0,03")
      }
      yield* sql`update organizations set credit_blocked = true where id = ${acme.organization_id}`
      const blocked = yield* someone.submit(there, there)
      yield* sql`update organizations set credit_blocked = false where id = ${acme.organization_id}`
      assert.deepStrictEqual([blocked.status, textOf(blocked.text).includes("Costs at most")], [402, true])
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { heard } = yield* talk(other.sandbox, "private")
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${other.sandbox.id}/${heard}`,
        `${page}/${acme.sandbox.id}/${heard}`,
        `${page}/${acme.production.id}/${heard}`,
        `${page}/${acme.sandbox.id}/msg_nothing`,
        `${page}?environment=${other.sandbox.id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.strictEqual(status, 404, path)
        assert.notInclude(text, "private")
      }
    })
  )
})
