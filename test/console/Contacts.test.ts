import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/contacts"
const maria = "+5511999998888"
const ana = "+5511977776666"

const optIn = (phone: string, key: string, more: object = {}) =>
  Effect.flatMap(Api, ({ post }) => post("/v1/contacts/opt-in", { phone, ...more }, { key }))

it.layer(DashboardTest, { excludeTestServices: true })("Contacts", (it) => {
  it.effect('are found by phone and consent, and one shows every choice gaps-2 I "Contact record"', () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const first = (yield* optIn(maria, key, { source: "crm <i>", metadata: { plan: "<b>gold</b>" } })).body.id
      const second = (yield* optIn(ana, key)).body.id
      const out = { phone: maria, source: "support", reason: "asked <script>" }
      assert.strictEqual((yield* post("/v1/contacts/opt-out", out, { key })).status, 200)
      const someone = yield* signedIn(acme)
      const ids = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/href="\/dashboard\/contacts\/env_[0-9a-z]+\/(con_[0-9a-z]+)"/g)].map(([, found]) => found)
        )
      assert.deepStrictEqual(yield* ids(""), [second, first])
      assert.deepStrictEqual(yield* ids("&phone=55+11+99999-8888"), [first])
      assert.deepStrictEqual(yield* ids("&opt_in_status=opted_in"), [second])
      assert.deepStrictEqual(yield* ids("&opt_in_status=none"), [])
      assert.deepStrictEqual(yield* ids("&opt_in_status=bogus"), [second, first])
      assert.deepStrictEqual(yield* ids(`&before=${second}`), [first])
      const sql = yield* SqlClient.SqlClient
      yield* sql`update contacts set profile_name = 'Antônia Célia' where id = ${first}`
      assert.deepStrictEqual(yield* ids("&name=celia"), [first])
      assert.deepStrictEqual(yield* ids("&name=celia&opt_in_status=opted_in"), [])
      assert.deepStrictEqual(yield* ids("&name=Bruno"), [])
      yield* sql`update contacts set profile_name = 'Célia Dias' where id = ${second}`
      assert.deepStrictEqual(yield* ids("&name=celia"), [second, first])
      assert.deepStrictEqual(yield* ids(`&name=celia&before=${second}`), [first], "older ones stand on the next page")
      const elsewhere = yield* someone.get(`${page}?environment=${acme.production.id}&name=celia`)
      assert.notInclude(elsewhere.text, first)
      const list = textOf((yield* someone.get(`${page}?environment=${id}`)).text)
      for (const part of [
        "+55 11 99999-8888",
        "opted out",
        "+55 11 97777-6666",
        "opted in",
        "What is kept",
        "90 days",
        "30 days"
      ])
        assert.include(list, part)
      assert.strictEqual((yield* someone.get(`${page}?environment=${id}&phone=Maria`)).status, 400)

      const { text } = yield* someone.get(`${page}/${id}/${first}`)
      for (const raw of ["<script>", "<b>gold", "crm <i>"]) assert.notInclude(text, raw)
      const shown = textOf(text)
      for (const part of ["+55 11 99999-8888", "crm <i>", "<b>gold</b>", "support · asked <script>", "1 Jan"])
        assert.include(shown, part)
      assert.include(text, `/dashboard/messages?environment=${id}&amp;recipient=%2B5511999998888`)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include(textOf((yield* member.get(`${page}/${id}/${first}`)).text), "support · asked <script>")
    })
  )

  it.effect('one is erased by owners and admins who type its phone, with what rooms hold gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { acme, get, other, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const number = yield* seedNumber(acme.sibling.sandbox)
      const phone = "+5511955556666"
      const readable = "+55 11 95555-6666"
      const spoken = { channel: "chatapp", from: phone, to: number.id, type: "text", text: { body: "My secret" } }
      const heard = yield* post("/v1/sandbox/inbound-messages", spoken, { key })
      assert.strictEqual(heard.status, 202, heard.text)
      yield* turnBy(1000)
      const contact = (yield* get(`/v1/contacts?phone=${encodeURIComponent(phone)}`, { key })).body.data[0].id
      const path = `${page}/${id}/${contact}`
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include((yield* someone.get(path)).text, `href="${path}/erase"`)
      assert.notInclude((yield* member.get(path)).text, `href="${path}/erase"`)
      const question = textOf((yield* someone.get(`${path}/erase`)).text)
      for (const part of ["Erase this customer?", `Type ${readable} to confirm`]) assert.include(question, part)
      const wrong = yield* someone.submit(`${path}/erase`, `${path}/erase`, { name: maria })
      assert.deepStrictEqual([wrong.status, textOf(wrong.text).includes("That is not ")], [400, true])
      const stranger = yield* signedIn(other)
      for (const [refused, status] of [
        [yield* member.submit("/dashboard", `${path}/erase`, { name: phone }), 403],
        [yield* stranger.submit("/dashboard", `${path}/erase`, { name: phone }), 404]
      ] as const)
        assert.strictEqual(refused.status, status)
      assert.strictEqual((yield* get(`/v1/contacts/${contact}`, { key })).status, 200)
      const done = yield* someone.submit(`${path}/erase`, `${path}/erase`, { name: ` ${readable} ` })
      assert.strictEqual(done.headers.location, `${page}?environment=${id}&done=contact_erased`)
      assert.strictEqual((yield* get(`/v1/contacts/${contact}`, { key })).status, 404)
      assert.strictEqual((yield* someone.get(path)).status, 404)
      yield* erasureJob.run
      const left = yield* get(`/v1/messages/${heard.body.id}`, { key })
      assert.deepStrictEqual(
        [left.status, left.text.includes("My secret"), left.text.includes(phone)],
        [200, false, false]
      )
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`select action, environment_id, subject, before, after from audit_log where subject = ${contact}`,
        [{ action: "contact.erased", environment_id: id, subject: contact, before: null, after: null }]
      )
    })
  )

  it.effect('one is opted out by owners and admins, with the reason gaps-2 I "Opt-in, opt-out, reads"', () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const contact = (yield* optIn("+5511944443333", key)).body.id
      const path = `${page}/${id}/${contact}`
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include((yield* someone.get(path)).text, `href="${path}/opt-out"`)
      assert.notInclude((yield* member.get(path)).text, `href="${path}/opt-out"`)
      assert.include(textOf((yield* someone.get(`${path}/opt-out`)).text), "Opt this customer out?")
      const stranger = yield* signedIn(other)
      for (const [refused, status] of [
        [yield* member.submit("/dashboard", `${path}/opt-out`, {}), 403],
        [yield* stranger.submit("/dashboard", `${path}/opt-out`, {}), 404]
      ] as const)
        assert.strictEqual(refused.status, status)
      assert.strictEqual((yield* get(`/v1/contacts/${contact}`, { key })).body.opt_in_status, "opted_in")
      const done = yield* someone.submit(`${path}/opt-out`, `${path}/opt-out`, { reason: " asked <on> the phone " })
      assert.strictEqual(done.headers.location, `${path}?done=opted_out`)
      assert.strictEqual((yield* get(`/v1/contacts/${contact}`, { key })).body.opt_in_status, "opted_out")
      const after = yield* someone.get(path)
      assert.include(textOf(after.text), "the console · asked <on> the phone")
      assert.match(textOf(after.text), /Known since[^·]*?the API/, "the first source, not the latest")
      assert.notInclude(after.text, `href="${path}/opt-out"`)
    })
  )

  it.effect(
    'a stranger is opted out by phone, after a look at the number with its country gaps-2 I "Opt-in, opt-out, reads"',
    () =>
      Effect.gen(function* () {
        const { acme, get, other } = yield* Api
        const { id, key } = acme.sandbox
        const path = `${page}/${id}/opt-out`
        const someone = yield* signedIn(acme)
        const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
        assert.include((yield* someone.get(`${page}?environment=${id}`)).text, `href="${path}"`)
        assert.notInclude((yield* member.get(`${page}?environment=${id}`)).text, `href="${path}"`)
        const stranger = yield* signedIn(other)
        for (const [refused, status] of [
          [yield* member.submit("/dashboard", path, { phone: maria }), 403],
          [yield* stranger.submit("/dashboard", path, { phone: maria }), 404]
        ] as const)
          assert.strictEqual(refused.status, status)
        const wrong = yield* someone.submit(path, path, { phone: "1 415 555 0134" })
        assert.strictEqual(wrong.status, 400)
        assert.include(textOf(wrong.text), "write + and its country code: +1 415 555 0134 · United States.")
        const typed = { phone: "11 94444-1212", reason: "asked <on> the phone" }
        const question = textOf((yield* someone.submit(path, path, typed)).text)
        for (const part of [
          "+55 11 94444-1212 · Brazil",
          "None yet: this customer has not written and has made no choice.",
          "asked <on> the phone"
        ])
          assert.include(question, part)
        const linked = yield* someone.get(`${path}?phone=${encodeURIComponent("+5511944441212")}`)
        assert.include(textOf(linked.text), "until they opt in again. Phone +55 11 94444-1212 · Brazil")
        const unread = yield* someone.get(`${path}?phone=maria`)
        assert.include(unread.text, 'value="maria"', "a phone that cannot be read is corrected in the form")
        const known = () => get(`/v1/contacts?phone=${encodeURIComponent("+5511944441212")}`, { key })
        assert.deepStrictEqual((yield* known()).body.data, [])
        const done = yield* someone.submit(path, path, { ...typed, confirmed: "1" })
        const [contact] = (yield* known()).body.data
        assert.strictEqual(contact.opt_in_status, "opted_out")
        assert.strictEqual(done.headers.location, `${page}/${id}/${contact.id}?done=opted_out`)
        const shown = textOf((yield* someone.get(`${page}/${id}/${contact.id}?language=pt`)).text)
        assert.include(shown, "o painel · asked <on> the phone")
        assert.match(shown, /Conhecido desde[^·]*o painel/)
      })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const { id } = (yield* optIn("+5511922223333", other.sandbox.key)).body
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${other.sandbox.id}/${id}`,
        `${page}/${acme.sandbox.id}/${id}`,
        `${page}?environment=${other.sandbox.id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.strictEqual(status, 404, path)
        assert.notInclude(text, "22223333")
      }
    })
  )
})
