import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import { ConnectedTemplates, type SubmittedTemplate } from "@carteiro/provider/TemplateProvider.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { upload } from "../support/Media.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { templateProject } from "./TemplateStage.ts"

type Uploaded = Omit<Extract<ChatFile, { readonly _tag: "Bytes" }>, "_tag" | "open"> & { readonly text: string }

const submitted: Array<SubmittedTemplate> = []
const uploaded: Array<Uploaded> = []
const done = <A>(value: A) => ({ _tag: "Done", value }) as const
const never = Effect.die("nobody asks for this")

const connected = Layer.succeed(ConnectedTemplates, () =>
  Effect.succeed({
    biz_account_id: "2001",
    provider: {
      submit: (template: SubmittedTemplate) =>
        Effect.sync(() => {
          submitted.push(template)
          return done({ provider_template_id: `up-${submitted.length}`, status: "submitted" as const, category: null })
        }),
      change: () => never,
      remove: () => never,
      list: () => Effect.succeed(done({ templates: [], next: undefined })),
      uploadExample: ({ _tag, open, ...file }) =>
        Effect.gen(function* () {
          const text = yield* Effect.scoped(Effect.flatMap(open, (bytes) => Stream.mkString(Stream.decodeText(bytes))))
          uploaded.push({ ...file, text })
          return done({ header_handle: "handle-1" })
        }).pipe(Effect.orDie)
    }
  })
)

const pdf = "%PDF-1.4\n%the menu of May\n"

const withHeader = (format: string, header_handle: string | ReadonlyArray<string>) => ({
  name: `menu_${format.toLowerCase()}_${submitted.length}`,
  components: [
    { type: "HEADER", format, example: { header_handle } },
    { type: "BODY", text: "O cardápio de maio." }
  ]
})

it.layer(WholeProduct({ vendors: connected }), { excludeTestServices: true })("Examples of media headers", (it) => {
  it.effect('are given to the provider as files, and named as it names them gaps-2 G "Component shapes"', () =>
    Effect.gen(function* () {
      const { production } = yield* templateProject
      const asset = yield* upload(production.key, Buffer.from(pdf), {
        kind: "document",
        lifecycle: "library",
        mime_type: "application/pdf",
        filename: "maio.pdf"
      })
      for (const handle of [asset.id, [asset.id]]) {
        const made = yield* production.create(withHeader("DOCUMENT", handle))
        assert.strictEqual(made.status, 201, made.text)
        assert.strictEqual((yield* production.submit(made.body.id)).status, 202)
        yield* quiesce
        const [header] = submitted.at(-1)?.components ?? []
        assert.deepStrictEqual(header, {
          type: "HEADER",
          format: "DOCUMENT",
          example: { header_handle: ["handle-1"] }
        })
        // Reads show what was written.
        const [shown] = (yield* production.get(made.body.id)).body.components
        assert.deepStrictEqual(shown.example.header_handle, handle)
      }
      assert.deepStrictEqual(uploaded[0], {
        mime_type: "application/pdf",
        filename: "maio.pdf",
        byte_length: pdf.length,
        text: pdf
      })
    })
  )

  it.effect("examples of the provider are sent unchanged, and one that cannot be sent is refused M-TPL-08", () =>
    Effect.gen(function* () {
      const { production } = yield* templateProject
      const before = uploaded.length
      const own = yield* production.create(withHeader("IMAGE", "4::aW1hZ2U="))
      yield* production.submit(own.body.id)
      yield* quiesce
      const [header] = submitted.at(-1)?.components ?? []
      assert.deepStrictEqual(header, { type: "HEADER", format: "IMAGE", example: { header_handle: "4::aW1hZ2U=" } })
      const lost = yield* production.create(withHeader("VIDEO", "mda_01kdvdna000000000000000000"))
      yield* production.submit(lost.body.id)
      yield* quiesce
      const { rejection_reason, status } = (yield* production.get(lost.body.id)).body
      assert.strictEqual(status, "rejected")
      assert.match(rejection_reason, /media_asset_not_found/)
      assert.strictEqual(uploaded.length, before)
    })
  )
})
