import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { until } from "../support/Until.ts"
import { account, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { draft, path } from "./TemplateStage.ts"

/** A template that the account made elsewhere, with parts as the platform lists them. */
const shop = {
  category: "MARKETING",
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["https://files.example/expires"] } },
    { type: "BODY", text: "Oi {{1}}, aproveite.", example: { body_text: [["Maria"]] } },
    {
      type: "BUTTONS",
      buttons: [
        { type: "URL", text: "Ver", url: "https://x.example/a/{{1}}", example: ["https://x.example/a/1"] },
        { type: "COPY_CODE", text: "Copiar", example: ["PROMO10"] }
      ]
    }
  ]
}

const importing = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { api, key, simulator } = stage
  let ids = 0
  /** Makes a template at the platform alone. */
  const atPlatform = (name: string, more: object = {}) =>
    Effect.sync(() => {
      const id = `77${name.length}${++ids}${name.charCodeAt(0)}`
      simulator.world.templates.set(id, {
        id,
        biz_account_id: account.biz_account_id,
        name,
        language: "pt_BR",
        category: "UTILITY",
        status: "APPROVED",
        parameter_format: "POSITIONAL",
        components: [{ type: "BODY", text: "Seu pedido está a caminho." }],
        body: 0,
        ...more
      })
      return id
    })
  const take = (options: object = {}) => api.post(`${path}/import`, undefined, { key, ...options })
  return { ...stage, atPlatform, take }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Templates that an account already has", (it) => {
  it.effect("are imported with content and quality, and can be sent at once U-TPL-08", () =>
    Effect.gen(function* () {
      const { api, atPlatform, hear, key, reaches, send, take } = yield* importing
      const id = yield* atPlatform("shop", shop)
      yield* atPlatform("waits", { status: "PENDING" })
      yield* atPlatform("strange", {
        components: [
          { type: "BODY", text: "Oi" },
          { type: "CAROUSEL", cards: [] }
        ]
      })
      const options = { idempotencyKey: "import-1" }
      const { body, status } = yield* take(options)
      assert.strictEqual(status, 200)
      const names = body.data.map(({ name }: { readonly name: string }) => name)
      const taken = ["welcome", "promo", "code", "shop"]
      assert.deepStrictEqual([body.object, body.imported, names], ["template_import", 4, taken])
      const [welcome, promo, code, imported] = body.data
      assert.deepInclude(code, { category: "authentication", status: "approved" })
      assert.deepInclude(welcome, {
        status: "approved",
        category: "utility",
        parameter_format: "POSITIONAL",
        version: 1
      })
      assert.deepInclude(promo, { category: "marketing", parameter_format: "NAMED", approved_version: 1 })
      assert.deepInclude(imported, { provider_template_id: id, provider_quality: "unknown", submitted_at: null })
      assert.deepStrictEqual(imported.components, [
        { type: "HEADER", format: "IMAGE" },
        shop.components[1],
        {
          type: "BUTTONS",
          buttons: [shop.components[2]?.buttons?.[0], { type: "COPY_CODE", example: ["PROMO10"] }]
        }
      ])
      assert.deepInclude((yield* api.get(`${path}/${imported.id}`, { key })).body, imported)
      // A repeated request gets its answer, and another one imports nothing twice.
      const again = yield* take(options)
      assert.deepStrictEqual([again.headers["svc-idempotent-replayed"], again.body], ["true", body])
      const { body: second } = yield* take()
      assert.deepStrictEqual([second.data, second.imported, second.skipped], [[], 0, body.imported + body.skipped])

      yield* hear()
      const sent = yield* send({
        type: "template",
        template: { name: "welcome", language: "pt_BR", variables: { "1": "Ana" } }
      })
      assert.strictEqual(sent.status, 202)
      yield* reaches(sent.body.id, "sent", "delivered", "read")
    })
  )

  it.effect("are adopted by a template of equal content, and refuse one of another U-TPL-08", () =>
    Effect.gen(function* () {
      const { api, atPlatform, key } = yield* importing
      const submitted = Effect.fnUntraced(function* (name: string) {
        const { id } = (yield* api.post(path, { ...draft, name }, { key })).body
        yield* api.post(`${path}/${id}/submit`, undefined, { key })
        const read = Effect.map(api.get(`${path}/${id}`, { key }), ({ body }) => body)
        yield* until(Effect.map(read, ({ status }) => status !== "submitted"))
        return yield* read
      })
      const id = yield* atPlatform("equal", { category: "MARKETING" })
      assert.deepInclude(yield* submitted("equal"), {
        status: "approved",
        category: "marketing",
        provider_template_id: id
      })
      yield* atPlatform("unequal", { components: [{ type: "BODY", text: "Outro texto." }] })
      assert.deepInclude(yield* submitted("unequal"), { status: "rejected", provider_template_id: null })
    })
  )

  it.effect(
    "need a key with templates:write, an account, and a platform that answers; a sandbox has none U-TPL-08",
    () =>
      Effect.gen(function* () {
        const { faults, take } = yield* importing
        const { acme, other, post } = yield* Api
        const sandbox = yield* take({ key: acme.sandbox.key })
        assert.strictEqual(sandbox.status, 200)
        assert.deepInclude(sandbox.body, { object: "template_import", data: [], imported: 0, skipped: 0 })
        const unconnected = yield* post(`${path}/import`, undefined, { key: other.production.key })
        assert.deepStrictEqual(
          [unconnected.status, unconnected.body.error.code],
          [409, "template_provider_connection_required"]
        )
        yield* faults({ name: "error_500", operation: "templates", times: 5 })
        const failed = yield* take()
        assert.deepStrictEqual([failed.status, failed.body.error.code], [502, "provider_error"])
        yield* faults()
      })
  )
})
