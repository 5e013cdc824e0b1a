import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, typedStage } from "./TypedSending.ts"

const flow_json = { version: "7.2", screens: [{ id: "DATE", title: "When?", terminal: true }], routing_model: {} }

/** A message that opens a flow. */
export const flowMessage = (named: object, more: object = {}) => ({
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
  it.effect("name a published flow by the provider's id, by ours or by name M-FLOW-03 M-FLOW-07 M-FLOW-12", () =>
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

  it.effect('answer 404 for any other, after the sender and before consent gaps-2 G "Flow named in a send"', () =>
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
})
