import { createHash } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { customer, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { files, pathOfUrl, upload } from "./Files.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("Files over sockets", (it) => {
  it.effect(
    "are uploaded to the platform first, a failed upload once more, and the message is posted once M-MED-37",
    () =>
      Effect.gen(function* () {
        const { faults, hear, key, reaches, read, send, simulator } = yield* upstreamStage
        yield* hear()
        const asset = yield* upload(key, files.png, "image/png", { lifecycle: "library", filename: "a.png" })
        yield* faults({ name: "fail_upload", times: 1 })
        const sent = yield* send({ type: "media", media: { kind: "image", asset_id: asset.id, caption: "Maio" } })
        yield* reaches(sent.body.id, "sent", "delivered", "read", "failed")
        assert.strictEqual((yield* read(sent.body.id)).error_code, null)
        const uploads = simulator.log
          .read(0, "upload")
          .map((entry) => (entry as { readonly outcome?: unknown }).outcome)
        assert.deepStrictEqual(uploads, ["failed", "accepted"])
        assert.strictEqual(simulator.log.read(0, "message").length, 1)
      })
  )

  it.effect(
    "that customers send are fetched from the platform before their message's event is raised M-MED-02 M-INB-19",
    () =>
      Effect.gen(function* () {
        const { api, hear, key, read } = yield* upstreamStage
        const image = { data_base64: files.png.toString("base64"), mime_type: "image/png", caption: "oi" }
        const { id } = yield* hear(customer, { type: "image", text: undefined, image })
        yield* until(Effect.map(read(id), ({ media }) => media.status !== "pending"))
        const { media } = yield* read(id)
        assert.deepStrictEqual(
          [media.status, media.mime_type, media.byte_length],
          ["consumed", "image/png", files.png.length]
        )
        const { download_url } = (yield* api.get(media.download.path, { key })).body
        const bytes = yield* Effect.promise(async () =>
          Buffer.from(await (await fetch(`${api.baseUrl}${pathOfUrl(download_url)}`)).arrayBuffer())
        )
        const sha256 = (of: Uint8Array) => createHash("sha256").update(of).digest("hex")
        assert.strictEqual(sha256(bytes), sha256(files.png))
      })
  )
})
