import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

it.layer(DashboardTest, { excludeTestServices: true })("A customer who hides the phone", (it) => {
  it.effect("is named on the pages of contacts, messages and chat, and is answered there U-HID-01 U-HID-03", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const user_id = "BR.7600000000000001"
      const simulated = yield* post(
        "/v1/sandbox/inbound-messages",
        {
          channel: "chatapp",
          from: "",
          user_id,
          username: "@maria",
          to: number.id,
          type: "text",
          text: { body: "Oi!" }
        },
        { key }
      )
      assert.strictEqual(simulated.status, 202, simulated.text)
      yield* turnBy(1000)
      const someone = yield* signedIn(acme)
      const contacts = yield* someone.get(`/dashboard/contacts?environment=${environment}`)
      assert.include(textOf(contacts.text), "@maria")
      const found = yield* someone.get(`/dashboard/contacts?environment=${environment}&user_id=${user_id}`)
      assert.include(textOf(found.text), "@maria")
      const [contact] = (yield* get(`/v1/contacts?user_id=${user_id}`, { key })).body.data
      const page = yield* someone.get(`/dashboard/contacts/${environment}/${contact.id}`)
      for (const text of ["@maria", user_id]) assert.include(textOf(page.text), text)
      const message = yield* someone.get(`/dashboard/messages/${environment}/${simulated.body.id}`)
      for (const text of ["@maria", user_id]) assert.include(textOf(message.text), text)

      const chat = `/dashboard/chat?environment=${environment}&customer=${user_id}`
      assert.include(textOf((yield* someone.get(chat)).text), "Oi!")
      const answered = yield* someone.submit(chat, `/dashboard/chat/${environment}/send`, {
        customer: user_id,
        number: number.id,
        answer: "Bom dia"
      })
      assert.strictEqual(answered.status, 303, answered.text)
      yield* turnBy(3000)
      assert.include(textOf((yield* someone.get(chat)).text), "Bom dia")
      const [answer] = (yield* get("/v1/messages?direction=outbound&limit=1", { key })).body.data
      assert.deepInclude(answer.recipient, { type: "chatapp_user_id", id: user_id })
    })
  )

  it.effect("is found by the platform's id once the phone is known, as by the API U-HID-03", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id: environment, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const [user_id, phone] = ["BR.7600000000000002", "+5511966660002"]
      const inbound = { channel: "chatapp", to: number.id, type: "text", user_id }
      yield* post("/v1/sandbox/inbound-messages", { ...inbound, from: "", text: { body: "Quem?" } }, { key })
      yield* post("/v1/sandbox/inbound-messages", { ...inbound, from: phone, text: { body: "Eu!" } }, { key })
      yield* turnBy(1000)
      const sent = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: phone },
          message: { type: "text", text: { body: "Agora sei." } }
        },
        { key }
      )
      yield* turnBy(3000)
      const api = yield* get(`/v1/messages?recipient=${user_id}`, { key })
      assert.deepStrictEqual(
        api.body.data.map((one: { readonly id: string }) => one.id),
        [sent.body.id]
      )
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const list = yield* member.get(`/dashboard/messages?environment=${environment}&recipient=${user_id}`)
      assert.include(textOf(list.text), "Agora sei.")
      assert.notInclude(textOf(list.text), "Bom dia")
      const talk = textOf((yield* member.get(`/dashboard/chat?environment=${environment}&customer=${user_id}`)).text)
      for (const words of ["Quem?", "Eu!", "Agora sei."]) assert.include(talk, words)
      const found = yield* member.get(`/dashboard/search?q=${user_id}`)
      assert.include(found.text, `href="/dashboard/messages/${environment}/${sent.body.id}"`)
    })
  )
})
