import { request } from "node:http"
import { BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { announce, files, pathOfUrl } from "./Files.ts"

/** True while the disk is full: it then takes only the beginning of a file. */
const disk = { isFull: false }

const fillable = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (store) =>
    BlobStore.of({
      ...store,
      put: (key, bytes) =>
        store.put(
          key,
          disk.isFull
            ? Stream.concat(Stream.take(bytes, 1), Stream.fail(new BlobStoreFailed({ reason: "ENOSPC" })))
            : bytes
        )
    })
  )
).pipe(Layer.provide(testBlobs))

const stage = Effect.fnUntraced(function* (slug: string) {
  const api = yield* Api
  const { sandbox } = yield* seedProject(api.acme.organization_id, slug)
  const { id, key } = sandbox
  const session = (yield* api.post("/v1/media/uploads", announce(files.pdf, "application/pdf"), { key })).body
  const path = pathOfUrl(session.upload_url)
  const put = api.call("PUT", path, files.pdf, { headers: session.upload_headers })
  const complete = api.post(`/v1/media/${session.id}/complete`, undefined, { key })
  const store = yield* BlobStore
  /** All files below the environment's folder, unfinished ones included. */
  const kept = Effect.map(Effect.orDie(store.list("", 1000)), (found) =>
    found.map((blob) => blob.key).filter((blob) => blob.startsWith(id))
  )
  const usage = Effect.map(api.get("/v1/media/storage-usage", { key }), ({ body }) => body.used_bytes)
  return { api, complete, kept, key, path, put, sandbox, session, usage }
})

it.layer(WholeProduct({ sweeps: false, blobs: fillable }), { excludeTestServices: true })("An upload", (it) => {
  it.effect("to a full disk returns a retryable 503, and nothing is half-stored M-MED-20 M-ERR-10", () =>
    Effect.gen(function* () {
      const { complete, kept, put, session, usage } = yield* stage("full-disk")
      disk.isFull = true
      const refused = yield* put
      assert.strictEqual(refused.status, 503, refused.text)
      const { code, retry_after_ms, type } = refused.body.error
      assert.deepStrictEqual([type, code], ["service_unavailable", "service_unavailable"], refused.text)
      assert.strictEqual(retry_after_ms, 30_000, refused.text)
      assert.notInclude(refused.text, "ENOSPC")
      assert.deepStrictEqual(yield* kept, [])
      assert.strictEqual((yield* complete).body.error.code, "media_upload_incomplete")
      disk.isFull = false
      assert.strictEqual((yield* put).status, 200)
      const asset = yield* complete
      assert.deepStrictEqual([asset.body.id, asset.body.status], [session.id, "ready"])
      assert.strictEqual((yield* kept).length, 1)
      assert.strictEqual(yield* usage, files.pdf.length)
    })
  )

  it.effect("inline in a send to a full disk returns 503, and no message exists M-ERR-10", () =>
    Effect.gen(function* () {
      const { api, kept, key, sandbox } = yield* stage("full-disk-inline")
      const number = yield* seedNumber(sandbox)
      const customer = "+5511912345678"
      const inbound = { channel: "chatapp", from: customer, to: number.id, type: "text", text: { body: "oi" } }
      yield* api.post("/v1/sandbox/inbound-messages", inbound, { key })
      const inline = { mime_type: "image/png", data_base64: files.png.toString("base64") }
      const body = {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "media", media: { kind: "image", inline } }
      }
      const send = api.post("/v1/messages", body, { key, idempotencyKey: "inline" })
      disk.isFull = true
      const refused = yield* send
      disk.isFull = false
      assert.deepStrictEqual([refused.status, refused.body.error?.code], [503, "service_unavailable"], refused.text)
      const sql = yield* SqlClient.SqlClient
      const messages = sql`select 1 from messages where environment_id = ${sandbox.id} and direction = 'outbound'`
      assert.deepStrictEqual([(yield* messages).length, yield* kept], [0, []])
      assert.strictEqual((yield* send).status, 202)
      assert.strictEqual((yield* messages).length, 1)
    })
  )

  it.effect("whose client disconnects midway leaves nothing, and may be repeated M-MED-20", () =>
    Effect.gen(function* () {
      const { api, complete, kept, path, put, session } = yield* stage("cut")
      const { hostname, port } = new URL(api.baseUrl)
      const headers = { ...session.upload_headers, "content-length": files.pdf.length }
      const cut = request({ hostname, port, path, method: "PUT", headers }).on("error", () => {})
      cut.write(files.pdf.subarray(0, 7))
      yield* until(Effect.map(kept, (keys) => keys.length === 1))
      assert.match((yield* kept)[0] ?? "", /\.part$/)
      cut.destroy()
      yield* until(Effect.map(kept, (keys) => keys.length === 0))
      const sql = yield* SqlClient.SqlClient
      yield* until(
        Effect.map(
          sql`select 1 from media_assets where id = ${session.id} and body_until is null`,
          (rows) => rows.length === 1
        )
      )
      assert.strictEqual((yield* complete).body.error.code, "media_upload_incomplete")
      assert.strictEqual((yield* put).status, 200)
      assert.strictEqual((yield* complete).body.status, "ready")
    })
  )

  it.effect("made twice keeps the later bytes and removes the earlier ones M-MED-20", () =>
    Effect.gen(function* () {
      const { api, complete, kept, key, path, session } = yield* stage("twice")
      const later = Buffer.from(files.pdf)
      later[later.length - 2] = 0x46
      for (const bytes of [files.pdf, later]) {
        assert.strictEqual((yield* api.call("PUT", path, bytes, { headers: session.upload_headers })).status, 200)
        assert.strictEqual((yield* kept).length, 1)
      }
      assert.strictEqual((yield* complete).body.status, "ready")
      const { download_url } = (yield* api.get(`/v1/media/${session.id}/download-url`, { key })).body
      assert.strictEqual((yield* api.get(pathOfUrl(download_url))).text, later.toString())
    })
  )
})
