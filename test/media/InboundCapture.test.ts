import { Ids } from "@carteiro/owners/Ids.ts"
import type { MediaProvider } from "@carteiro/provider/MediaProvider.ts"
import { lateRetryAt } from "@carteiro/runtime/media/job/MediaJob.ts"
import type { MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { announced, hear } from "../messages/Sending.ts"
import { seedSender } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { files } from "./Files.ts"
import { assetRow, blobKeys, fresh, Production, wakeMedia } from "./Production.ts"

let count = 0

/** A customer sends an image, which the provider has under the id `in.1`. */
const stage = Effect.gen(function* () {
  const world = yield* fresh
  const asked: Array<string> = []
  const answers: Array<MediaProvider["find"]> = []
  world.find = (id) => {
    asked.push(id)
    return (answers.shift() ?? failing)(id)
  }
  const number = yield* seedSender("production")
  const asset_id = (yield* Ids).mint("mda", yield* Clock.currentTimeMillis)
  const media = {
    asset_id,
    provider_media_id: "in.1",
    kind: "image",
    mime_type: "image/jpeg",
    byte_length: null,
    filename: null,
    status: "pending",
    failure: null,
    download: null
  } as const
  const send = (more: Partial<MediaDescriptor> = {}) =>
    hear(number, {
      type: "media",
      content: jsonText({ type: "media", media: { ...media, ...more } }),
      provider: "upstream",
      provider_message_id: `wamid.media.${++count}`
    })
  /** The owner may have left memory meanwhile; the sweeper wakes it. */
  const look = wakeMedia(number.environment_id)
  const kept = Effect.map(blobKeys, (keys) => keys.filter((key) => key.startsWith(number.environment_id)))
  /** Returns the file in the event of a message. */
  const told = (id: string) =>
    Effect.map(announced(id), (events) =>
      events.map(({ data, type }) => {
        const { content } = data as { readonly content: { readonly media: Record<string, unknown> } }
        return [type, content.media.status, (content.media.failure as { code: string } | null)?.code]
      })
    )
  return { answers, asked, asset_id, kept, look, number, send, told }
})

const failing: MediaProvider["find"] = () => Effect.succeed({ _tag: "Failed", error: null })

/** A file as the provider describes it, and its bytes. */
const found =
  (bytes: Stream.Stream<Uint8Array, unknown>, more: object = {}): MediaProvider["find"] =>
  () =>
    Effect.succeed({
      _tag: "Done",
      value: {
        mime_type: "image/png",
        sha256: null,
        byte_length: files.png.length,
        open: Effect.succeed({ _tag: "Done", value: bytes }),
        ...more
      }
    })

const whole = Stream.make(files.png)

it.layer(Production, { excludeTestServices: true })("Files that customers send", (it) => {
  it.effect(
    'are fetched at 0, 5, 15, 60 and 300 seconds, and the event of their message follows the last attempt M-MED-34 M-MED-35 M-MED-36 M-INB-19 M-INB-20 gaps-2 E "Inbound media retries"',
    () =>
      Effect.gen(function* () {
        const { asked, asset_id, kept, look, send, told } = yield* stage
        const { id } = yield* send()
        yield* turnBy(0)
        let tries = 1
        for (const delay of [5000, 15_000, 60_000, 300_000]) {
          assert.deepStrictEqual(
            [asked.length, (yield* assetRow(asset_id))?.status, yield* told(id)],
            [tries, "pending", []]
          )
          yield* turnBy(delay - 1)
          yield* look
          assert.lengthOf(asked, tries++)
          yield* turnBy(1)
          yield* look
        }
        assert.lengthOf(asked, 5)
        const code = "inbound_media_download_failed"
        const asset = yield* assetRow(asset_id)
        assert.deepStrictEqual([asset?.status, asset?.failure_code, asset?.blob_key], ["failed", code, null])
        assert.deepStrictEqual(yield* told(id), [["message.received", "failed", code]])
        yield* turnBy(3_600_000)
        yield* look
        assert.deepStrictEqual([(yield* told(id)).length, yield* kept], [1, []])
      })
  )

  it.effect("that fail at first are tried for seven days, and a late success is told U-MED-01 U-MED-02", () =>
    Effect.gen(function* () {
      const { answers, asked, asset_id, look, send } = yield* stage
      const { id } = yield* send({ caption: "pedido 123" })
      for (const delay of [0, 5000, 15_000, 60_000, 300_000]) {
        yield* turnBy(delay)
        yield* look
      }
      assert.deepStrictEqual([asked.length, (yield* assetRow(asset_id))?.status], [5, "failed"])
      for (const delay of [600_000, 1_200_000, 2_400_000, 3_600_000, 3_600_000]) {
        const before = asked.length
        yield* turnBy(delay - 1)
        yield* look
        assert.lengthOf(asked, before)
        yield* turnBy(1)
        yield* look
        assert.lengthOf(asked, before + 1)
      }
      answers.push(found(whole))
      yield* turnBy(3_600_000)
      yield* look
      const asset = yield* assetRow(asset_id)
      assert.deepStrictEqual([asset?.status, asset?.failure_code], ["consumed", null])
      const events = yield* announced(id)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["message.received", "message.media_stored"]
      )
      const first = events[0]?.data as { readonly content: { readonly media: Record<string, unknown> } }
      assert.deepStrictEqual([first.content.media.status, first.content.media.caption], ["failed", "pedido 123"])
      const data = events[1]?.data as { readonly message_id: string; readonly media: Record<string, unknown> }
      assert.deepStrictEqual(
        [data.message_id, data.media.asset_id, data.media.status, data.media.failure, data.media.caption],
        [id, asset_id, "consumed", null, "pedido 123"]
      )
      yield* turnBy(8 * 3_600_000)
      yield* look
      assert.lengthOf(asked, 11)
    })
  )

  it.effect("that the provider has no more, or that stay away for seven days, are given up U-MED-02", () =>
    Effect.gen(function* () {
      const refused = (http_status: number, code: number | null, subcode: number | null): MediaProvider["find"] => {
        const error = { provider: "upstream", code, subcode, title: null, message: null, http_status }
        return () => Effect.succeed({ _tag: "Refused", code: "upstream_rejected", error })
      }
      for (const answer of [refused(404, null, null), refused(400, 100, 33)]) {
        const { answers, asked, look, send } = yield* stage
        yield* send()
        for (const delay of [0, 5000, 15_000, 60_000, 300_000]) {
          yield* turnBy(delay)
          yield* look
        }
        answers.push(answer)
        yield* turnBy(600_000)
        yield* look
        assert.lengthOf(asked, 6)
        yield* turnBy(8 * 3_600_000)
        yield* look
        assert.lengthOf(asked, 6)
      }
      assert.isUndefined(lateRetryAt({ attempts: 100, created_at: 0 }, 7 * 24 * 3_600_000))
      assert.strictEqual(lateRetryAt({ attempts: 100, created_at: 0 }, 3_600_000), 7_200_000)
    })
  )

  it.effect(
    "are stored once they arrive complete; broken, changed and unreachable files leave no bytes M-MED-02 M-INB-19 M-INB-21",
    () =>
      Effect.gen(function* () {
        const { answers, asked, asset_id, kept, look, send, told } = yield* stage
        answers.push(
          () => Effect.succeed({ _tag: "Refused", code: "upstream_rejected", error: null }),
          found(Stream.concat(Stream.make(files.png.subarray(0, 9)), Stream.fail("the connection broke"))),
          found(whole, { sha256: "0".repeat(64) }),
          found(whole, { open: Effect.succeed({ _tag: "Failed", error: null }) }),
          found(whole)
        )
        const { id } = yield* send()
        yield* turnBy(380_000 - 1)
        yield* look
        assert.deepStrictEqual([asked.length, yield* told(id), yield* kept], [4, [], []])
        yield* turnBy(1)
        yield* look
        assert.deepStrictEqual(yield* told(id), [["message.received", "consumed", undefined]])
        const asset = yield* assetRow(asset_id)
        // The provider's description of the file takes precedence over the message's announcement.
        assert.deepStrictEqual(
          [asset?.status, asset?.mime_type, asset?.byte_length],
          ["consumed", "image/png", files.png.length]
        )
        assert.deepStrictEqual([asked, yield* kept], [Array(5).fill("in.1"), [asset?.blob_key]])
      })
  )

  it.effect("fail at once when they are larger than the limit or than the free quota M-MED-33 M-MED-34", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const most = 104_857_600
      const cases = [
        [found(whole, { byte_length: most + 1 }), undefined, "inbound_media_download_failed"],
        // The size shows only in the bytes, whatever was declared.
        [found(Stream.make(Buffer.alloc(most), files.png)), undefined, "inbound_media_download_failed"],
        [found(whole, { byte_length: 101 }), 100, "media_storage_quota_exceeded"],
        [found(Stream.make(Buffer.alloc(101)), { byte_length: 1 }), 100, "media_storage_quota_exceeded"]
      ] as const
      for (const [answer, limit, code] of cases) {
        const { answers, asked, kept, number, send, told } = yield* stage
        if (limit !== undefined) {
          yield* sql`insert into media_usage (environment_id, environment, limit_bytes)
            values (${number.environment_id}, 'production', ${limit})`
        }
        answers.push(answer)
        const { id } = yield* send()
        yield* turnBy(0)
        assert.deepStrictEqual(yield* told(id), [["message.received", "failed", code]])
        assert.deepStrictEqual([asked.length, yield* kept], [1, []])
      }
    })
  )
})
