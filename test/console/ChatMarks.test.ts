import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { DashboardTest, signedIn, textOf } from "./Visitor.ts"

const customer = "+5511999997777"
const chat = (environment: TestEnvironment) =>
  `/dashboard/chat?environment=${environment.id}&customer=${encodeURIComponent(customer)}`

it.layer(DashboardTest, { excludeTestServices: true })("The marks of a message", (it) => {
  it.effect("names the group of a message on its page, which is in no conversation U-INB-06", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme.sibling
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const { key } = sandbox
      const group = yield* post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
      yield* turnBy(1000)
      const written = { channel: "chatapp", from: customer, to: number.id, type: "text", text: { body: "Oi, pessoal" } }
      const made = yield* post("/v1/sandbox/inbound-messages", { ...written, group_id: group.body.id }, { key })
      assert.strictEqual(made.status, 202, made.text)
      const { text } = yield* someone.get(chat(sandbox))
      const talk = text.slice(text.indexOf('id="talk"'), text.indexOf('id="events"'))
      assert.include(talk, "Write as the customer below, then answer as the business.")
      assert.notInclude(talk, "Oi, pessoal")
      const page = yield* someone.get(`/dashboard/messages/${sandbox.id}/${made.body.id}`)
      assert.include(textOf(page.text), "In a group")
      assert.include(page.text, `/dashboard/groups/${sandbox.id}/${group.body.id}`)
    })
  )

  it.effect("shows the advertisement and the marks of a message, here and on its page U-INB-04 U-INB-05", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme.sibling
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const referral = { source_type: "ad", headline: "Agende <hoje>", click_id: "Aff-77" }
      const context = { forwarded: true, referred_product: { retailer_id: "di9" } }
      const written = { channel: "chatapp", from: customer, to: number.id, type: "text", text: { body: "Vi" } }
      const made = yield* post("/v1/sandbox/inbound-messages", { ...written, referral, context }, { key: sandbox.key })
      assert.strictEqual(made.status, 202, made.text)
      const talk = textOf((yield* someone.get(chat(sandbox))).text)
      const page = textOf((yield* someone.get(`/dashboard/messages/${sandbox.id}/${made.body.id}`)).text)
      for (const said of ["From an advertisement or post: Agende <hoje>", "About the product di9", "Forwarded"]) {
        assert.include(talk, said)
        assert.include(page, said)
      }
      assert.include(page, "Aff-77")
    })
  )

  it.effect("shows corrections and withdrawals, and the marks of their message U-INB-03", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { sandbox } = acme.sibling
      const number = yield* seedNumber(sandbox)
      const someone = yield* signedIn(acme)
      const simulate = (content: object) =>
        Effect.map(
          post(
            "/v1/sandbox/inbound-messages",
            { channel: "chatapp", from: customer, to: number.id, ...content },
            { key: sandbox.key }
          ),
          ({ body }) => body.id as string
        )
      const id = yield* simulate({ type: "text", text: { body: "Hoje" } })
      const content = { type: "text", text: { body: "Só <amanhã>" } }
      yield* simulate({ type: "unknown", unknown: { edit: { message_id: id, content } } })
      yield* simulate({ type: "unknown", unknown: { revoke: { message_id: id } } })
      const talk = textOf((yield* someone.get(chat(sandbox))).text)
      for (const said of ["correction of a message", "Só <amanhã>", "withdrawal of a message"])
        assert.include(talk, said)
      const page = textOf((yield* someone.get(`/dashboard/messages/${sandbox.id}/${id}`)).text)
      for (const mark of ["Withdrawn by its author", "Corrected by its author"]) {
        assert.include(talk, mark)
        assert.include(page, mark)
      }
    })
  )
})
