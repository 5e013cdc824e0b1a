import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { eventsOf } from "./Events.ts"
import { files, pathOfUrl, upload } from "./Files.ts"

const customer = "+5511912345678"

/** A separate sandbox with a number to which the customer wrote. */
const conversation = Effect.fnUntraced(function* (slug: string) {
  const { acme, get, post } = yield* Api
  const { sandbox } = yield* seedProject(acme.organization_id, slug)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const hear = (body: object) =>
    post("/v1/sandbox/inbound-messages", { channel: "chatapp", from: customer, to: number.id, ...body }, { key })
  yield* hear({ type: "text", text: { body: "oi" } })
  const send = (media: object) =>
    post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "media", media }
      },
      { key }
    )
  const read = (id: string) => Effect.map(get(`/v1/messages/${id}`, { key }), ({ body }) => body)
  const asset = (id: string) => Effect.map(get(`/v1/media/${id}`, { key }), ({ body }) => body)
  return { sandbox, key, hear, send, read, asset }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Files of messages", (it) => {
  it.effect("a single_use asset goes with the first message and with no other M-MED-37 M-DLV-07", () =>
    Effect.gen(function* () {
      const { asset, key, read, send } = yield* conversation("single-use")
      const { id } = yield* upload(key, files.png, "image/png")
      const first = yield* send({ kind: "image", asset_id: id, caption: "Olá" })
      const second = yield* send({ kind: "image", asset_id: id })
      assert.deepStrictEqual([first.status, second.status], [202, 202], first.text)
      yield* turnBy(3000)
      assert.strictEqual((yield* read(first.body.id)).status, "read")
      const refused = yield* read(second.body.id)
      assert.deepStrictEqual([refused.status, refused.error_code], ["failed", "media_asset_expired"])
      const consumed = yield* asset(id)
      assert.deepStrictEqual(
        [consumed.status, consumed.consumed_by_message_id, consumed.consumed_at],
        ["consumed", first.body.id, "2026-01-01T00:00:00.500Z"]
      )
      assert.strictEqual((yield* read(first.body.id)).media.asset_id, id)
    })
  )

  it.effect(
    "every fault of an asset is a delivery code, never a refusal M-DLV-01 M-DLV-07 M-DLV-11 M-DLV-24 M-MSG-42",
    () =>
      Effect.gen(function* () {
        const { key, read, send } = yield* conversation("asset-codes")
        const { post } = yield* Api
        const image = yield* upload(key, files.png, "image/png", { lifecycle: "library" })
        const failed = yield* upload(key, files.text, "image/png")
        const amr = yield* upload(key, Buffer.from("#!AMR\n\u0004\u0000"), "audio/amr")
        const pending = yield* post(
          "/v1/media/uploads",
          { kind: "image", mime_type: "image/png", byte_length: 9 },
          { key }
        )
        const cases: ReadonlyArray<readonly [object, string]> = [
          [{ kind: "image", asset_id: "mda_01kah7v3m8q6x2r9d4t5w0y1z3" }, "media_asset_not_found"],
          [{ kind: "image", asset_id: pending.body.id }, "media_asset_not_ready"],
          [{ kind: "image", asset_id: failed.id }, "media_asset_not_ready"],
          [{ kind: "audio", asset_id: image.id }, "invalid_media_mime_type"],
          [{ kind: "audio", voice: true, asset_id: amr.id }, "media_voice_requires_ogg_opus"],
          [{ kind: "image", link: "http://127.0.0.1/a.png" }, "media_link_fetch_failed"]
        ]
        for (const [media, code] of cases) {
          const sent = yield* send(media)
          assert.strictEqual(sent.status, 202, sent.text)
          yield* turnBy(1000)
          const message = yield* read(sent.body.id)
          assert.deepStrictEqual(
            [message.status, message.error_code, message.provider_error],
            ["failed", code, null],
            code
          )
        }
      })
  )

  it.effect("links, speech, inline bytes and library assets leave a sandbox without a socket M-MSG-46 M-DLV-13", () =>
    Effect.gen(function* () {
      const { asset, key, read, send } = yield* conversation("sources")
      const { get } = yield* Api
      const library = yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })
      const speech = { type: "tts", provider: "speechprov2", text: "Olá", voice: "ana", language: "pt-BR" }
      const inline = { mime_type: "image/png", data_base64: files.png.toString("base64"), filename: "a.png" }
      for (const media of [
        { kind: "image", link: "https://files.example.com/a.png" },
        { kind: "audio", voice: true, source: speech },
        { kind: "image", inline },
        { kind: "audio", asset_id: library.id },
        { kind: "audio", asset_id: library.id },
        { kind: "image", id: "12345" }
      ]) {
        const sent = yield* send(media)
        assert.strictEqual(sent.status, 202, sent.text)
        yield* turnBy(3000)
        const message = yield* read(sent.body.id)
        assert.deepStrictEqual([message.status, message.error_code], ["read", null], JSON.stringify(media))
        assert.notInclude(JSON.stringify(message), inline.data_base64)
        if ("source" in media) {
          const spoken = yield* asset(message.media.asset_id)
          assert.deepInclude(spoken, {
            source: "customer",
            lifecycle: "single_use",
            consumed_by_message_id: sent.body.id
          })
          const { download, mime_type } = spoken
          assert.deepInclude(message.media, { kind: "audio", status: "consumed", download, mime_type })
        }
      }
      assert.strictEqual((yield* asset(library.id)).status, "ready")
      const { body } = yield* get("/v1/media?status=consumed", { key })
      assert.deepStrictEqual(
        body.data.map((one: { kind: string; provider: string | null }) => [one.kind, one.provider]),
        [
          ["image", null],
          ["audio", "speechprov2"]
        ]
      )
    })
  )

  it.effect(
    "an inbound file is stored before its message's event is raised M-MED-02 M-MED-29 M-INB-04 M-INB-05 M-INB-06 M-INB-09 M-INB-19 M-INB-21 M-EVT-10",
    () =>
      Effect.gen(function* () {
        const { asset, hear, key, read, sandbox } = yield* conversation("inbound")
        const { get } = yield* Api
        const heard = yield* hear({ type: "media", media: { kind: "audio", voice: true, filename: "nota.ogg" } })
        assert.strictEqual(heard.status, 202, heard.text)
        yield* turnBy(10)
        const message = yield* read(heard.body.id)
        const { asset_id, byte_length, download, ...rest } = message.media
        assert.isAbove(byte_length, 0)
        assert.deepStrictEqual(rest, {
          provider_media_id: rest.provider_media_id,
          kind: "audio",
          voice: true,
          mime_type: "audio/ogg",
          filename: "nota.ogg",
          status: "consumed",
          failure: null
        })
        assert.deepStrictEqual(download, { method: "GET", path: `/v1/media/${asset_id}/download-url` })
        const stored = yield* asset(asset_id)
        assert.deepStrictEqual(
          [stored.source, stored.status, stored.consumed_by_message_id],
          ["inbound_provider", "consumed", heard.body.id]
        )
        const told = (yield* eventsOf(sandbox.id)).filter(({ type }) => type === "message.received")
        assert.deepStrictEqual(told.at(-1)?.data.content, { type: "media", media: message.media })
        assert.notInclude(JSON.stringify(told), "/blobs/")
        const { download_url } = (yield* get(download.path, { key })).body
        const blob = yield* get(pathOfUrl(download_url))
        assert.deepStrictEqual([blob.status, blob.headers["content-length"]], [200, String(byte_length)])
        assert.strictEqual((yield* get("/v1/media/storage-usage", { key })).body.used_bytes, byte_length)
      })
  )

  it.effect(
    "an inbound file without quota fails at once, and its message's event is still raised M-MED-33 M-MED-35 M-INB-07 M-INB-20",
    () =>
      Effect.gen(function* () {
        const { hear, read, sandbox } = yield* conversation("full")
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into media_usage (environment_id, environment, limit_bytes) values (${sandbox.id}, 'sandbox', 10)`
        const heard = yield* hear({ type: "media", media: { kind: "image" } })
        yield* turnBy(10)
        const { failure, status } = (yield* read(heard.body.id)).media
        assert.deepStrictEqual([status, failure.code], ["failed", "media_storage_quota_exceeded"])
        const told = (yield* eventsOf(sandbox.id)).filter(({ type }) => type === "message.received")
        assert.lengthOf(told, 2)
      })
  )

  it.effect(
    "an inline file is checked against its kind before it is sent, a voice note's type first M-DLV-11 M-MSG-42",
    () =>
      Effect.gen(function* () {
        const { read, send } = yield* conversation("judged")
        const inline = (mime_type: string, bytes: Uint8Array = files.png) => ({
          inline: { mime_type, data_base64: Buffer.from(bytes).toString("base64") }
        })
        for (const [media, code] of [
          [{ kind: "image", ...inline("application/zip") }, "invalid_media_mime_type"],
          [{ kind: "audio", ...inline("image/png") }, "invalid_media_mime_type"],
          [{ kind: "sticker", ...inline("image/webp", Buffer.alloc(500 * 1024 + 1)) }, "media_too_large"],
          [{ kind: "audio", voice: true, ...inline("audio/wav") }, "media_voice_requires_ogg_opus"]
        ] as const) {
          const sent = yield* send(media)
          assert.strictEqual(sent.status, 202, sent.text)
          yield* turnBy(3000)
          const message = yield* read(sent.body.id)
          assert.deepStrictEqual([message.status, message.error_code], ["failed", code], media.inline.mime_type)
        }
      })
  )

  it.effect(
    "a deleted or expired file shows that state in its message and cannot be downloaded M-INB-08 M-MED-36",
    () =>
      Effect.gen(function* () {
        const { hear, key, read, sandbox } = yield* conversation("gone")
        const { delete: remove, get, patch, post } = yield* Api
        yield* patch("/v1/data-retention", { media_retention_days: 2 }, { key })
        const first = yield* hear({ type: "media", media: { kind: "image" } })
        const second = yield* hear({ type: "media", media: { kind: "video" } })
        yield* turnBy(10)
        const { media } = yield* read(first.body.id)
        yield* remove(`/v1/media/${media.asset_id}`, { key })
        const deleted = (yield* read(first.body.id)).media
        assert.deepStrictEqual([deleted.asset_id, deleted.status, deleted.download], [media.asset_id, "deleted", null])
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{
          readonly kept: number
        }>`select extract(day from expires_at - consumed_at)::int4 as kept
        from media_assets where environment_id = ${sandbox.id} and kind = 'video'`
        assert.strictEqual(row?.kept, 2)
        yield* sql`update media_assets set ends_at = created_at where environment_id = ${sandbox.id} and kind = 'video'`
        const expired = (yield* read(second.body.id)).media
        assert.deepStrictEqual([expired.status, expired.download], ["expired", null])
        const url = yield* get(`/v1/media/${expired.asset_id}/download-url`, { key })
        assert.strictEqual(url.body.error.code, "media_asset_expired")
        const again = yield* post(`/v1/media/${expired.asset_id}/retry`, {}, { key })
        assert.strictEqual(again.body.error.code, "route_not_found")
      })
  )
})
