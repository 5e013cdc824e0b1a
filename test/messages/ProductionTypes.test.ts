import { Ids } from "@carteiro/owners/Ids.ts"
import { type ChatAnswer, type ChatSend, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import * as Billing from "@carteiro/runtime/billing/room.ts"
import * as Flows from "@carteiro/runtime/flows/room.ts"
import * as Media from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import { type DeliveryCode, deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { connectionOf } from "../support/Chat.ts"
import { seedNumber, seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { accept, announced, customer, hear, stored } from "./Sending.ts"

/** A provider that gives each test's answers, and records its calls. */
const answers: Array<ChatAnswer> = []
const seen: Array<ChatSend> = []
let count = 0

const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf((send) =>
      Effect.sync(() => {
        seen.push(send)
        return answers.shift() ?? { _tag: "Accepted", provider_message_id: `wamid.${++count}`, response: {} }
      })
    )
  )
)

/** A production number to which a customer wrote. */
const stage = Effect.gen(function* () {
  answers.length = 0
  seen.length = 0
  const number = yield* seedSender("production")
  const heard = yield* hear(number, { provider: "upstream", provider_message_id: `wamid.in.${++count}` })
  return { heard, number }
})

/** A published flow of the number's environment. */
const seedFlow = Effect.fnUntraced(function* ({ environment_id }: TestNumber) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("flw", now)
  const at = new Date(now)
  yield* sql`insert into flows (environment_id, id, name, status, provider_flow_id, categories, flow_json, published_at,
      created_at, updated_at)
    values (${environment_id}, ${id}, 'Survey', 'published', '9876', '[]', '{}', ${at}, ${at}, ${at})`
  return id
}, Effect.orDie)

const flowSend = (flow_token: string) => ({
  type: "flow" as const,
  content: jsonText({
    type: "flow",
    flow: {
      body: { text: "Responda" },
      action: { name: "flow", parameters: { flow_name: "Survey", flow_token, flow_cta: "Abrir" } }
    }
  }),
  names: { _tag: "Flow" as const, flow_id: undefined, flow_name: "Survey" }
})

const completed = Effect.fnUntraced(function* (flowId: string) {
  return (yield* announced(flowId)).map(
    ({ data, type }) => [type, (data.submission as { readonly message_id: string }).message_id] as const
  )
})

const flowAnswer = (number: TestNumber, provider_token: string | null, quoted_id: string | null) =>
  hear(number, {
    type: "flow",
    content: jsonText({ type: "flow", flow: { name: null, response: { date: "x" }, provider_token } }),
    provider: "upstream",
    provider_message_id: `wamid.in.${++count}`,
    ...(quoted_id === null ? {} : { context: { quoted_id, forwarded: false, frequently_forwarded: false } })
  })

it.layer(OwnerTest(Messages.room.owners.pipe(Layer.provide(connected))), { excludeTestServices: true })(
  "Production messages",
  (it) => {
    it.effect("of a reaction and of a flow name their target by the id of the provider M-REACT-01 M-FLOW-03", () =>
      Effect.gen(function* () {
        const { heard, number } = yield* stage
        const reaction = { message_id: heard.id, emoji: "👍" }
        yield* seedFlow(number)
        yield* accept(number, {
          type: "reaction",
          content: jsonText({ type: "reaction", reaction }),
          names: { _tag: "Reaction", message_id: heard.id }
        })
        yield* accept(number, flowSend("t"))
        yield* turnBy(1000)
        const { provider_message_id } = yield* stored(heard.id)
        assert.deepStrictEqual(
          seen.map(({ content }) => content),
          [
            { type: "reaction", provider_message_id: provider_message_id ?? "", emoji: "👍" },
            {
              type: "flow",
              body: "Responda",
              parameters: { flow_token: "t", flow_cta: "Abrir", flow_id: "9876" }
            }
          ]
        )
      })
    )

    it.effect(
      'find an answered flow by the quote, else by token and customer gaps-2 E "Flow completion match" M-FLOW-04 M-EVT-09',
      () =>
        Effect.gen(function* () {
          const { number } = yield* stage
          const flow = yield* seedFlow(number)
          const first = yield* accept(number, flowSend("one"))
          const second = yield* accept(number, flowSend("one"))
          yield* turnBy(1000)
          const { provider_message_id } = yield* stored(first.id)
          const quoting = yield* flowAnswer(number, "one", provider_message_id)
          assert.deepStrictEqual(yield* completed(flow), [["flow.completed", first.id]])
          assert.deepStrictEqual(
            (yield* announced(quoting.id)).map(({ type }) => type),
            ["message.received"]
          )
          yield* turnBy(1000)
          yield* flowAnswer(number, "one", null)
          assert.deepStrictEqual((yield* completed(flow)).at(-1), ["flow.completed", second.id])
          yield* turnBy(1000)
          // Another customer, another token, and a quote of an unknown message: only message.received.
          yield* flowAnswer(number, "two", null)
          yield* flowAnswer(number, null, "wamid.unknown")
          yield* hear(number, {
            type: "flow",
            customer_key: "5521998765432",
            content: jsonText({ type: "flow", flow: { name: null, response: {}, provider_token: "one" } })
          })
          assert.lengthOf(yield* completed(flow), 2)
        })
    )

    it.effect("get the code of the refusal by the provider, also the one for parameters M-MSG-39 M-DLV-01", () =>
      Effect.gen(function* () {
        const { number } = yield* stage
        const codes = Object.keys(deliveryCodes) as ReadonlyArray<DeliveryCode>
        const error = {
          provider: "upstream",
          code: 132000,
          subcode: null,
          title: null,
          message: null,
          http_status: 400
        }
        for (const code of codes) {
          answers.push({ _tag: "Rejected", code, error })
          const { id } = yield* accept(number)
          yield* turnBy(2000)
          const row = yield* stored(id)
          assert.deepStrictEqual([row.status, row.error_code], ["failed", code])
          const [failed, ...others] = yield* announced(id)
          assert.deepStrictEqual(others, [])
          assert.strictEqual(failed?.type, "message.failed")
          // A refused file is told with the platform's number. U-SND-10
          const isFile = code === "upstream_media_download_failed"
          const more = isFile ? " The platform's error is 132000. Sound in Ogg, as in voice notes, must be Opus." : ""
          const error_message = `${deliveryCodes[code]}${more}`
          assert.deepInclude(failed?.data, { error_code: code, error_message, to: `+${customer}` })
        }
        assert.include(codes, "template_param_mismatch")
      })
    )
  }
)

const rooms = served(Billing.room, Media.room, Flows.room, Templates.room, Messages.room, PhoneNumbers.room)
const product = ApiTest(rooms.pipe(Layer.provide(testBlobs)), Messages.room.owners.pipe(Layer.provide(connected)))

it.layer(product, { excludeTestServices: true })("Production messages that are charged", (it) => {
  it.effect("charge a reaction once, like any message M-REACT-06", () =>
    Effect.gen(function* () {
      answers.length = 0
      const { acme, post } = yield* Api
      const number = yield* seedNumber(acme.production)
      const heard = yield* hear(number, { provider: "upstream", provider_message_id: `wamid.in.${++count}` })
      const sql = yield* SqlClient.SqlClient
      for (const message of [
        { type: "text", text: { body: "oi" } },
        { type: "reaction", reaction: { message_id: heard.id, emoji: "👍" } }
      ]) {
        const { body, status, text } = yield* post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id: `+${customer}` },
            message
          },
          { key: acme.production.key }
        )
        assert.strictEqual(status, 202, text)
        yield* turnBy(2000)
        assert.strictEqual((yield* stored(body.id)).status, "sent")
        assert.deepStrictEqual(
          yield* sql`select quantity::int4 as quantity, environment_id from usage_records
          where source_id = ${body.id}`,
          [{ quantity: 1, environment_id: acme.production.id }]
        )
      }
    })
  )
})
