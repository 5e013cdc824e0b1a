import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { inUse, path, templateProject, told } from "./TemplateStage.ts"

const refused = (answer: {
  readonly status: number
  readonly body: { readonly error?: { code: string; param?: string } }
}) => [answer.status, answer.body.error?.code, answer.body.error?.param]

it.layer(WholeProduct(), { excludeTestServices: true })("Templates", (it) => {
  it.effect("create answers a draft with every member, and reads show it unchanged M-TPL-01..03 M-TPL-06..11", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const components = [
        {
          type: "header",
          format: "text",
          text: "Olá {{first_name}}",
          example: { header_text_named_params: [{ param_name: "first_name", example: "Ana" }] }
        },
        {
          type: "BODY",
          text: "Seu pedido {{order}} saiu.",
          example: { body_text_named_params: [{ param_name: "order", example: "42" }] }
        },
        { type: "footer", text: "Loja" },
        { type: "buttons", buttons: [{ type: "quick_reply", text: "Obrigado" }] }
      ]
      const made = yield* sandbox.create({ parameter_format: "NAMED", components })
      assert.strictEqual(made.status, 201, made.text)
      const { trace_id: _, ...template } = made.body
      assert.match(template.id, /^tpl_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.deepStrictEqual(template, {
        id: template.id,
        object: "template",
        name: "order_shipped",
        language: "pt_BR",
        category: "utility",
        parameter_format: "NAMED",
        status: "draft",
        environment: "sandbox",
        version: 1,
        version_id: template.version_id,
        approved_version: null,
        components: [
          { ...components[0], type: "HEADER", format: "TEXT" },
          components[1],
          { type: "FOOTER", text: "Loja" },
          { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Obrigado" }] }
        ],
        provider_template_id: null,
        rejection_reason: null,
        provider_quality: "unknown",
        authoring_signals: [
          {
            code: "variable_at_edge",
            severity: "warning",
            component: "HEADER",
            message: template.authoring_signals[0].message
          }
        ],
        submitted_at: null,
        approved_at: null,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z"
      })
      const { trace_id: __, ...read } = (yield* sandbox.get(template.id)).body
      assert.deepStrictEqual(read, template)
    })
  )

  it.effect('a sandbox approves a second after it was submitted, and tells it gaps-2 G "Template transitions"', () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      const submitted = yield* sandbox.submit(id, { idempotencyKey: "submit" })
      assert.deepStrictEqual([submitted.status, submitted.body.status], [202, "submitted"])
      assert.deepStrictEqual(refused(yield* sandbox.submit(id)), [409, "template_not_submittable", undefined])
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, { category: "marketing" })), [
        409,
        "template_not_editable",
        undefined
      ])
      yield* turnBy(999)
      assert.deepStrictEqual([(yield* sandbox.get(id)).body.status, yield* told(id)], ["submitted", []])
      yield* turnBy(1)
      const { body } = yield* sandbox.get(id)
      assert.deepStrictEqual(
        [body.status, body.approved_version, body.provider_template_id],
        ["approved", 1, `sb_${id}`]
      )
      assert.strictEqual(Date.parse(body.approved_at) - Date.parse(body.submitted_at), 1000)
      assert.deepStrictEqual(yield* told(id), [
        {
          type: "template.approved",
          data: {
            template_id: id,
            name: "order_shipped",
            language: "pt_BR",
            status: "approved",
            rejection_reason: null
          }
        }
      ])
      const replay = yield* sandbox.submit(id, { idempotencyKey: "submit" })
      assert.strictEqual(replay.text, submitted.text)
      assert.deepStrictEqual(refused(yield* sandbox.submit(id)), [409, "template_not_submittable", undefined])
    })
  )

  it.effect(
    'a change of an approved template is a draft of its own, and sends use the approved version meanwhile gaps-2 G "Template routes"',
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* templateProject
        const first = (yield* sandbox.create()).body
        yield* sandbox.submit(first.id)
        yield* turnBy(1000)
        const components = [{ type: "BODY", text: "Seu pedido já saiu." }]
        const changed = yield* sandbox.patch(first.id, { components, category: "marketing" })
        assert.deepStrictEqual([changed.status, changed.body.status, changed.body.version], [200, "draft", 2])
        assert.deepStrictEqual([changed.body.category, changed.body.components], ["marketing", components])
        assert.notStrictEqual(changed.body.version_id, first.version_id)
        assert.deepStrictEqual(
          [changed.body.approved_version, changed.body.submitted_at, changed.body.approved_at],
          [1, null, null]
        )
        assert.deepStrictEqual(yield* inUse(first.id), { version: 1, status: "approved" })
        // The draft changes in place.
        const again = yield* sandbox.patch(first.id, { category: "utility" })
        assert.deepStrictEqual([again.body.version, again.body.version_id], [2, changed.body.version_id])
        assert.strictEqual((yield* sandbox.submit(first.id)).status, 202)
        assert.deepStrictEqual(yield* inUse(first.id), { version: 1, status: "approved" })
        yield* turnBy(1000)
        assert.deepStrictEqual(yield* inUse(first.id), { version: 2, status: "approved" })
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(
          yield* sql`select version, status from template_versions where template_id = ${first.id} order by version`,
          [
            { version: 1, status: "approved" },
            { version: 2, status: "approved" }
          ]
        )
      })
  )

  it.effect("a rejected version of an approved template leaves the approved one in use", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      yield* sandbox.submit(id)
      yield* turnBy(1000)
      yield* sandbox.patch(id, { category: "marketing" })
      yield* sandbox.submit(id)
      yield* sandbox.setStatus(id, { status: "rejected", rejection_reason: "Too loud." })
      yield* turnBy(2000)
      const { body } = yield* sandbox.get(id)
      assert.deepStrictEqual([body.status, body.rejection_reason, body.version], ["rejected", "Too loud.", 2])
      assert.deepStrictEqual(yield* inUse(id), { version: 1, status: "approved" })
      const edited = yield* sandbox.patch(id, { category: "utility" })
      assert.deepStrictEqual([edited.body.version, edited.body.status], [2, "rejected"])
      assert.strictEqual((yield* sandbox.submit(id)).body.rejection_reason, null)
    })
  )

  it.effect("the sandbox plays rejected, paused and disabled from any state, with their events M-TPL-12 M-TPL-13", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      const play = (status: string, rejection_reason?: string) =>
        sandbox.setStatus(id, { status, ...(rejection_reason === undefined ? {} : { rejection_reason }) })
      const rejected = yield* play("rejected", "x".repeat(500))
      assert.deepStrictEqual([rejected.status, rejected.body.status], [200, "rejected"])
      assert.strictEqual(rejected.body.rejection_reason, "x".repeat(500))
      yield* sandbox.submit(id)
      yield* turnBy(1000)
      assert.strictEqual((yield* play("paused")).body.rejection_reason, null)
      assert.deepStrictEqual(yield* inUse(id), { version: 1, status: "paused" })
      assert.strictEqual((yield* play("disabled", "Abuse.")).body.status, "disabled")
      assert.deepStrictEqual(yield* inUse(id), { version: 1, status: "disabled" })
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, { category: "marketing" })), [
        409,
        "template_not_editable",
        undefined
      ])
      assert.strictEqual((yield* play("rejected", "No.")).body.approved_version, null)
      assert.deepStrictEqual(yield* inUse(id), { version: null, status: null })
      assert.deepStrictEqual(
        (yield* told(id)).map(({ data, type }) => [type, data.status, data.rejection_reason]),
        [
          ["template.rejected", "rejected", "x".repeat(500)],
          ["template.approved", "approved", null],
          ["template.paused", "paused", null],
          ["template.disabled", "disabled", "Abuse."],
          ["template.rejected", "rejected", "No."]
        ]
      )
    })
  )

  it.effect("a paused template is changed like an approved one, and a submission that was played away stays away", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      yield* sandbox.submit(id)
      yield* sandbox.setStatus(id, { status: "paused" })
      yield* turnBy(5000)
      assert.strictEqual((yield* sandbox.get(id)).body.status, "paused")
      assert.deepStrictEqual(yield* inUse(id), { version: null, status: null })
      const changed = yield* sandbox.patch(id, { category: "marketing" })
      assert.deepStrictEqual([changed.body.status, changed.body.version], ["draft", 2])
    })
  )

  it.effect("the fixture refuses production keys, other states and reasons out of bounds M-TPL-13 M-TPL-14", () =>
    Effect.gen(function* () {
      const { api, production, sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      const made = (yield* production.create()).body.id as string
      const paused = { status: "paused" }
      assert.deepStrictEqual(refused(yield* production.setStatus(made, paused)), [400, "sandbox_only_route", undefined])
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{}, "status"],
        [{ status: "approved" }, "status"],
        [{ status: "rejected" }, "rejection_reason"],
        [{ status: "rejected", rejection_reason: null }, "rejection_reason"],
        [{ status: "rejected", rejection_reason: "" }, "rejection_reason"],
        [{ status: "paused", rejection_reason: "x".repeat(501) }, "rejection_reason"]
      ]
      for (const [body, param] of cases) {
        assert.deepStrictEqual(refused(yield* sandbox.setStatus(id, body)), [400, "invalid_sandbox_request", param])
      }
      assert.strictEqual((yield* sandbox.setStatus(id, { ...paused, surplus: 1 })).status, 200)
      const missing = yield* sandbox.setStatus("tpl_00000000000000000000000000", paused)
      assert.deepStrictEqual(refused(missing), [404, "template_not_found", undefined])
      const foreign = yield* api.post(`/v1/sandbox/templates/${id}/status`, paused, { key: api.other.sandbox.key })
      assert.deepStrictEqual(refused(foreign), [404, "template_not_found", undefined])
    })
  )

  it.effect('name and language are taken once, and free again after the delete gaps-2 G "Template routes"', () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => sandbox.create()),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
      const loser = answers.find(({ status }) => status === 409)
      const { id } = answers.find(({ status }) => status === 201)?.body ?? {}
      assert.deepStrictEqual(loser === undefined ? [] : refused(loser), [409, "template_name_taken", "name"])
      assert.strictEqual((yield* sandbox.create({ language: "en_US" })).status, 201)
      const gone = yield* sandbox.remove(id)
      const { trace_id: _, ...deleted } = gone.body
      assert.deepStrictEqual([gone.status, deleted], [200, { id, object: "template", deleted: true }])
      for (const answer of [
        yield* sandbox.get(id),
        yield* sandbox.remove(id),
        yield* sandbox.patch(id, { category: "marketing" }),
        yield* sandbox.submit(id),
        yield* sandbox.duplicate(id, { name: "other" })
      ]) {
        assert.deepStrictEqual(refused(answer), [404, "template_not_found", undefined])
      }
      const made = yield* sandbox.create({}, { idempotencyKey: "again" })
      assert.strictEqual(made.status, 201)
      assert.strictEqual((yield* sandbox.create({}, { idempotencyKey: "again" })).text, made.text)
    })
  )

  it.effect(
    'a copy is a draft of the newest version under another name, language or both gaps-2 G "Template routes"',
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* templateProject
        const { id } = (yield* sandbox.create()).body
        yield* sandbox.submit(id)
        yield* turnBy(1000)
        const components = [{ type: "BODY", text: "Novo texto." }]
        yield* sandbox.patch(id, { components, category: "marketing" })
        const copy = yield* sandbox.duplicate(id, { name: "order_shipped_2" })
        assert.deepStrictEqual(
          [copy.status, copy.body.name, copy.body.language, copy.body.status, copy.body.version, copy.body.category],
          [201, "order_shipped_2", "pt_BR", "draft", 1, "marketing"]
        )
        assert.deepStrictEqual(copy.body.components, components)
        assert.strictEqual((yield* sandbox.duplicate(id, { language: "es", name: null })).status, 201)
        assert.deepStrictEqual(refused(yield* sandbox.duplicate(id, { language: "pt_BR" })), [
          409,
          "template_name_taken",
          "name"
        ])
        assert.deepStrictEqual(refused(yield* sandbox.duplicate(id, {})), [400, "invalid_template_request", "name"])
        assert.deepStrictEqual(refused(yield* sandbox.duplicate(id, { name: "Não" })), [
          400,
          "invalid_template_request",
          "name"
        ])
        assert.deepStrictEqual(refused(yield* sandbox.duplicate(id, { name: "a", status: "approved" })), [
          400,
          "invalid_template_request",
          "status"
        ])
      })
  )

  it.effect('lists newest first and narrows by status, category, language and name gaps-2 G "Template routes"', () =>
    Effect.gen(function* () {
      const { api, sandbox } = yield* templateProject
      const names = ["a", "b", "c"]
      for (const name of names) yield* sandbox.create({ name })
      const other = (yield* sandbox.create({ name: "a", language: "en", category: "marketing" })).body.id as string
      yield* sandbox.submit(other)
      yield* turnBy(1000)
      const listed = (query: string) =>
        Effect.map(api.get(`${path}${query}`, { key: sandbox.key }), ({ body }) =>
          body.data.map(({ language, name }: { name: string; language: string }) => `${name}/${language}`)
        )
      assert.deepStrictEqual(yield* listed(""), ["a/en", "c/pt_BR", "b/pt_BR", "a/pt_BR"])
      assert.deepStrictEqual(yield* listed("?status=draft"), ["c/pt_BR", "b/pt_BR", "a/pt_BR"])
      assert.deepStrictEqual(yield* listed("?status=approved&category=marketing"), ["a/en"])
      assert.deepStrictEqual(yield* listed("?name=a"), ["a/en", "a/pt_BR"])
      assert.deepStrictEqual(yield* listed("?name=a&language=pt_BR"), ["a/pt_BR"])
      assert.deepStrictEqual(yield* listed("?category=authentication"), [])
      const first = yield* api.get(`${path}?limit=3&name=a&language=pt_BR`, { key: sandbox.key })
      assert.deepStrictEqual([first.body.has_more, first.body.next_cursor], [false, null])
      const page = yield* api.get(`${path}?limit=3`, { key: sandbox.key })
      assert.isTrue(page.body.has_more)
      assert.deepStrictEqual(yield* listed(`?limit=3&starting_after=${page.body.next_cursor}`), ["a/pt_BR"])
      for (const query of ["?status=sent", "?category=x", "?color=red", "?limit=0", "?name="]) {
        const answer = yield* api.get(`${path}${query}`, { key: sandbox.key })
        assert.deepStrictEqual(refused(answer).slice(0, 2), [400, "invalid_query"], query)
      }
    })
  )

  it.effect("a format or components alone are checked against the template's own, its state afterwards", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const named = {
        parameter_format: "NAMED",
        components: [
          {
            type: "BODY",
            text: "Oi {{who}}, tudo bem?",
            example: { body_text_named_params: [{ param_name: "who", example: "Ana" }] }
          }
        ]
      }
      const { id } = (yield* sandbox.create(named)).body
      const positional = [{ type: "BODY", text: "Oi {{1}}, tudo bem?" }]
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, { parameter_format: "POSITIONAL" })), [
        400,
        "invalid_template_request",
        "parameter_format"
      ])
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, { components: positional })), [
        400,
        "invalid_template_request",
        "components.0.text"
      ])
      yield* sandbox.submit(id)
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, { components: positional })).slice(0, 2), [
        400,
        "invalid_template_request"
      ])
      assert.deepStrictEqual(refused(yield* sandbox.patch(id, {})), [400, "invalid_template_request", "category"])
      yield* turnBy(1000)
      const both = { components: positional, parameter_format: "POSITIONAL" }
      assert.strictEqual((yield* sandbox.patch(id, both)).body.parameter_format, "POSITIONAL")
    })
  )

  it.effect('submit belongs to messaging; writing and deleting do not gaps-2 A "Feature families"', () =>
    Effect.gen(function* () {
      const { sandbox } = yield* templateProject
      const sql = yield* SqlClient.SqlClient
      yield* sql`update environments set capabilities_off = '["messaging"]' where id = ${sandbox.id}`
      const { id } = (yield* sandbox.create()).body
      assert.deepStrictEqual(refused(yield* sandbox.submit(id)).slice(0, 2), [403, "feature_disabled"])
      assert.strictEqual((yield* sandbox.patch(id, { category: "marketing" })).status, 200)
      assert.strictEqual((yield* sandbox.remove(id)).status, 200)
    })
  )

  it.effect("templates of another environment do not exist", () =>
    Effect.gen(function* () {
      const { api, production, sandbox } = yield* templateProject
      const { id } = (yield* sandbox.create()).body
      for (const key of [production.key, api.other.sandbox.key]) {
        assert.deepStrictEqual(refused(yield* api.get(`${path}/${id}`, { key })), [
          404,
          "template_not_found",
          undefined
        ])
        assert.deepStrictEqual(refused(yield* api.delete(`${path}/${id}`, { key })), [
          404,
          "template_not_found",
          undefined
        ])
      }
    })
  )
})
