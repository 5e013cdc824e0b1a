import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { newTemplate } from "@carteiro/runtime/templates/template/Authoring.ts"
import { insertedTemplate } from "@carteiro/runtime/templates/template/TemplateWrites.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedTemplate, typedStage } from "../messages/TypedSending.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { templateProject } from "./TemplateStage.ts"

const body = { type: "BODY", add_security_recommendation: true }
const footer = { type: "FOOTER", code_expiration_minutes: 10 }
const withButton = (button: object) => ({ type: "BUTTONS", buttons: [{ type: "OTP", ...button }] })
const copy = withButton({ otp_type: "COPY_CODE", text: "Copiar" })
const app = { package_name: "com.example.loja", signature_hash: "K8a%2FAINcG" }

/** What an earlier release accepted. */
const ownText = upstreamCase("request-template-authentication").create.body.components

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Authentication templates", (it) => {
  it.effect("have the platform's form; their own text is refused with a sentence that shows the form U-TPL-04", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const cases: ReadonlyArray<readonly [components: ReadonlyArray<object>, param: string | undefined]> = [
        [[body, footer, copy], undefined],
        [[{ type: "body" }, copy], undefined],
        [[body, withButton({ otp_type: "ONE_TAP", text: "Copiar", autofill_text: "Preencher", ...app })], undefined],
        [[body, withButton({ otp_type: "ZERO_TAP", zero_tap_terms_accepted: true, ...app })], undefined],
        [ownText, "components.0.text"],
        [[{ ...body, text: "Seu código é {{1}}." }, copy], "components.0.text"],
        [[{ type: "HEADER", format: "TEXT", text: "Loja" }, body, copy], "components.0.type"],
        [[body, { type: "FOOTER", text: "Expira em 10 minutos." }, copy], "components.1.text"],
        [[body, { type: "FOOTER" }, copy], "components.1.code_expiration_minutes"],
        [[body, { ...footer, code_expiration_minutes: 91 }, copy], "components.1.code_expiration_minutes"],
        [[body], "components"],
        [[copy], "components"],
        [[body, { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Sim" }] }], "components.1.buttons.0.type"],
        [[body, withButton({})], "components.1.buttons.0.otp_type"],
        [[body, withButton({ otp_type: "COPY_CODE", ...app })], "components.1.buttons.0.package_name"],
        [[body, withButton({ otp_type: "ONE_TAP" })], "components.1.buttons.0.package_name"],
        [[body, withButton({ otp_type: "ONE_TAP", package_name: "a" })], "components.1.buttons.0.signature_hash"],
        [[body, withButton({ otp_type: "ZERO_TAP", ...app })], "components.1.buttons.0.zero_tap_terms_accepted"]
      ]
      for (const [at, [components, param]] of cases.entries()) {
        const made = yield* sandbox.create({ name: `code_${at}`, category: "authentication", components })
        const words = JSON.stringify(components)
        if (param === undefined) assert.strictEqual(made.status, 201, `${words} ${made.text}`)
        else assert.deepStrictEqual(told(made), [400, "invalid_template_request", param], words)
        if (param?.endsWith(".text")) {
          assert.include(made.body.error.message, '{"type":"BODY","add_security_recommendation":true}')
          assert.include(made.body.error.message, '{"type":"OTP","otp_type":"COPY_CODE"}')
        }
      }
      const named = { category: "authentication", parameter_format: "NAMED", components: [body, copy] }
      assert.deepStrictEqual(told(yield* sandbox.create(named)), [400, "invalid_template_request", "components"])
      const elsewhere = yield* sandbox.create({ components: [body, copy] })
      const member = "components.0.add_security_recommendation"
      assert.deepStrictEqual(told(elsewhere), [400, "invalid_template_request", member])
    })
  )

  it.effect("keep the form when they are changed, and a changed category needs components with it U-TPL-04", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const made = yield* sandbox.create({ category: "authentication", components: [body, copy] })
      const { id } = made.body
      const own = { components: [{ type: "BODY", text: "Seu código é {{1}}." }] }
      assert.deepStrictEqual(told(yield* sandbox.patch(id, own)), [
        400,
        "invalid_template_request",
        "components.0.text"
      ])
      assert.deepStrictEqual(told(yield* sandbox.patch(id, { category: "utility" })), [
        400,
        "invalid_template_request",
        "category"
      ])
      assert.strictEqual((yield* sandbox.patch(id, { components: [body, footer, copy] })).status, 200)
      assert.strictEqual((yield* sandbox.patch(id, { category: "utility", ...own })).status, 200)
      const back = yield* sandbox.patch(id, { category: "authentication" })
      assert.deepStrictEqual(told(back), [400, "invalid_template_request", "category"])
      assert.include(back.body.error.message, '"otp_type":"COPY_CODE"')
    })
  )

  it.effect(
    "with an own text, of an earlier release, are not submitted any more and stay sendable once approved U-TPL-04",
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* templateProject
        const sql = yield* SqlClient.SqlClient
        const ids = yield* Ids
        const now = yield* Clock.currentTimeMillis
        const id = ids.mint("tpl", now)
        const stored = newTemplate(
          sandbox.id,
          {
            id,
            version_id: ids.mint("tplv", now),
            environment: "sandbox",
            name: "own",
            language: "pt_BR",
            category: "authentication",
            parameter_format: "POSITIONAL",
            components: ownText,
            trace_id: ids.traceId()
          },
          now
        )
        yield* (yield* Commit).write(insertedTemplate(stored))
        const refused = yield* sandbox.submit(id)
        assert.deepStrictEqual(told(refused), [409, "template_not_submittable", undefined])
        assert.include(refused.body.error.message, '{"type":"OTP","otp_type":"COPY_CODE"}')
        assert.strictEqual((yield* sandbox.patch(id, { components: [body, copy] })).status, 200)
        assert.strictEqual((yield* sandbox.submit(id)).status, 202)

        const stage = yield* typedStage
        yield* seedTemplate(stage.project.sandbox, { name: "own", components: ownText })
        yield* sql`update template_versions v set category = 'authentication' from templates t
          where t.environment_id = ${stage.project.sandbox.id} and t.name = 'own' and v.template_id = t.id`
        const sent = yield* stage.send({
          type: "template",
          template: { name: "own", language: "pt_BR", variables: { 1: "482913" } }
        })
        assert.strictEqual(sent.status, 202, sent.text)
        yield* turnBy(3000)
        assert.strictEqual((yield* stage.read(sent.body.id)).status, "read")
        const copy_code = [{ type: "coupon_code", coupon_code: "482913" }]
        assert.deepStrictEqual((yield* stage.read(sent.body.id)).payload.request.template.components, [
          { type: "button", sub_type: "copy_code", index: 0, parameters: copy_code }
        ])
      })
  )

  it.effect("are sent with one value, which the product puts into text and button U-TPL-04 U-SND-04", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      const template = { name: "code", language: "pt_BR", variables: { 1: "482913" } }
      const sent = yield* send({ type: "template", template })
      assert.strictEqual(sent.status, 202, sent.text)
      const components = [{ type: "button", sub_type: "url", index: 0, parameters: [{ type: "text", text: "482913" }] }]
      assert.deepStrictEqual((yield* read(sent.body.id)).payload.request, {
        type: "template",
        template: { ...template, components }
      })
      const { variables: _, ...without } = template
      assert.deepStrictEqual(told(yield* send({ type: "template", template: without })), [
        400,
        "template_param_mismatch",
        "message.template.variables"
      ])
      assert.deepStrictEqual(told(yield* send({ type: "template", template: { ...template, components } })), [
        400,
        "template_param_mismatch",
        "message.template.components"
      ])
    })
  )
})
