import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { type BatchesStage, phone, recipients, seedBatches } from "./BatchStage.ts"

const refusal = ({ status, body }: { readonly status: number; readonly body: { readonly error?: Refused } }) => [
  status,
  body.error?.code,
  body.error?.param
]
interface Refused {
  readonly code: string
  readonly param?: string
}

/** Makes a template of these components and waits for its approval. */
const approved = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  name: string,
  components: ReadonlyArray<object>
) {
  const { post } = yield* Api
  const body = { name, language: "pt_BR", category: "utility", components }
  const made = yield* post("/v1/templates", body, { key: environment.key })
  assert.strictEqual(made.status, 201, made.text)
  const submitted = yield* post(`/v1/templates/${made.body.id}/submit`, undefined, { key: environment.key })
  assert.strictEqual(submitted.status, 202, submitted.text)
  yield* turnBy(1500)
  return made.body.id as string
})

const body = { type: "BODY", text: "Olá!" }
const headerText = { type: "HEADER", format: "TEXT", text: "Pedido {{1}}", example: { header_text: ["42"] } }
const headerImage = { type: "HEADER", format: "IMAGE", example: { header_handle: ["mda_01kah7v3m8q6x2r9d4t5w0y1z3"] } }
const urlButton = {
  type: "BUTTONS",
  buttons: [{ type: "URL", text: "Ver", url: "https://shop.test/{{1}}", example: ["42"] }]
}
const image = { kind: "image", link: "https://pictures.test/one.png" }

/** Nothing is left of a refused batch. */
const nothingOf = Effect.fnUntraced(function* (batches: BatchesStage) {
  const sql = yield* SqlClient.SqlClient
  const { environment_id } = batches.number
  yield* turnBy(2000)
  const counts =
    yield* sql`select (select count(*)::int4 from batches where environment_id = ${environment_id}) as batches,
    (select count(*)::int4 from batch_recipients where environment_id = ${environment_id}) as recipients,
    (select count(*)::int4 from messages where environment_id = ${environment_id}) as messages,
    (select count(*)::int4 from usage_records where environment_id = ${environment_id}) as charged`
  assert.deepStrictEqual(counts, [{ batches: 0, recipients: 0, messages: 0, charged: 0 }])
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Accepting a batch", (it) => {
  it.effect(
    "shows the whole resource, estimates its pacing once, and has no completion timestamp M-BAT-03 M-BAT-06 M-BAT-08 M-BAT-09",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const made = yield* batches.post({ name: "Maio", metadata: { campaign: "may" } })
        assert.strictEqual(made.status, 202, made.text)
        assert.deepStrictEqual(Object.keys(made.body).sort(), [
          "cancelled_count",
          "channel",
          "created_at",
          "delivered_count",
          "enqueued_count",
          "environment",
          "failed_count",
          "failure",
          "id",
          "metadata",
          "name",
          "object",
          "pacing",
          "read_count",
          "recipient_count",
          "recipient_guard_skipped_count",
          "scheduled_at",
          "sender",
          "sent_count",
          "status",
          "template",
          "trace_id",
          "updated_at"
        ])
        assert.deepInclude(made.body, {
          object: "batch",
          channel: "chatapp",
          environment: "sandbox",
          recipient_count: 2,
          metadata: { campaign: "may" },
          pacing: { deferred_recipient_count: 0, estimated_windows: 1 },
          sender: { type: "chatapp_phone_number", id: batches.number.id }
        })
        assert.deepInclude(made.body.template, { name: "welcome", language: "pt_BR", template_version: 1 })
        assert.match(made.body.template.template_version_id, /^tplv_/)
        const { body: read } = yield* batches.get(`/${made.body.id}`)
        assert.isNull(read.pacing)
        assert.isFalse(Object.keys(read).some((name) => /complet/.test(name)))
        const { body: list } = yield* batches.get("?limit=1")
        assert.deepInclude(list.data[0], { id: made.body.id, pacing: null })
      })
  )

  it.effect(
    "estimates which recipients wait for the allowance of the number, and for how many windows M-BAT-04 M-BAT-05",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(acme.sibling.sandbox)
        yield* sql`update phone_numbers set messaging_tier = 'tier_50' where id = ${batches.number.id}`
        const made = yield* batches.post({ recipients: recipients(100), scheduled_at: "2026-01-05T00:00:00Z" })
        // 45 may be new in a day: 55 wait, two days more.
        assert.deepStrictEqual(made.body.pacing, { deferred_recipient_count: 55, estimated_windows: 3 })
        yield* sql`update phone_numbers set messaging_tier = 'unlimited' where id = ${batches.number.id}`
        const unlimited = yield* batches.post({ recipients: recipients(100), scheduled_at: "2026-01-05T00:00:00Z" })
        assert.isNull(unlimited.body.pacing)
      })
  )

  it.effect(
    "reads phones like recipient.id of a send: separators are dropped, the plus is optional, equal customers count once M-BAT-12",
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const batches = yield* seedBatches(acme.sandbox)
        const made = yield* batches.post({
          recipients: [
            { to: "+55 (11) 91234-5678", variables: { "1": "primeira" } },
            { to: "551191234.5678", variables: { "1": "segunda" } },
            { to: "551112345678", variables: { "1": "fixo" } }
          ]
        })
        assert.strictEqual(made.body.recipient_count, 2)
        const { body } = yield* batches.get(`/${made.body.id}/recipients`)
        assert.deepStrictEqual(
          body.data.map(({ to }: { readonly to: string }) => to),
          ["+5511912345678", "+551112345678"]
        )
        const sql = yield* SqlClient.SqlClient
        const first = yield* sql<{ readonly variables: string }>`select variables from batch_recipients
        where batch_id = ${made.body.id} and position = 0`
        assert.deepStrictEqual(first, [{ variables: '{"1":"primeira"}' }])
      })
  )

  it.effect("is refused whole for one malformed phone, names the first and lists five M-BAT-13 M-BAT-14 M-BAT-15", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const batches = yield* seedBatches(other.sandbox)
      const broken = (at: ReadonlyArray<number>) =>
        recipients(12).map((one, index) => (at.includes(index) ? { ...one, to: "abc" } : one))
      const one = yield* batches.post({ recipients: broken([3]) })
      assert.deepStrictEqual(refusal(one), [400, "invalid_phone_e164", "recipients.3.to"])
      assert.include(one.body.error.message, "index 3 ")
      const many = yield* batches.post({ recipients: broken([1, 2, 4, 6, 8, 10]) })
      assert.deepStrictEqual(refusal(many), [400, "invalid_phone_e164", "recipients.1.to"])
      assert.include(many.body.error.message, "1, 2, 4, 6, 8 and more")
      for (const to of ["", "1234567", "1".repeat(16), "+55 11 9123a", "١٢٣٤٥٦٧٨٩", "x".repeat(5000)]) {
        assert.deepStrictEqual(refusal(yield* batches.post({ recipients: [{ to, variables: { "1": "x" } }] })), [
          400,
          "invalid_phone_e164",
          "recipients.0.to"
        ])
      }
      yield* nothingOf(batches)
    })
  )

  it.effect("resolves the approved version before any other look-up M-BAT-16", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const sender = { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" }
      const absent = { template: { name: "absent", language: "pt_BR" }, sender }
      assert.deepStrictEqual(refusal(yield* batches.post(absent)), [404, "template_not_found", "template.name"])
      const language = { template: { name: "welcome", language: "en_US" } }
      const inEnglish = yield* batches.post(language)
      assert.deepStrictEqual(refusal(inEnglish), [404, "template_not_found", "template.name"])
      assert.include(inEnglish.body.error.message, "pt_BR")
      const draft = { name: "rascunho", language: "pt_BR", category: "utility", components: [body] }
      assert.strictEqual((yield* post("/v1/templates", draft, { key: acme.sandbox.key })).status, 201)
      const unapproved = { template: { name: "rascunho", language: "pt_BR" }, sender }
      assert.deepStrictEqual(refusal(yield* batches.post(unapproved)), [409, "template_not_approved", "template.name"])
      assert.deepStrictEqual(refusal(yield* batches.post({ sender })), [404, "phone_number_not_found", "sender.id"])
      const sql = yield* SqlClient.SqlClient
      yield* sql`update phone_numbers set suspended_at = '2026-01-01' where id = ${batches.number.id}`
      assert.deepStrictEqual(refusal(yield* batches.post()), [403, "phone_service_suspended", undefined])
    })
  )

  it.effect("takes the body's values from each recipient, by number or by name M-BAT-17 M-BAT-21", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const named = { template: { name: "promo", language: "pt_BR" } }
      const to = phone(7)
      const fits = yield* batches.post({ ...named, recipients: [{ to, variables: { first_name: "Maria" } }] })
      assert.strictEqual(fits.status, 202, fits.text)
      for (const variables of [
        undefined,
        null,
        {},
        { "1": "" },
        { "2": "x" },
        { "1": "x", "2": "y" },
        { first_name: "Maria" }
      ]) {
        const [good] = recipients(1)
        const answer = yield* batches.post({ recipients: [good, { to, variables }] })
        assert.deepStrictEqual(refusal(answer), [400, "template_param_mismatch", "recipients.1.variables"])
      }
      const positional = yield* batches.post({ ...named, recipients: recipients(1) })
      assert.deepStrictEqual(refusal(positional), [400, "template_param_mismatch", "recipients.0.variables"])
    })
  )

  it.effect("has no values for a header's text or a button's address M-BAT-18 M-BAT-22", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { production: environment } = acme.sibling
      const { sandbox } = acme.sibling
      assert.notStrictEqual(environment.id, sandbox.id)
      const batches = yield* seedBatches(sandbox)
      yield* approved(sandbox, "com_titulo", [headerText, body])
      yield* approved(sandbox, "com_botao", [body, urlButton])
      const before = (yield* batches.get("")).body.data.length
      for (const name of ["com_titulo", "com_botao"]) {
        const answer = yield* batches.post({ template: { name, language: "pt_BR" }, recipients: [{ to: phone(1) }] })
        assert.deepStrictEqual(refusal(answer), [400, "template_param_mismatch", "template"])
      }
      assert.strictEqual((yield* batches.get("")).body.data.length, before)
    })
  )

  it.effect("shares one media header among all of its recipients M-BAT-20 M-BAT-21", () =>
    Effect.gen(function* () {
      const { other } = yield* Api
      const batches = yield* seedBatches(other.sibling.sandbox)
      yield* approved(other.sibling.sandbox, "com_imagem", [headerImage, body])
      const to = [{ to: phone(1) }, { to: phone(2) }]
      const template = { name: "com_imagem", language: "pt_BR" }
      const without = yield* batches.post({ template, recipients: to })
      assert.deepStrictEqual(refusal(without), [400, "template_param_mismatch", "template.header_media"])
      const video = { ...template, header_media: { ...image, kind: "video" } }
      assert.deepStrictEqual(refusal(yield* batches.post({ template: video, recipients: to })), [
        400,
        "template_param_mismatch",
        "template.header_media"
      ])
      const surplus = { name: "welcome", language: "pt_BR", header_media: image }
      assert.deepStrictEqual(refusal(yield* batches.post({ template: surplus })), [
        400,
        "template_param_mismatch",
        "template.header_media"
      ])
      yield* nothingOf(batches)
      const made = yield* batches.post({ template: { ...template, header_media: image }, recipients: to })
      assert.strictEqual(made.status, 202, made.text)
      yield* turnBy(1000)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{
        readonly content: string
      }>`select content from messages where batch_id = ${made.body.id}`
      assert.deepStrictEqual(
        rows.map(({ content }) => JSON.parse(content).template.header_media),
        [image, image]
      )
    })
  )

  it.effect("to contacts refuses templates with values M-BAT-19", () =>
    Effect.gen(function* () {
      const { other, post } = yield* Api
      const { sandbox } = other
      const batches = yield* seedBatches(sandbox)
      const contact = yield* post("/v1/contacts/opt-in", { phone: phone(1) }, { key: sandbox.key })
      const audience = yield* post("/v1/audiences", { name: "Todos", filter: {} }, { key: sandbox.key })
      const asks = [
        { audience: { contact_ids: [contact.body.id] } },
        { audience: { filter: {} } },
        { audience_id: audience.body.id }
      ]
      for (const ask of asks) {
        assert.deepStrictEqual(refusal(yield* batches.post(ask)), [400, "template_param_mismatch", "template"])
      }
    })
  )

  it.effect('keeps the bounds of its body, gaps-2 H "Create body"', () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const beside = { audience: { filter: {} } }
      const bad: ReadonlyArray<readonly [object, string]> = [
        [{ recipients: [] }, "recipients"],
        [{ recipients: null }, "recipients"],
        [{ recipients: "all" }, "recipients"],
        [{ recipients: [{ variables: { "1": "x" } }] }, "recipients.0.to"],
        [{ recipients: [{ to: 5511 }] }, "recipients.0.to"],
        [{ recipients: [{ to: phone(1), variables: { "1": "x".repeat(1025) } }] }, "recipients.0.variables.1"],
        [{ recipients: [{ to: phone(1), metadata: [] }] }, "recipients.0.metadata"],
        [{ recipients: recipients(1), ...beside }, "audience"],
        [{ ...beside, audience_id: "aud_01kah7v3m8q6x2r9d4t5w0y1z3" }, "audience_id"],
        [{ audience: {} }, "audience"],
        [{ audience: { contact_ids: [] } }, "audience.contact_ids"],
        [{ audience: { contact_ids: ["con_1"], filter: {} } }, "audience"],
        [{ audience: { filter: { opt_in_status: "maybe" } } }, "audience.filter.opt_in_status"],
        [{ audience: { filter: { created_after: "yesterday" } } }, "audience.filter.created_after"],
        [{ channel: "socialapp" }, "channel"],
        [{ channel: "sms" }, "channel"],
        [{ name: " " }, "name"],
        [{ name: "x".repeat(256) }, "name"],
        [{ sender: { type: "social_account", id: batches.number.id } }, "sender.type"],
        [{ template: { name: "welcome" } }, "template.language"],
        [
          { template: { name: "welcome", language: "pt_BR", header_media: { kind: "image" } } },
          "template.header_media"
        ],
        [{ scheduled_at: "2026-02-01T00:00:00Z" }, "scheduled_at"],
        [{ scheduled_at: "2025-12-31T23:59:59Z" }, "scheduled_at"],
        [{ scheduled_at: "tomorrow" }, "scheduled_at"],
        [{ metadata: { "": 1 } }, "metadata"],
        [
          { recipients: [{ to: phone(1), metadata: { sandbox_scenario: "nope" } }] },
          "recipients.0.metadata.sandbox_scenario"
        ]
      ]
      for (const [given, param] of bad) {
        const answer = yield* batches.post(given)
        assert.deepStrictEqual(refusal(answer), [400, "invalid_batch_request", param], answer.text)
      }
      const unknown = yield* batches.post({ surprise: true, scheduled_at: "2026-01-10T00:00:00Z" })
      assert.strictEqual(unknown.status, 202)
    })
  )

  it.effect("a repeated key answers the same bytes, and another body under it is a conflict M-ERR-09", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const given = { recipients: recipients(3), scheduled_at: "2026-01-02T00:00:00Z" }
      const first = yield* batches.post(given, { idempotencyKey: "batch 1" })
      const again = yield* batches.post(given, { idempotencyKey: "batch 1" })
      assert.deepStrictEqual([again.status, again.text], [202, first.text])
      assert.strictEqual(again.headers["svc-idempotent-replayed"], "true")
      const changed = yield* batches.post({ ...given, recipients: recipients(4) }, { idempotencyKey: "batch 1" })
      assert.deepStrictEqual(refusal(changed), [409, "idempotency_key_conflict", undefined])
      const sql = yield* SqlClient.SqlClient
      const left = yield* sql`select 1 from batch_stages where environment_id = ${acme.sandbox.id}`
      assert.deepStrictEqual(left, [])
    })
  )

  it.effect(
    "with messaging switched off no batch is accepted or resumed, but pausing and cancelling work M-ERR-08",
    () =>
      Effect.gen(function* () {
        const { other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const batches = yield* seedBatches(other.production)
        const made = yield* batches.post({ scheduled_at: "2026-01-20T00:00:00Z" })
        assert.strictEqual(made.status, 202, made.text)
        const off = JSON.stringify(["messaging"])
        yield* sql`update environments set capabilities_off = ${off} where id = ${other.production.id}`
        assert.deepStrictEqual(refusal(yield* batches.post()), [403, "feature_disabled", undefined])
        assert.strictEqual((yield* batches.move(made.body.id, "pause")).status, 200)
        assert.deepStrictEqual(refusal(yield* batches.move(made.body.id, "resume")), [
          403,
          "feature_disabled",
          undefined
        ])
        assert.strictEqual((yield* batches.move(made.body.id, "cancel")).status, 200)
        yield* sql`update environments set capabilities_off = '[]' where id = ${other.production.id}`
      })
  )
})
