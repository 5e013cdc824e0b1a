import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { phone as phoneAt, seedBatches } from "../batches/BatchStage.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { json, run } from "./Commands.ts"

const Messaging = WholeProduct({ sweeps: false }).pipe(Layer.provideMerge(NodeServices.layer))
const phone = "+5511999998888"

/** A customer of acme's sandbox writes, and is answered. */
const talk = Effect.gen(function* () {
  const { acme, post } = yield* Api
  const { key } = acme.sandbox
  const { id } = yield* seedNumber(acme.sandbox)
  const inbound = { channel: "chatapp", from: phone, to: id, type: "text", text: { body: "Oi" } }
  const heard = yield* post("/v1/sandbox/inbound-messages", inbound, { key })
  const sent = yield* post(
    "/v1/messages",
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id },
      recipient: { type: "phone_e164", id: phone },
      message: { type: "text", text: { body: "Olá" } },
      metadata: { sandbox_scenario: "delivery_failure" }
    },
    { key }
  )
  yield* turnBy(10_000)
  return { heard: heard.body.id as string, sent: sent.body.id as string }
})

it.layer(Messaging, { excludeTestServices: true })("carteiro", (it) => {
  it.effect("messages: listed by recipient, status, type and direction, one shown with its events", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id: environment, key } = acme.sandbox
      const { heard, sent } = yield* talk
      const list = (...words: ReadonlyArray<string>) =>
        Effect.map(json("messages", "list", "-e", environment, ...words), ({ data }) =>
          data.map(({ id }: { readonly id: string }) => id)
        )
      assert.deepStrictEqual(yield* list(), [sent, heard])
      assert.deepStrictEqual(yield* list("--limit", "1"), [sent])
      assert.deepStrictEqual(yield* list("--recipient", "55 11 99999-8888"), [sent])
      assert.deepStrictEqual(yield* list("--status", "failed", "--type", "text"), [sent])
      assert.deepStrictEqual(yield* list("--direction", "inbound"), [heard])
      assert.deepStrictEqual(yield* list("--type", "media"), [])
      const text = yield* run("messages", "list", "-e", environment)
      assert.match(text.text, /^id +created_at +direction +type +status +customer$/m)
      assert.match(text.text, /failed \(sandbox_delivery_failure\) +\+5511999998888$/m)
      const { trace_id: _, ...shown } = yield* json("messages", "show", sent, "-e", environment)
      const { trace_id: __, ...read } = (yield* get(`/v1/messages/${sent}`, { key })).body
      assert.deepStrictEqual(shown, read)
      assert.match((yield* run("messages", "show", sent, "-e", environment)).text, /message\.failed +sandbox_delivery/)
      assert.strictEqual((yield* run("messages", "list", "-e", acme.production.id)).text, "no messages")
      for (const [words, refusal] of [
        [["list", "-e", environment, "--recipient", "Maria"], /has no such phone number/],
        [["list", "-e", environment, "--status", "lost"], /--help/],
        [["list", "-e", "env_none"], /No environment with this id/],
        [["show", sent, "-e", acme.production.id], /No message/],
        [["show", "msg_none", "-e", environment], /No message/]
      ] as const) {
        assert.match((yield* run("messages", ...words)).refusal, refusal)
      }
    })
  )

  it.effect("templates: listed by status, category, language and name, one shown with its versions", () =>
    Effect.gen(function* () {
      const { acme, get, patch, post } = yield* Api
      const { id: environment, key } = acme.sibling.sandbox
      const components = [{ type: "BODY", text: "Seu pedido saiu." }]
      const write = (body: object) =>
        Effect.map(
          post(
            "/v1/templates",
            { name: "order", language: "pt_BR", category: "utility", components, ...body },
            { key }
          ),
          ({ body }) => body.id as string
        )
      const [order, offer] = [yield* write({}), yield* write({ name: "offer", category: "marketing", language: "en" })]
      yield* post(`/v1/templates/${order}/submit`, undefined, { key })
      yield* turnBy(1000)
      yield* patch(`/v1/templates/${order}`, { components: [{ type: "BODY", text: "Seu pedido já saiu." }] }, { key })
      const list = (...words: ReadonlyArray<string>) =>
        Effect.map(json("templates", "list", "-e", environment, ...words), ({ data }) =>
          data.map(({ id }: { readonly id: string }) => id)
        )
      assert.deepStrictEqual(yield* list(), [offer, order])
      assert.deepStrictEqual(yield* list("--limit", "1"), [offer])
      assert.deepStrictEqual(yield* list("--category", "utility", "--status", "draft"), [order])
      assert.deepStrictEqual(yield* list("--language", "en"), [offer])
      assert.deepStrictEqual(yield* list("--name", "order"), [order])
      assert.deepStrictEqual(yield* list("--status", "paused"), [])
      const text = yield* run("templates", "list", "-e", environment)
      assert.match(text.text, /^id +name +language +category +status +version$/m)
      assert.match(text.text, /order +pt_BR +utility +draft +2 \(sends use 1\)$/m)
      const { versions, ...shown } = yield* json("templates", "show", order, "-e", environment)
      const { trace_id: _, ...read } = (yield* get(`/v1/templates/${order}`, { key })).body
      assert.deepStrictEqual(shown, read)
      assert.deepStrictEqual(
        versions.map(({ status, version }: { readonly version: number; readonly status: string }) => [version, status]),
        [
          [2, "draft"],
          [1, "approved"]
        ]
      )
      const one = yield* run("templates", "show", order, "-e", environment)
      assert.match(one.text, /^BODY +Seu pedido já saiu\.$/m)
      assert.match(one.text, /^1 +approved +/m)
      for (const [words, refusal] of [
        [["list", "-e", environment, "--status", "lost"], /--help/],
        [["list", "-e", "env_none"], /No environment with this id/],
        [["show", order, "-e", acme.production.id], /No template/],
        [["show", "tpl_none", "-e", environment], /No template/]
      ] as const) {
        assert.match((yield* run("templates", ...words)).refusal, refusal)
      }
    })
  )

  it.effect("shows text of customers and callers without terminal control characters", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const { id: environment, key } = other.sandbox
      const phone = "+5511944440000"
      const hostile = "\u001b]0;x\u0007a\u202eb\u009b2J\u2066c\u061c\u2028d\u007f 👨\u200d👩"
      yield* post("/v1/contacts/opt-in", { phone, reason: "asked" }, { key })
      // As rows of an earlier release, or names that the platform tells, may be.
      const sql = yield* SqlClient.SqlClient
      yield* sql`update consent_events set reason = ${`${hostile}\nid  con_forged`} where environment_id = ${environment}`
      const [contact] = (yield* json("contacts", "list", "-e", environment, "--phone", phone)).data
      const acting = /[^\P{Cc}\n]|\p{Bidi_Control}|[\u2028\u2029]/u
      const told = yield* run("contacts", "export", contact.id, "-e", environment)
      assert.notMatch(told.text, acting)
      assert.include(
        told.text,
        "\\u001b]0;x\\u0007a\\u202eb\\u009b2J\\u2066c\\u061c\\u2028d\\u007f 👨\u200d👩\\u000aid  con_forged"
      )
      const document = yield* run("contacts", "export", contact.id, "-e", environment, "--json")
      assert.notMatch(document.text, acting)
      assert.strictEqual(document.json.consent_events[0].reason, `${hostile}\nid  con_forged`)
      const refused = yield* run("contacts", "export", `con_${hostile}`, "-e", `env_${hostile}`)
      assert.isFalse(refused.ok)
      assert.notMatch(refused.refusal, acting)
    })
  )

  it.effect('contacts: listed by phone and consent, one exported as the API does gaps-2 I "Export"', () =>
    Effect.gen(function* () {
      const { acme, patch, post } = yield* Api
      const { id: environment, key } = acme.sibling.sandbox
      const choice = { phone: "+5511922221111", source: "crm", reason: "asked", metadata: { plan: "gold" } }
      const { id } = (yield* post("/v1/contacts/opt-in", choice, { key })).body
      yield* post("/v1/contacts/opt-out", { phone: "+5511933331111" }, { key })
      const list = (...words: ReadonlyArray<string>) =>
        Effect.map(json("contacts", "list", "-e", environment, ...words), ({ data }) =>
          data.map(({ phone }: { readonly phone: string }) => phone)
        )
      assert.deepStrictEqual(yield* list(), ["+5511933331111", "+5511922221111"])
      assert.deepStrictEqual(yield* list("--consent", "opted_in"), ["+5511922221111"])
      assert.deepStrictEqual(yield* list("--phone", "55 11 93333 1111"), ["+5511933331111"])
      assert.match((yield* run("contacts", "list", "-e", environment)).text, /\+5511922221111 +opted_in +crm +never/)
      const {
        trace_id: _,
        generated_at: __,
        ...api
      } = (yield* post(`/v1/contacts/${id}/export`, undefined, { key })).body
      const { generated_at: ___, ...made } = yield* json("contacts", "export", id, "-e", environment)
      assert.deepStrictEqual(made, api)
      const { text } = yield* run("contacts", "export", id, "-e", environment)
      for (const part of [/^phone +\+5511922221111$/m, /opted_in +crm +asked$/m, /^no messages$/m, /\{"plan":"gold"\}/])
        assert.match(text, part)
      yield* patch("/v1/data-retention", { data_export_enabled: false }, { key })
      for (const [words, refusal] of [
        [["export", id, "-e", environment], /export/i],
        [["export", id, "-e", acme.production.id], /No contact/],
        [["export", "con_none", "-e", environment], /No contact/],
        [["list", "-e", environment, "--phone", "Maria"], /has no such phone number/],
        [["list", "-e", "env_none"], /No environment with this id/]
      ] as const) {
        const ran = yield* run("contacts", ...words)
        assert.isFalse(ran.ok)
        assert.match(ran.refusal, refusal)
      }
    })
  )

  it.effect("batches: listed by status, one shown with its progress and failures", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id: environment, key } = acme.project.sandbox
      const batches = yield* seedBatches(acme.project.sandbox)
      yield* post("/v1/contacts/opt-out", { phone: phoneAt(1) }, { key })
      const { id } = (yield* batches.post({ name: "Maio" })).body
      yield* turnBy(120_000)
      const later = (yield* batches.post({ scheduled_at: "2026-01-20T00:00:00Z" })).body.id
      const list = (...words: ReadonlyArray<string>) =>
        Effect.map(json("batches", "list", "-e", environment, ...words), ({ data }) =>
          data.map((batch: { readonly id: string }) => batch.id)
        )
      assert.deepStrictEqual(yield* list(), [later, id])
      assert.deepStrictEqual(yield* list("--status", "completed"), [id])
      assert.match((yield* run("batches", "list", "-e", environment)).text, /completed +2 +1 +1 +1 +Maio$/m)
      const { trace_id: _, ...api } = (yield* batches.get(`/${id}`)).body
      const { trace_id: __, ...shown } = yield* json("batches", "show", id, "-e", environment)
      assert.deepStrictEqual(shown, api)
      assert.match((yield* run("batches", "show", id, "-e", environment)).text, /^recipients +2$/m)
      const failed = yield* json("batches", "failures", id, "-e", environment)
      assert.deepStrictEqual(failed.data, (yield* batches.get(`/${id}/failures`)).body.data)
      assert.match((yield* run("batches", "failures", id, "-e", environment)).text, /contact_opted_out/)
      for (const words of [
        ["show", id, "-e", acme.production.id],
        ["failures", "bat_none", "-e", environment]
      ] as const) {
        assert.match((yield* run("batches", ...words)).refusal, /No batch/)
      }
    })
  )
})
