import { readFileSync } from "node:fs"
import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SubmittedTemplate, TemplateProvider } from "@carteiro/provider/TemplateProvider.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { http } from "../../packages/outbound/test/Servers.ts"
import { until } from "../support/Until.ts"
import { overSockets } from "../support/Vendors.ts"
import { platform } from "./UpstreamStage.ts"

const written = (name: string, text = "Seu pedido {{1}} saiu.") => ({
  name,
  language: "pt_BR",
  category: "utility" as const,
  parameter_format: "POSITIONAL" as const,
  components: [
    { type: "BODY" as const, text, ...(text.includes("{{1}}") ? { example: { body_text: ["10"] } } : undefined) }
  ]
})

/** All of the account, page by page. */
const listAll = Effect.fnUntraced(function* (templates: TemplateProvider) {
  const found = []
  let after: string | undefined
  do {
    const answer = yield* templates.list(after)
    if (answer._tag !== "Done") return assert.fail(answer._tag)
    found.push(...answer.value.templates)
    after = answer.value.next
  } while (after !== undefined)
  return found
})

it.effect(
  'templates are handed in, reviewed, changed, listed by pages and removed gaps-2 E "Who calls the upstream"',
  () =>
    Effect.gen(function* () {
      const { simulator, templates } = yield* platform
      for (let n = 0; n < 120; n++) yield* templates.submit(written(`pending_${n}`))
      const made = yield* templates.submit(written("order"))
      if (made._tag !== "Done") return assert.fail(made._tag)
      assert.strictEqual(made.value.status, "submitted")
      yield* templates.submit(written("please_reject"))
      const named = (name: string) => Effect.map(listAll(templates), (all) => all.find((one) => one.name === name))
      yield* until(Effect.map(named("please_reject"), (found) => found?.status === "rejected"))
      const all = yield* listAll(templates)
      assert.strictEqual(all.length, 124)
      assert.deepStrictEqual(
        all.find(({ name }) => name === "order"),
        {
          provider_template_id: made.value.provider_template_id,
          name: "order",
          language: "pt_BR",
          status: "approved",
          category: "utility",
          rejection_reason: null,
          quality: "unknown",
          content: {
            parameter_format: "POSITIONAL",
            components: [{ type: "BODY", text: "Seu pedido {{1}} saiu.", example: { body_text: [["10"]] } }]
          }
        }
      )
      const refused = all.find(({ name }) => name === "please_reject")
      assert.deepStrictEqual([refused?.status, refused?.rejection_reason], ["rejected", "INVALID_FORMAT"])
      assert.strictEqual(all.find(({ name }) => name === "pending_7")?.status, "submitted")

      const changed = yield* templates.change(made.value.provider_template_id, {
        category: "marketing",
        parameter_format: "POSITIONAL",
        components: [{ type: "BODY", text: "Saiu." }]
      })
      assert.strictEqual(changed._tag, "Done")
      simulator.world.templates.get(made.value.provider_template_id)
      assert.strictEqual((yield* named("order"))?.category, "marketing")
      assert.strictEqual((yield* templates.remove("order", made.value.provider_template_id))._tag, "Done")
      assert.isUndefined(yield* named("order"))
    }).pipe(Effect.scoped)
)

it.effect(
  'a name that is taken, a token that reaches nothing and a broken call are told apart gaps-2 E "Retry policy"',
  () =>
    Effect.gen(function* () {
      const { hasty, simulator, stranger, templates } = yield* platform
      const taken = yield* templates.submit(written("welcome"))
      assert.strictEqual(taken._tag, "Refused")
      if (taken._tag === "Refused") assert.match(taken.error?.message ?? "", /Invalid parameter|exists/)
      assert.strictEqual((yield* stranger.templates.list(undefined))._tag, "Refused")
      assert.strictEqual((yield* templates.change("404", written("a")))._tag, "Refused")
      for (const name of ["reset_before", "error_500", "timeout_before"]) {
        simulator.faults.set([{ name, operation: "templates", times: 1 }], 1)
        const port = name === "timeout_before" ? hasty.templates : templates
        assert.strictEqual((yield* port.submit(written(name)))._tag, "Failed", name)
      }
      const names = () => Effect.map(listAll(templates), (all) => all.map(({ name }) => name))
      assert.deepStrictEqual(yield* names(), ["welcome", "promo"])
      // Taken although no answer came: it is there when it is looked for.
      simulator.faults.set([{ name: "reset_after", operation: "templates", times: 1 }], 1)
      assert.strictEqual((yield* templates.submit(written("arrived")))._tag, "Failed")
      assert.deepStrictEqual(yield* names(), ["welcome", "promo", "arrived"])
    }).pipe(Effect.scoped)
)

it.live("a page with an unreadable template proves nothing", () =>
  Effect.gen(function* () {
    const readable = { id: "901", name: "order", language: "pt_BR", status: "APPROVED", category: "UTILITY" }
    let data: ReadonlyArray<object> = []
    const server = yield* http((_, response) => void response.end(JSON.stringify({ data })))
    const url = operatorUrl(`http://127.0.0.1:${server.port}`)
    const upstream = yield* overSockets(makeUpstream({ url, version: "v23.0", messagingProduct: "whatsapp" }))
    const { list } = upstream.templates({ biz_account_id: "1", token: Redacted.make("tenant-token") })
    data = [readable]
    assert.strictEqual((yield* list(undefined))._tag, "Done")
    for (const wrong of [{ id: undefined }, { id: "x".repeat(3000) }, { name: 7 }, { language: null }]) {
      data = [readable, { ...readable, ...wrong }]
      assert.strictEqual((yield* list(undefined))._tag, "Failed")
    }
  }).pipe(Effect.scoped)
)

it.live(
  "a list names the members that it needs, and tells nothing about those that an answer leaves out U-TPL-05 U-TPL-09",
  () =>
    Effect.gen(function* () {
      const fields: Array<string | null> = []
      const data = [
        { id: "901", name: "order", language: "pt_BR" },
        {
          id: "902",
          name: "promo",
          language: "pt_BR",
          status: "REJECTED",
          category: "MARKETING",
          rejected_reason: "SCAM",
          quality_score: { score: "GREEN", date: 1_795_818_735 }
        }
      ]
      const server = yield* http((request, response) => {
        fields.push(new URL(request.url ?? "", "http://localhost").searchParams.get("fields"))
        response.end(JSON.stringify({ data }))
      })
      const url = operatorUrl(`http://127.0.0.1:${server.port}`)
      const upstream = yield* overSockets(makeUpstream({ url, version: "v23.0", messagingProduct: "whatsapp" }))
      const answer = yield* upstream
        .templates({ biz_account_id: "1", token: Redacted.make("tenant-token") })
        .list(undefined)
      if (answer._tag !== "Done") return assert.fail(answer._tag)
      assert.deepStrictEqual(fields, ["id,name,language,status,category,quality_score,rejected_reason,components"])
      assert.deepStrictEqual(
        answer.value.templates.map(({ category, quality, rejection_reason, status }) => [
          status,
          category,
          rejection_reason,
          quality
        ]),
        [
          [null, null, null, null],
          ["rejected", "marketing", "SCAM", "green"]
        ]
      )
    }).pipe(Effect.scoped)
)

/** Returns the template of a recorded submission, as an integrator wrote it. */
const recorded = (name: string): SubmittedTemplate => {
  const { body } = JSON.parse(readFileSync(new URL(`../cases/upstream/${name}.json`, import.meta.url), "utf8")).request
  return { ...body, category: body.category.toLowerCase() }
}

it.effect(
  "examples of either shape are submitted in the platform's, and no payload of a quick reply U-TPL-02 U-TPL-03",
  () =>
    Effect.gen(function* () {
      const { simulator, templates } = yield* platform
      const flat = recorded("request-template-flat-examples")
      const text = "Oi {{1}}, aproveite {{2}} agora."
      const quickReply = { type: "QUICK_REPLY", text: "Parar", payload: "STOP" } as const
      const url = { type: "URL", text: "Ver", url: "https://x.example/a/{{1}}" } as const
      const shapes = [
        [["Maria", "10%"], "https://x.example/a/1"],
        [[["Maria", "10%"]], ["https://x.example/a/1"]]
      ] as const
      assert.strictEqual((yield* templates.submit(flat))._tag, "Done")
      for (const [index, [body_text, example]] of shapes.entries()) {
        const submitted = yield* templates.submit({
          ...flat,
          name: `shape_${index}`,
          components: [
            { type: "BODY", text, example: { body_text } },
            { type: "BUTTONS", buttons: [quickReply, { ...url, example }, { type: "COPY_CODE", example: ["PROMO10"] }] }
          ]
        })
        assert.strictEqual(submitted._tag, "Done", JSON.stringify(submitted))
      }
      const components = [...simulator.world.templates.values()].flatMap(
        (one) => one.components as ReadonlyArray<object>
      )
      const [header, , body, buttons, ...rest] = components.slice(-6)
      assert.deepStrictEqual(header, {
        type: "HEADER",
        format: "TEXT",
        text: "Olá {{1}}",
        example: { header_text: ["Maria"] }
      })
      assert.deepStrictEqual(body, { type: "BODY", text, example: { body_text: [["Maria", "10%"]] } })
      assert.deepStrictEqual(buttons, {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Parar" },
          { ...url, example: ["https://x.example/a/1"] },
          { type: "COPY_CODE", example: "PROMO10" }
        ]
      })
      assert.deepStrictEqual(rest, [body, buttons])
    }).pipe(Effect.scoped)
)

it.effect(
  "the file of a media header is uploaded in a session of the app, and its handle is the example U-TPL-01",
  () =>
    Effect.gen(function* () {
      const { simulator, templates } = yield* platform
      simulator.world.demands = new Set(["proof"])
      const bytes = Buffer.from("an image")
      const file = (mime_type: string) => ({
        _tag: "Bytes" as const,
        mime_type,
        filename: "Oferta de maio",
        byte_length: bytes.length,
        open: Effect.succeed(Stream.make(bytes.subarray(0, 3), bytes.subarray(3)))
      })
      const uploaded = yield* templates.uploadExample(file("image/jpeg"))
      if (uploaded._tag !== "Done") return assert.fail(JSON.stringify(uploaded))
      const { header_handle } = uploaded.value
      assert.strictEqual(simulator.world.handles.get(header_handle), "image/jpeg")
      const [session] = simulator.world.uploads.values()
      assert.strictEqual(session?.name, "Oferta de maio.jpg")
      const seen = recorded("request-template-header-handle")
      const components = seen.components.map((one) =>
        one.type === "HEADER" ? { ...one, example: { header_handle: [header_handle] } } : one
      )
      // The id of an uploaded message's file is no handle.
      assert.deepInclude(yield* templates.submit(seen), { _tag: "Refused" })
      assert.strictEqual((yield* templates.submit({ ...seen, components }))._tag, "Done")
      assert.deepInclude(yield* templates.uploadExample(file("video/3gpp")), { _tag: "Refused" })
    }).pipe(Effect.scoped)
)
