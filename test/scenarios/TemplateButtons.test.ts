import { recordOf } from "@carteiro/simulators/kit/Routes.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { told } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

const languaged = { language: "pt_BR" }

it.layer(UpstreamProduct(), { excludeTestServices: true })("Buttons of templates at the platform", (it) => {
  it.effect("are submitted in its form, and each send brings what they demand U-TPL-04 U-SND-04", () =>
    Effect.gen(function* () {
      const { api, key, read, reaches, send, simulator } = yield* upstreamStage
      simulator.world.records = true
      const approve = Effect.fnUntraced(function* (template: object) {
        const made = yield* api.post("/v1/templates", { ...languaged, ...template }, { key })
        assert.strictEqual(made.status, 201, made.text)
        yield* api.post(`/v1/templates/${made.body.id}/submit`, undefined, { key })
        const status = Effect.map(api.get(`/v1/templates/${made.body.id}`, { key }), ({ body }) => body.status)
        yield* until(Effect.map(status, (word) => word === "approved"))
      })
      yield* approve({
        name: "login_code",
        category: "authentication",
        components: [
          { type: "BODY", add_security_recommendation: true },
          { type: "FOOTER", code_expiration_minutes: 10 },
          { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copiar" }] }
        ]
      })
      yield* approve({
        name: "offer",
        category: "utility",
        components: [
          { type: "BODY", text: "Seu cupom chegou." },
          {
            type: "BUTTONS",
            buttons: [
              { type: "QUICK_REPLY", text: "Parar", payload: "STOP" },
              { type: "COPY_CODE", example: "PROMO10" }
            ]
          }
        ]
      })
      const sentBody = Effect.fnUntraced(function* (template: object) {
        const sent = yield* send({ type: "template", template: { ...languaged, ...template } })
        assert.strictEqual(sent.status, 202, sent.text)
        yield* reaches(sent.body.id, "read", "failed")
        assert.strictEqual((yield* read(sent.body.id)).error_code, null)
        const calls = simulator.log.read(0, "call")
        const call = calls.find(({ request }) => JSON.stringify(request).includes(sent.body.id))
        return recordOf(recordOf(call?.request).template).components
      })
      const text = [{ type: "text", text: "482913" }]
      assert.deepStrictEqual(yield* sentBody({ name: "login_code", variables: { 1: "482913" } }), [
        { type: "body", parameters: text },
        { type: "button", sub_type: "url", index: "0", parameters: text }
      ])
      const coupon = {
        type: "button",
        sub_type: "copy_code",
        index: 1,
        parameters: [{ type: "coupon_code", coupon_code: "PROMO10" }]
      }
      assert.deepStrictEqual(yield* sentBody({ name: "offer", components: [coupon] }), [
        { ...coupon, index: "1" },
        { type: "button", sub_type: "quick_reply", index: "0", parameters: [{ type: "payload", payload: "STOP" }] }
      ])
      const without = yield* send({ type: "template", template: { ...languaged, name: "offer" } })
      assert.deepStrictEqual(told(without), [400, "template_param_mismatch", "message.template.components"])
    })
  )
})
