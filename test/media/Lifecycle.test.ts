import { Activations } from "@carteiro/owners/Cluster.ts"
import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import * as Media from "@carteiro/runtime/media/Media.ts"
import { room as mediaRoom } from "@carteiro/runtime/media/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { announce, files, pathOfUrl, upload } from "./Files.ts"

const minute = 60_000
const day = 24 * 60 * minute
const customer = "+5511987654321"
const stranger = "+5511976543210"

/** An environment with files, and the work that the sweeper would do for it. */
const stage = Effect.fnUntraced(function* (slug: string) {
  const api = yield* Api
  const { sandbox } = yield* seedProject(api.acme.organization_id, slug)
  const { id, key } = sandbox
  const number = yield* seedNumber(sandbox)
  const store = yield* BlobStore
  const activations = yield* Activations
  const upkeep = Effect.gen(function* () {
    for (const { run } of mediaRoom.jobs) yield* run
    activations.wake(Media.mediaOwner, id)
    yield* turnBy(1)
  })
  const kept = Effect.map(Effect.orDie(store.list("", 1000)), (found) =>
    found.map((blob) => blob.key).filter((blob) => blob.startsWith(id))
  )
  const asset = (assetId: string) => Effect.map(api.get(`/v1/media/${assetId}`, { key }), ({ body }) => body)
  const usage = Effect.map(api.get("/v1/media/storage-usage", { key }), ({ body }) => body.used_bytes)
  const hear = (from: string, content: object) =>
    Effect.map(
      api.post("/v1/sandbox/inbound-messages", { channel: "chatapp", from, to: number.id, ...content }, { key }),
      ({ body }) => body
    )
  const send = (to: string, media: object) =>
    api.post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: to },
        message: { type: "media", media }
      },
      { key }
    )
  const message = (messageId: string) => Effect.map(api.get(`/v1/messages/${messageId}`, { key }), ({ body }) => body)
  return { api, asset, hear, kept, key, message, sandbox, send, store, upkeep, usage }
})

/** The age of all bytes by the store's clock, and the size of one page of its listing. */
const bytes = { ageMs: 0, page: 1000 }

const aged = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const store = yield* BlobStore
    const clock = yield* Clock.Clock
    return BlobStore.of({
      ...store,
      list: (after, limit) =>
        Effect.map(store.list(after, Math.min(limit, bytes.page)), (found) =>
          found.map(({ key }) => ({ key, stored_at: clock.currentTimeMillisUnsafe() - bytes.ageMs }))
        )
    })
  })
).pipe(Layer.provide(testBlobs))

const text = { type: "text", text: { body: "oi" } }
const rowOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly status: string; readonly blob_key: string | null }>`select status, blob_key
    from media_assets where id = ${id}`)[0]
}, Effect.orDie)

it.layer(WholeProduct({ sweeps: false, blobs: aged }), { excludeTestServices: true })("The life of a file", (it) => {
  it.effect(
    'ends by itself: uploads after 15 minutes, unused assets after a day, library assets never gaps-2 F "Media status transitions" M-MED-05 M-MED-07 M-MED-09',
    () =>
      Effect.gen(function* () {
        const { api, asset, kept, key, upkeep, usage } = yield* stage("expiry")
        const session = (yield* api.post("/v1/media/uploads", announce(files.pdf, "application/pdf"), { key })).body
        yield* api.call("PUT", pathOfUrl(session.upload_url), files.pdf, { headers: session.upload_headers })
        const single = yield* upload(key, files.png, "image/png")
        const library = yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })
        assert.deepStrictEqual(
          [session.expires_at, single.expires_at, library.expires_at].map((at) => at && Date.parse(at) % day),
          [15 * minute, 0, null].map((at) => at && (at + Date.parse(single.created_at)) % day)
        )
        const sizes = [files.pdf, files.png, files.ogg].map(({ length }) => length) as [number, number, number]
        const [pdf, png, ogg] = sizes
        yield* turnBy(15 * minute - 1)
        yield* upkeep
        assert.strictEqual(yield* usage, pdf + png + ogg)
        assert.strictEqual((yield* asset(session.id)).status, "expired")
        yield* upkeep
        assert.deepStrictEqual([yield* usage, (yield* kept).length], [png + ogg, 2])
        assert.strictEqual((yield* rowOf(session.id))?.status, "expired")
        yield* turnBy(day - 15 * minute - 2)
        yield* upkeep
        assert.strictEqual((yield* rowOf(single.id))?.status, "ready")
        yield* turnBy(1)
        assert.deepStrictEqual(
          [(yield* asset(single.id)).status, (yield* asset(single.id)).download],
          ["expired", null]
        )
        yield* upkeep
        assert.deepStrictEqual([yield* usage, (yield* kept).length], [ogg, 1])
        assert.strictEqual((yield* asset(library.id)).status, "ready")
      })
  )

  it.effect('of a sent asset ends after 30 days gaps-2 F "Media status transitions" M-MED-07', () =>
    Effect.gen(function* () {
      const { asset, hear, kept, key, send, upkeep, usage } = yield* stage("consumed")
      yield* hear(customer, text)
      const { id } = yield* upload(key, files.png, "image/png")
      yield* send(customer, { kind: "image", asset_id: id })
      yield* turnBy(3000)
      const { consumed_at, expires_at, status } = yield* asset(id)
      assert.deepStrictEqual([status, Date.parse(expires_at) - Date.parse(consumed_at)], ["consumed", 30 * day])
      // The row is moved back by a month.
      const sql = yield* SqlClient.SqlClient
      const left = (millis: number) => sql`update media_assets set ends_at = ${new Date(millis)} where id = ${id}`
      yield* left((yield* Clock.currentTimeMillis) + 2)
      yield* upkeep
      assert.deepStrictEqual([(yield* rowOf(id))?.status, yield* usage], ["consumed", files.png.length])
      yield* turnBy(1)
      yield* upkeep
      assert.deepStrictEqual([(yield* asset(id)).status, yield* usage, yield* kept], ["expired", 0, []])
    })
  )

  it.effect("ends for bytes that no asset names once they are a day old, and for no others M-MED-30", () =>
    Effect.gen(function* () {
      const { asset, kept, key, sandbox, store, upkeep } = yield* stage("orphans")
      const { id } = yield* upload(key, files.png, "image/png", { lifecycle: "library" })
      const orphan = `${sandbox.id}/mda_orphan/1`
      yield* Effect.orDie(store.put(orphan, Stream.make(files.png)))
      bytes.ageMs = day
      yield* upkeep
      assert.lengthOf(yield* kept, 2)
      bytes.ageMs = day + 1
      // An environment that was swept today is swept again tomorrow.
      yield* upkeep
      assert.deepStrictEqual(yield* kept, [(yield* rowOf(id))?.blob_key])
      assert.strictEqual((yield* asset(id)).status, "ready")
    })
  )

  it.effect("of bytes that no row names ends on every page of the store's listing, whatever a page holds", () =>
    Effect.gen(function* () {
      const { kept, key, sandbox, store, upkeep } = yield* stage("pages")
      const named = [yield* upload(key, files.png, "image/png"), yield* upload(key, files.png, "image/png")]
      for (let n = 0; n < 7; n++) {
        yield* Effect.orDie(store.put(`${sandbox.id}/mda_orphan${n}/1`, Stream.make(files.png)))
      }
      assert.lengthOf(yield* kept, 9)
      bytes.ageMs = day + 1
      bytes.page = 2
      yield* upkeep
      bytes.page = 1000
      const rows = yield* Effect.forEach(named, ({ id }) => rowOf(id))
      assert.sameMembers([...(yield* kept)], rows.map((row) => row?.blob_key) as Array<string>)
    })
  )

  it.effect('of an erased customer ends, and files of other customers stay gaps-2 I "Erasure" M-EVT-06 M-MED-30', () =>
    Effect.gen(function* () {
      const { api, asset, hear, kept, key, message, send, upkeep, usage } = yield* stage("erasure")
      const image = { type: "media", media: { kind: "image", filename: "maria.png" } }
      const mine = yield* hear(customer, image)
      const theirs = yield* hear(stranger, image)
      const sent = yield* upload(key, files.png, "image/png", { filename: "conta-maria.png" })
      const unsent = yield* upload(key, files.png, "image/png")
      yield* send(customer, { kind: "image", asset_id: sent.id })
      yield* turnBy(3000)
      const own = (yield* message(mine.id)).media
      const other = (yield* message(theirs.id)).media
      const before = yield* usage
      const [contact] = (yield* api.get(`/v1/contacts?phone=${encodeURIComponent(customer)}`, { key })).body.data
      assert.strictEqual((yield* api.delete(`/v1/contacts/${contact.id}`, { key })).status, 200)
      yield* erasureJob.run
      yield* upkeep
      for (const id of [own.asset_id, sent.id]) {
        const { download, filename, status } = yield* asset(id)
        assert.deepStrictEqual([status, filename, download], ["deleted", null, null])
        assert.isNull((yield* rowOf(id))?.blob_key)
      }
      assert.strictEqual(yield* usage, before - own.byte_length - files.png.length)
      const left = [(yield* rowOf(other.asset_id))?.blob_key, (yield* rowOf(unsent.id))?.blob_key]
      assert.sameMembers([...(yield* kept)], left as Array<string>)
      assert.deepStrictEqual([(yield* message(theirs.id)).media.filename], ["maria.png"])
      assert.isFalse(JSON.stringify(yield* message(mine.id)).includes("maria.png"))
    })
  )
})
