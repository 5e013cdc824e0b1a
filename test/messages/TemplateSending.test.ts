import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { messageCount, seedTemplate, typedStage } from "./TypedSending.ts"

const template = (name: string, more: object = {}) => ({
  type: "template",
  template: { name, language: "pt_BR", ...more }
})
const welcome = template("welcome", { variables: { 1: "Maria" } })
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more })

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Template sends", (it) => {
  it.effect(
    "freeze the approved version on the 202 and on reads, without a window M-MSG-11 M-MSG-12 M-MSG-26 M-WIN-03 M-READ-16",
    () =>
      Effect.gen(function* () {
        const { project, read, send } = yield* typedStage
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ id: string; latest_approved_version_id: string }>`select * from templates
        where environment_id = ${project.sandbox.id} and name = 'welcome'`
        const stranger = { recipient: { type: "phone_e164", id: "+5521998765432" } }
        const { body, status, text: raw } = yield* send(welcome, stranger)
        assert.strictEqual(status, 202, raw)
        const frozen = {
          template_id: row?.id,
          template_version_id: row?.latest_approved_version_id,
          template_version: 1
        }
        assert.deepInclude(body, frozen)
        const queued = yield* read(body.id)
        assert.deepInclude(queued, { ...frozen, template_name: "welcome", type: "template", status: "queued" })
        assert.deepStrictEqual(queued.payload.request, welcome)
        yield* turnBy(3000)
        assert.deepInclude(yield* read(body.id), { ...frozen, status: "read", error_code: null })
        const [stored] = yield* sql`select template_category from messages where id = ${body.id}`
        assert.deepStrictEqual(stored, { template_category: "utility" })
      })
  )

  it.effect(
    'answer 404 for an unknown template and 409 without an approved version gaps-2 B "Template resolution"',
    () =>
      Effect.gen(function* () {
        const { project, send } = yield* typedStage
        const name = "message.template.name"
        for (const unknown of [
          template("absent"),
          { type: "template", template: { name: "welcome", language: "en" } },
          template("Welcome")
        ]) {
          assert.deepStrictEqual(told(yield* send(unknown)), [404, "template_not_found", name])
        }
        const sql = yield* SqlClient.SqlClient
        for (const status of ["paused", "disabled", "orphaned"]) {
          yield* sql`update templates set sending_status = ${status} where environment_id = ${project.sandbox.id}`
          assert.deepStrictEqual(told(yield* send(welcome)), [409, "template_not_approved", name])
        }
        yield* sql`update templates set sending_status = null, latest_approved_version_id = null,
        latest_approved_version = null where environment_id = ${project.sandbox.id}`
        assert.deepStrictEqual(told(yield* send(welcome)), [409, "template_not_approved", name])
        assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
      })
  )

  it.effect('name the languages of an unknown template, or the nearest name gaps-2 B "Template resolution"', () =>
    Effect.gen(function* () {
      const { api, key, number, project, send } = yield* typedStage
      const sql = yield* SqlClient.SqlClient
      const batch = (name: string, language = "pt_BR") =>
        api.post(
          "/v1/batches",
          {
            sender: { type: "chatapp_phone_number", id: number.id },
            template: { name, language },
            recipients: [{ to: "+5511912345678", variables: { 1: "Ana" } }]
          },
          { key }
        )
      const single = (name: string, language = "pt_BR") =>
        send({ type: "template", template: { name, language, variables: { 1: "Ana" } } })
      for (const ask of [single, batch]) {
        assert.include((yield* ask("wellcome")).body.error.message, "`welcome`")
        assert.include((yield* ask("Welcome")).body.error.message, "`welcome`")
        assert.include((yield* ask("welcome", "en")).body.error.message, "it has pt_BR.")
        assert.include((yield* ask("nothing of the sort")).body.error.message, "GET /v1/templates")
        assert.include((yield* ask("x".repeat(512))).body.error.message, "GET /v1/templates")
      }
      // Neither a deleted template nor one of another environment is found.
      yield* sql`update templates set deleted_at = created_at where environment_id = ${project.sandbox.id}
          and name = 'welcome'`
      for (const ask of [single, batch]) {
        assert.include((yield* ask("wellcome")).body.error.message, "GET /v1/templates")
      }
    })
  )

  it.effect(
    "check each group of parameters against the version, and create nothing M-MSG-29 M-MSG-30 M-MSG-33..38",
    () =>
      Effect.gen(function* () {
        const { project, send } = yield* typedStage
        const refused = (message: object, group: string) =>
          Effect.map(send(message, {}, { idempotencyKey: "same" }), (answer) =>
            assert.deepStrictEqual(
              told(answer),
              [400, "template_param_mismatch", `message.template.${group}`],
              JSON.stringify(message)
            )
          )
        for (const variables of [undefined, {}, { 1: "" }, { 2: "x" }, { 1: "x", 2: "y" }, { first_name: "x" }]) {
          yield* refused(template("welcome", { variables }), "variables")
        }
        for (const variables of [{ 1: "x" }, { first_name: "x", city: "y" }, {}]) {
          yield* refused(template("promo", { variables }), "variables")
        }
        const header = { type: "header", parameters: [text("x")] }
        const button = { type: "button", sub_type: "url", index: 0, parameters: [text("x")] }
        const variables = { 1: "Maria" }
        for (const component of [header, button]) {
          yield* refused(template("welcome", { variables, components: [component] }), "components")
        }
        const header_media = { kind: "image", asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" }
        yield* refused(template("welcome", { variables, header_media }), "header_media")
        // The response names the first wrong group.
        yield* refused(template("welcome", { components: [header], header_media }), "variables")
        yield* refused(template("welcome", { variables, components: [header], header_media }), "components")
        yield* seedTemplate(project.sandbox, {
          name: "rich",
          parameter_format: "NAMED",
          components: [
            { type: "HEADER", format: "IMAGE" },
            { type: "BODY", text: "Oi" },
            { type: "BUTTONS", buttons: [{ type: "URL", text: "Ver", url: "https://example.test/{{1}}" }] }
          ]
        })
        yield* refused(template("rich", { header_media }), "components")
        yield* refused(
          template("rich", { components: [{ ...button, parameters: [text("")] }], header_media }),
          "components"
        )
        yield* refused(template("rich", { components: [button] }), "header_media")
        for (const wrong of [
          { kind: "video", id: "1" },
          { kind: "image", asset_id: "msg_1" }
        ]) {
          yield* refused(template("rich", { components: [button], header_media: wrong }), "header_media")
        }
        assert.strictEqual(yield* messageCount(project.sandbox.id), 0)
        const sent = yield* send(
          template("rich", { components: [button], header_media }),
          {},
          { idempotencyKey: "same" }
        )
        assert.strictEqual(sent.status, 202, sent.text)
        assert.strictEqual(yield* messageCount(project.sandbox.id), 1)
      })
  )

  it.effect(
    'fail with template_unavailable when the template is deleted before dispatch gaps-2 B "Template resolution"',
    () =>
      Effect.gen(function* () {
        const { project, read, send } = yield* typedStage
        const sql = yield* SqlClient.SqlClient
        for (const gone of [
          sql`update templates set sending_status = 'paused' where environment_id = ${project.sandbox.id}`,
          sql`update templates set sending_status = 'approved', deleted_at = created_at
          where environment_id = ${project.sandbox.id}`
        ]) {
          const { body } = yield* send(welcome)
          yield* gone
          yield* turnBy(500)
          assert.deepInclude(yield* read(body.id), {
            status: "failed",
            error_code: "template_unavailable",
            provider_error: null
          })
          yield* sql`update templates set sending_status = 'approved' where environment_id = ${project.sandbox.id}`
        }
      })
  )

  it.effect("obey consent whatever their category M-MSG-23 M-GRD-14", () =>
    Effect.gen(function* () {
      const { send, simulate } = yield* typedStage
      yield* simulate({ text: { body: "STOP" } })
      for (const name of ["welcome", "code"]) {
        const answer = yield* send(template(name, { variables: { 1: "x" } }))
        assert.deepStrictEqual(told(answer), [400, "contact_opted_out", "recipient.id"])
      }
    })
  )

  it.effect("simulate the rejection of a template, without provider_error M-SBX-23 M-SBX-24 M-DLV-24", () =>
    Effect.gen(function* () {
      const { read, send } = yield* typedStage
      const metadata = { sandbox_scenario: "template_rejected" }
      const { body } = yield* send(welcome, { metadata })
      yield* turnBy(500)
      assert.deepInclude(yield* read(body.id), {
        status: "failed",
        error_code: "sandbox_template_rejected",
        provider_error: null
      })
      const other = yield* send({ type: "text", text: { body: "oi" } }, { metadata })
      assert.deepStrictEqual(told(other), [400, "invalid_message_request", "metadata.sandbox_scenario"])
    })
  )
})
