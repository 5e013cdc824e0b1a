import { Ids } from "@carteiro/owners/Ids.ts"
import type { MediaProvider } from "@carteiro/provider/MediaProvider.ts"
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
        assert.deepStrictEqual([asked.length, (yield* told(id)).length, yield* kept], [5, 1, []])
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
