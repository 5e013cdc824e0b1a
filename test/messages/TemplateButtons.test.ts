import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, seedTemplate, typedStage } from "./TypedSending.ts"

const buttons = [
  { type: "QUICK_REPLY", text: "Parar", payload: "STOP" },
  { type: "QUICK_REPLY", text: "Obrigado" },
  { type: "URL", text: "Ver", url: "https://example.test/{{1}}" },
  { type: "COPY_CODE", example: "PROMO10" },
  { type: "FLOW", text: "Agendar", flow_id: "flw_01kah7v3m8q6x2r9d4t5w0y1z3" }
]
const url = { type: "button", sub_type: "url", index: 2, parameters: [{ type: "text", text: "42" }] }
const coupon = (coupon_code: string, index: number | string = 3) => ({
  type: "button",
  sub_type: "copy_code",
  index,
  parameters: [{ type: "coupon_code", coupon_code }]
})
const template = (components: ReadonlyArray<object>) => ({
  type: "template",
  template: { name: "rich", language: "pt_BR", components }
})

const stage = Effect.gen(function* () {
  const typed = yield* typedStage
  yield* seedTemplate(typed.project.sandbox, {
    name: "rich",
    components: [
      { type: "BODY", text: "Oi" },
      { type: "BUTTONS", buttons }
    ]
  })
  return typed
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Buttons of templates", (it) => {
  it.effect("get payloads, coupon, address and a token of the flow, by which its answer is found U-SND-04", () =>
    Effect.gen(function* () {
      const { read, send } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const sent = yield* send(template([url, coupon("PROMO10", "3")]))
      assert.strictEqual(sent.status, 202, sent.text)
      const { id } = sent.body
      assert.deepStrictEqual((yield* read(id)).payload.request.template.components, [
        url,
        coupon("PROMO10", "3"),
        { type: "button", sub_type: "quick_reply", index: 0, parameters: [{ type: "payload", payload: "STOP" }] },
        { type: "button", sub_type: "flow", index: 4, parameters: [{ type: "action", action: { flow_token: id } }] }
      ])
      const [row] = yield* sql`select flow_id, flow_token from messages where id = ${id}`
      assert.deepStrictEqual(row, { flow_id: "flw_01kah7v3m8q6x2r9d4t5w0y1z3", flow_token: id })
    })
  )

  it.effect("refuse a send without a coupon, with an empty one, or with one for another button U-SND-04 M-MSG-38", () =>
    Effect.gen(function* () {
      const { project, send } = yield* stage
      const mismatch = [400, "template_param_mismatch", "message.template.components"]
      const text = { ...coupon("x"), parameters: [{ type: "text", text: "x" }] }
      for (const components of [
        [url],
        [url, coupon("")],
        [url, coupon("x", 2)],
        [url, coupon("x"), coupon("x")],
        [url, text],
        [coupon("x")],
        [url, coupon("x"), { ...url, index: 0 }]
      ]) {
        assert.deepStrictEqual(told(yield* send(template(components))), mismatch, JSON.stringify(components))
      }
      const named = yield* send(template([url]))
      assert.include(named.body.error.message, "sub_type copy_code with index 3 and one coupon_code parameter")
      const empty = { ...coupon("x"), parameters: [{ type: "coupon_code" }] }
      assert.deepStrictEqual(told(yield* send(template([url, empty]))), [
        400,
        "invalid_message_request",
        "message.template.components.1.parameters.0.coupon_code"
      ])
      assert.deepStrictEqual(told(yield* send(template([url, coupon("x".repeat(21))]))), [
        400,
        "invalid_message_request",
        "message.template.components.1.parameters.0.coupon_code"
      ])
      assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
    })
  )

  it.effect("refuse a batch of a template with a coupon, which no recipient brings U-SND-04 M-BAT-19", () =>
    Effect.gen(function* () {
      const { api, key, number } = yield* stage
      const batch = {
        sender: { type: "chatapp_phone_number", id: number.id },
        template: { name: "rich", language: "pt_BR" },
        recipients: [{ to: "+5511912345678" }]
      }
      const refused = yield* api.post("/v1/batches", batch, { key })
      assert.deepStrictEqual(told(refused), [400, "template_param_mismatch", "template"])
    })
  )
})
