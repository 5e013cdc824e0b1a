import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, typedStage } from "./TypedSending.ts"

const flow_json = { version: "7.2", screens: [{ id: "DATE", title: "When?", terminal: true }], routing_model: {} }

interface Shown {
  readonly created_at: string
  // biome-ignore lint/suspicious/noExplicitAny: held against what it must be, member by member
  readonly context: any
}

interface Completed {
  readonly submission: { readonly message_id: string }
}

/** A message that opens a flow. */
const flowMessage = (named: object, more: object = {}) => ({
  type: "flow",
  flow: {
    body: { text: "Responda" },
    action: { name: "flow", parameters: { ...named, flow_token: "token-1", flow_cta: "Abrir", ...more } }
  }
})

const stage = Effect.gen(function* () {
  const { api, key, ...rest } = yield* typedStage
  const draft = (yield* api.post("/v1/flows", { name: "Survey", flow_json }, { key })).body
  const publish = () => Effect.map(api.post(`/v1/flows/${draft.id}/publish`, {}, { key }), ({ body }) => body)
  return { ...rest, api, draft, key, publish }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Flow sends", (it) => {
  it.effect("name a published flow by the id of the provider, by our id or by name M-FLOW-03 M-FLOW-07 M-FLOW-12", () =>
    Effect.gen(function* () {
      const { publish, read, send } = yield* stage
      const flow = yield* publish()
      const sql = yield* SqlClient.SqlClient
      for (const named of [{ flow_id: flow.provider_flow_id }, { flow_id: flow.id }, { flow_name: "Survey" }]) {
        const { body, status, text } = yield* send(flowMessage(named))
        assert.strictEqual(status, 202, text)
        yield* turnBy(3000)
        const shown = yield* read(body.id)
        assert.deepInclude(shown, { type: "flow", status: "read" })
        assert.deepStrictEqual(shown.payload.request, flowMessage({}, { flow_id: flow.provider_flow_id }))
        const [row] = yield* sql`select flow_id, flow_token from messages where id = ${body.id}`
        assert.deepStrictEqual(row, { flow_id: flow.id, flow_token: "token-1" })
      }
    })
  )

  it.effect('answer 404 for an unknown flow, after the sender and before consent gaps-2 G "Flow named in a send"', () =>
    Effect.gen(function* () {
      const { api, draft, project, publish, send, simulate } = yield* stage
      const param = "message.flow.action.parameters"
      const foreign = yield* api.post("/v1/flows", { name: "Theirs", flow_json }, { key: api.other.sandbox.key })
      yield* api.post(`/v1/flows/${foreign.body.id}/publish`, {}, { key: api.other.sandbox.key })
      yield* simulate({ text: { body: "stop" } })
      for (const named of [
        { flow_id: draft.id },
        { flow_name: "Survey" },
        { flow_id: "1234567890" },
        { flow_name: "survey" },
        { flow_id: foreign.body.id },
        { flow_name: "Theirs" }
      ]) {
        assert.deepStrictEqual(told(yield* send(flowMessage(named))), [404, "flow_not_found", param])
      }
      yield* publish()
      const optedOut = yield* send(flowMessage({ flow_name: "Survey" }))
      assert.deepStrictEqual(told(optedOut), [400, "contact_opted_out", "recipient.id"])
      assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
    })
  )

  it.effect("need an open window M-FLOW-06", () =>
    Effect.gen(function* () {
      const { publish, send } = yield* stage
      yield* publish()
      const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }
      const answer = yield* send(flowMessage({ flow_name: "Survey" }), stranger)
      assert.deepStrictEqual(told(answer), [400, "service_window_required", "message.type"])
    })
  )

  it.effect(
    "are answered by a simulated customer on request, seconds after delivery M-FLOW-04 M-FLOW-09..14 M-EVT-08 M-EVT-09 M-READ-21",
    () =>
      Effect.gen(function* () {
        const { api, key, publish, read, send } = yield* stage
        const flow = yield* publish()
        const sandbox_flow_response = { date: "2026-02-03", guests: [2, null], nested: { flow_token: "theirs" } }
        const asked: ReadonlyArray<readonly [object, object]> = [
          [{ flow_id: flow.provider_flow_id }, { sandbox_flow_response }],
          [{ flow_id: flow.id }, {}]
        ]
        for (const [named, more] of asked) {
          const metadata = { sandbox_scenario: "flow_completed", ...more }
          const { body } = yield* send(flowMessage(named), { metadata })
          const answers = Effect.map(
            api.get("/v1/messages?type=flow&direction=inbound&include=payload", { key }),
            (list): ReadonlyArray<Shown> =>
              list.body.data.filter(({ context }: Shown) => context.reply_to.message_id === body.id)
          )
          yield* turnBy(2499)
          assert.deepStrictEqual(yield* answers, [])
          yield* turnBy(60_000)
          const [answer, ...others] = yield* answers
          assert.deepStrictEqual(others, [])
          assert.strictEqual(Date.parse(answer?.created_at ?? "") - Date.parse(body.created_at), 2500)
          assert.deepStrictEqual(answer?.context, {
            reply_to: { message_id: body.id, provider_message_id: `sb_${body.id}` },
            forwarded: false,
            frequently_forwarded: false
          })
          const events = yield* api.get("/v1/webhook-events/listen?event_type=flow.completed&limit=100", { key })
          const told_ = events.body.data
            .map(({ payload }: { readonly payload: { readonly data: Completed } }) => payload.data)
            .filter(({ submission }: Completed) => submission.message_id === body.id)
          assert.lengthOf(told_, 1)
          assert.deepStrictEqual(told_[0], {
            flow_id: flow.id,
            name: "Survey",
            status: "published",
            provider_flow_id: flow.provider_flow_id,
            rejection_reason: null,
            submission: {
              id: told_[0].submission.id,
              provider_token: "token-1",
              response: "sandbox_flow_response" in more ? sandbox_flow_response : { sandbox: true },
              message_id: body.id,
              received_at: answer?.created_at
            }
          })
          assert.match(told_[0].submission.id, /^fls_/)
          assert.strictEqual((yield* read(body.id)).status, "read")
        }
      })
  )

  it.effect(
    "with another scenario or of another type are not answered, and a response must be an object M-FLOW-08 M-FLOW-10",
    () =>
      Effect.gen(function* () {
        const { publish, send, simulate } = yield* stage
        const flow = yield* publish()
        const named = flowMessage({ flow_id: flow.id })
        for (const sandbox_flow_response of [[], "text", 1, true]) {
          const metadata = { sandbox_scenario: "flow_completed", sandbox_flow_response }
          assert.deepStrictEqual(told(yield* send(named, { metadata })), [
            400,
            "invalid_message_request",
            "metadata.sandbox_flow_response"
          ])
        }
        const metadata = { sandbox_scenario: "flow_completed" }
        const text = yield* send({ type: "text", text: { body: "oi" } }, { metadata })
        assert.deepStrictEqual(told(text), [400, "invalid_message_request", "metadata.sandbox_scenario"])
        yield* send(named)
        yield* turnBy(60_000)
        const simulated = yield* simulate({ type: "flow", flow: { response: { a: 1 }, flow_token: "token-1" } })
        assert.strictEqual(simulated.status, 202)
        yield* turnBy(1000)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(
          yield* sql`select 1 from outbox_events where type = 'flow.completed'
        and source_id = ${flow.id}`,
          []
        )
      })
  )
})

const withoutDelay = { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0" }

it.layer(WholeProduct({ sweeps: false, settings: withoutDelay }), { excludeTestServices: true })(
  "Flow sends without delay",
  (it) => {
    it.effect("are answered too, each once and by a separate message M-FLOW-09 M-EVT-08", () =>
      Effect.gen(function* () {
        const { api, key, publish, send } = yield* stage
        const flow = yield* publish()
        const metadata = { sandbox_scenario: "flow_completed" }
        const sent = yield* Effect.forEach([1, 2], () => send(flowMessage({ flow_id: flow.id }), { metadata }))
        yield* turnBy(10)
        const events = yield* api.get("/v1/webhook-events/listen?event_type=flow.completed", { key })
        assert.sameMembers(
          events.body.data.map(
            ({ payload }: { readonly payload: { readonly data: Completed } }) => payload.data.submission.message_id
          ),
          sent.map(({ body }) => body.id)
        )
        const { body } = yield* api.get("/v1/messages?type=flow&direction=inbound", { key })
        assert.lengthOf(body.data, 2)
      })
    )
  }
)
