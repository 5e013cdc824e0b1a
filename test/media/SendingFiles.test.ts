import type { AcceptItem } from "@carteiro/runtime/messages/accept/AcceptItem.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { accept, hear, stored } from "../messages/Sending.ts"
import { coverNumber } from "../messages/Templates.ts"
import { seedTemplates } from "../messages/TypedSending.ts"
import { seedNumber, seedSender, type TestNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { files } from "./Files.ts"
import { assetRow, blobKeys, fresh, Production, seedAsset, wakeMedia } from "./Production.ts"

let heard = 0
/** The size of the largest permitted file, in bytes. */
const longest = 104_857_600

/** A production number to which a customer wrote, and unused surroundings. */
const stage = Effect.gen(function* () {
  const world = yield* fresh
  const number = yield* seedSender("production")
  yield* coverNumber(number)
  yield* hear(number, { provider: "upstream", provider_message_id: `wamid.in.${++heard}` })
  return { number, world }
})

/** A send of a file as the edge makes it. */
const media = (number: TestNumber, more: object): Partial<AcceptItem> => {
  const { kind = "image", voice, ...source } = more as { readonly kind?: "image"; readonly voice?: boolean }
  return {
    type: "media",
    content: jsonText({ type: "media", media: { kind, ...more } }),
    file: {
      source: source as { readonly link: string },
      kind,
      voice: voice === true,
      filename: null,
      channel: "chatapp",
      business_id: number.id
    }
  }
}

/** A marketing message whose header has a file. */
const promo = (number: TestNumber, source: { readonly link: string } | { readonly asset_id: string }) => ({
  type: "template" as const,
  content: jsonText({
    type: "template",
    template: {
      name: "promo",
      language: "pt_BR",
      variables: { first_name: "Ana" },
      header_media: { kind: "image", ...source }
    }
  }),
  names: { _tag: "Template" as const, name: "promo", language: "pt_BR" },
  file: {
    source,
    kind: "image" as const,
    voice: false,
    filename: null,
    channel: "chatapp" as const,
    business_id: number.id
  }
})

/** Gives the number's environment a marketing template whose header is an image. */
const seedPromo = Effect.fnUntraced(function* (number: TestNumber) {
  const sql = yield* SqlClient.SqlClient
  yield* seedTemplates({ id: number.environment_id, kind: number.kind })
  const [row] = yield* sql<{ readonly components: string }>`select v.components from template_versions v
    join templates t on t.environment_id = v.environment_id and t.id = v.template_id
    where t.environment_id = ${number.environment_id} and t.name = 'promo'`
  const components = [{ type: "HEADER", format: "IMAGE" }, ...JSON.parse(row?.components ?? "[]")]
  yield* sql`update template_versions v set components = ${JSON.stringify(components)}
    from templates t where t.environment_id = ${number.environment_id} and t.name = 'promo'
      and v.environment_id = t.environment_id and v.template_id = t.id`
}, Effect.orDie)

const end = (id: string) => Effect.map(stored(id), ({ error_code, status }) => [status, error_code])

it.layer(Production, { excludeTestServices: true })("Files of production messages", (it) => {
  it.effect("an asset is given to the provider, whose id the message names M-MED-37", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const asset = yield* seedAsset(number, files.png)
      const { id } = yield* accept(number, media(number, { asset_id: asset.id }))
      yield* turnBy(1000)
      assert.deepStrictEqual(yield* end(id), ["sent", null])
      assert.deepStrictEqual(world.uploads, [
        { mime_type: "image/png", filename: "a.png", byte_length: files.png.length, bytes: files.png }
      ])
      const { content } = world.sends[0] ?? {}
      assert.deepStrictEqual(content?.type === "media" ? content.file : content, {
        _tag: "Handle",
        filename: "a.png",
        id: "media.1"
      })
      assert.strictEqual((yield* assetRow(asset.id))?.status, "consumed")
    })
  )

  it.effect(
    "a library file is uploaded to the provider once for each number, while the provider keeps it M-MED-37",
    () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        const asset = yield* seedAsset(number, files.png)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update media_assets set lifecycle = 'library', ends_at = null where id = ${asset.id}`
        const sentWith = Effect.fnUntraced(function* (from: TestNumber) {
          const { id } = yield* accept(from, media(from, { asset_id: asset.id }))
          yield* turnBy(1000)
          assert.deepStrictEqual(yield* end(id), ["sent", null])
          const content = world.sends.at(-1)?.content
          return content?.type === "media" && content.file._tag === "Handle" ? content.file.id : undefined
        })
        const known = new Map<string, string | null>([["media.1", asset.sha256]])
        world.find = (id) => {
          const sha256 = known.get(id)
          return Effect.succeed(
            sha256 === undefined
              ? { _tag: "Refused", code: "upstream_rejected", error: null }
              : {
                  _tag: "Done",
                  value: { mime_type: "image/png", sha256, byte_length: 1, open: Effect.die("nobody reads it") }
                }
          )
        }
        assert.strictEqual(yield* sentWith(number), "media.1")
        assert.strictEqual(yield* sentWith(number), "media.1")
        assert.strictEqual(world.uploads.length, 1)

        const another = yield* seedNumber({ id: number.environment_id, kind: "production" })
        yield* sql`update phone_numbers t set biz_account_id = f.biz_account_id, upstream_phone_number_id = 'another'
        from phone_numbers f where t.id = ${another.id} and f.id = ${number.id}`
        yield* hear(another, { provider: "upstream", provider_message_id: `wamid.in.${++heard}` })
        assert.strictEqual(yield* sentWith(another), "media.2")

        // The number has another account by now, or that account has another file under the id.
        known.set("media.1", "0".repeat(64))
        assert.strictEqual(yield* sentWith(number), "media.3")
        known.set("media.3", null)
        assert.strictEqual(yield* sentWith(number), "media.3")
        yield* sql`update media_handles set given_at = given_at - interval '25 days'`
        assert.strictEqual(yield* sentWith(number), "media.4")
        assert.strictEqual(world.uploads.length, 4)
      })
  )

  it.effect(
    "a link is fetched within 30 seconds and 3 redirects, uploaded to the provider and never kept M-DLV-09 M-LIM-04",
    () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        world.answer = (_request, response) =>
          void response.writeHead(200, { "content-type": "image/png; charset=binary" }).end(files.png)
        const { id } = yield* accept(number, media(number, { link: world.linkTo("/a.png") }))
        yield* turnBy(1000)
        assert.deepStrictEqual(yield* end(id), ["sent", null])
        assert.deepStrictEqual(world.limits, [[30_000, 3]])
        assert.deepStrictEqual(world.uploads, [
          { mime_type: "image/png", filename: null, byte_length: files.png.length, bytes: files.png }
        ])
        assert.deepStrictEqual(
          (yield* blobKeys).filter((key) => key.startsWith(number.environment_id)),
          []
        )
      })
  )

  it.effect(
    "a link that fails permanently fails the message at once, and the provider is never contacted M-DLV-08 M-DLV-11",
    () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        const answers: Record<string, readonly [number, Record<string, string | number>, Uint8Array | string]> = {
          "/gone": [404, {}, "no"],
          "/moved": [302, {}, ""],
          "/inner": [302, { location: "http://inner.example.com/x" }, ""],
          "/literal": [302, { location: "http://169.254.169.254/latest/meta-data" }, ""],
          "/file": [302, { location: "file:///etc/passwd" }, ""],
          "/empty": [200, { "content-type": "image/png" }, ""],
          "/text": [200, { "content-type": "text/html" }, "<html>"],
          "/lie": [200, { "content-type": "image/png" }, files.jpeg],
          "/image": [200, { "content-type": "image/png" }, Buffer.concat([files.png, Buffer.alloc(5_242_881)])],
          "/huge": [200, { "content-type": "image/png", "content-length": 104_857_601 }, files.png]
        }
        world.answer = ({ url }, response) => {
          const [status, headers, body] = answers[url ?? ""] ?? [500, {}, ""]
          response.writeHead(status, headers)
          if (url === "/huge") response.write(body)
          else response.end(body)
        }
        const codes: ReadonlyArray<readonly [string, string]> = [
          ["/gone", "media_link_fetch_failed"],
          ["/moved", "media_link_fetch_failed"],
          ["/inner", "media_link_fetch_failed"],
          ["/literal", "media_link_fetch_failed"],
          ["/file", "media_link_fetch_failed"],
          ["/empty", "media_link_fetch_failed"],
          ["/text", "invalid_media_mime_type"],
          ["/lie", "invalid_media_mime_type"],
          ["/image", "media_too_large"],
          ["/huge", "media_too_large"]
        ]
        for (const [path, code] of codes) {
          const { id } = yield* accept(number, media(number, { link: world.linkTo(path) }))
          yield* turnBy(900)
          assert.deepStrictEqual(yield* end(id), ["failed", code], path)
        }
        const inner = yield* accept(number, media(number, { link: "http://inner.example.com/a.png" }))
        const literal = yield* accept(number, media(number, { link: "http://[::1]/a.png" }))
        yield* turnBy(900)
        for (const { id } of [inner, literal]) {
          assert.deepStrictEqual(yield* end(id), ["failed", "media_link_fetch_failed"])
        }
        assert.deepStrictEqual(
          world.requests,
          codes.map(([path]) => path)
        )
        assert.deepStrictEqual([world.uploads.length, world.sends.length], [0, 0])
        assert.deepStrictEqual(
          (yield* blobKeys).filter((key) => key.startsWith(number.environment_id)),
          []
        )
      })
  )

  for (const [kind, mime_type, most] of [
    ["image", "image/png", 5_242_880],
    ["sticker", "image/webp", 512_000],
    ["audio", "audio/ogg", 16_777_216]
  ] as const) {
    it.effect(`a link to ${kind} that never ends is read up to the limit of its kind M-DLV-08 M-LIM-04`, () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        let written = 0
        world.answer = (_request, response) => {
          response.writeHead(200, { "content-type": mime_type })
          const piece = Buffer.alloc(65_536)
          const more = () => {
            if (response.destroyed || written > 2 * longest) return
            written += piece.length
            response.write(piece, more)
          }
          more()
        }
        const { id } = yield* accept(number, media(number, { kind, link: world.linkTo("/endless") }))
        yield* turnBy(900)
        assert.deepStrictEqual(yield* end(id), ["failed", "media_too_large"])
        // Beyond the limit only the buffers of both ends were filled.
        assert.isBelow(written, most + 16 * 1_048_576)
      })
    )
  }

  it.effect("three redirects are followed and a fourth is not M-LIM-04 M-DLV-08", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      world.answer = ({ url = "" }, response) => {
        const left = Number(url.slice(1))
        if (left > 0) response.writeHead(307, { location: `/${left - 1}#page` }).end()
        else response.writeHead(200, { "content-type": "image/png" }).end(files.png)
      }
      const three = yield* accept(number, media(number, { link: world.linkTo("/3") }))
      yield* turnBy(900)
      assert.deepStrictEqual(yield* end(three.id), ["sent", null])
      const four = yield* accept(number, media(number, { link: world.linkTo("/4") }))
      yield* turnBy(900)
      assert.deepStrictEqual(yield* end(four.id), ["failed", "media_link_fetch_failed"])
      assert.deepStrictEqual(world.requests, ["/3", "/2", "/1", "/0", "/4", "/3", "/2", "/1"])
    })
  )

  it.effect("a temporary failure is retried three times, after 1, 5 and 15 seconds M-DLV-10", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const ways: Array<string> = ["503", "429", "cut", "reset"]
      world.answer = (_request, response) => {
        const way = ways.shift()
        if (way === "reset") return void response.socket?.destroy()
        if (way !== "cut")
          return void response.writeHead(Number(way ?? 200), { "content-type": "image/png" }).end(files.png)
        response.writeHead(200, { "content-type": "image/png", "content-length": files.png.length })
        response.write(files.png.subarray(0, 20), () => response.socket?.destroy())
      }
      const lost = yield* accept(number, media(number, { link: world.linkTo("/lost") }))
      const tried = Effect.sync(() => world.requests.length)
      yield* turnBy(999)
      assert.strictEqual(yield* tried, 1)
      yield* turnBy(1)
      assert.strictEqual(yield* tried, 2)
      yield* turnBy(5000)
      assert.strictEqual(yield* tried, 3)
      yield* turnBy(14_999)
      assert.strictEqual(yield* tried, 3)
      assert.deepStrictEqual(yield* end(lost.id), ["queued", null])
      yield* turnBy(16_000)
      assert.deepStrictEqual(yield* end(lost.id), ["failed", "media_link_fetch_failed"])
      assert.deepStrictEqual([world.requests.length, world.uploads.length, world.sends.length], [4, 0, 0])
      ways.push("502")
      const kept = yield* accept(number, media(number, { link: world.linkTo("/kept") }))
      yield* turnBy(20_000)
      assert.deepStrictEqual(yield* end(kept.id), ["sent", null])
    })
  )

  it.effect("an asset's state at dispatch determines its message's code M-DLV-07 M-DLV-11 M-DLV-24", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const states: ReadonlyArray<readonly [string, string]> = [
        ["pending", "media_asset_not_ready"],
        ["failed", "media_asset_not_ready"],
        ["expired", "media_asset_expired"],
        ["consumed", "media_asset_expired"],
        ["deleted", "media_asset_not_found"]
      ]
      const ids: Array<readonly [string, string, string]> = []
      for (const [status, code] of states) {
        const asset = yield* seedAsset(number, files.png)
        yield* sql`update media_assets set status = ${status} where id = ${asset.id}`
        ids.push([(yield* accept(number, media(number, { asset_id: asset.id }))).id, code, status])
      }
      const late = yield* seedAsset(number, files.png)
      yield* sql`update media_assets set ends_at = created_at where id = ${late.id}`
      ids.push([(yield* accept(number, media(number, { asset_id: late.id }))).id, "media_asset_expired", "late"])
      const other = yield* seedAsset(yield* seedSender("production"), files.png)
      ids.push([(yield* accept(number, media(number, { asset_id: other.id }))).id, "media_asset_not_found", "foreign"])
      const image = yield* seedAsset(number, files.png)
      const audio = media(number, { kind: "audio", asset_id: image.id })
      ids.push([(yield* accept(number, audio)).id, "invalid_media_mime_type", "kind"])
      yield* turnBy(3000)
      for (const [id, code, about] of ids) assert.deepStrictEqual(yield* end(id), ["failed", code], about)
      assert.deepStrictEqual([world.uploads.length, world.sends.length], [0, 0])
    })
  )

  it.effect("bytes that changed in the store after completion are not sent M-DLV-12", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const asset = yield* seedAsset(number, files.png)
      const other = Buffer.from(files.png)
      other[40] = 0
      yield* world.store.remove(asset.blob_key)
      yield* world.store.put(asset.blob_key, Stream.make(other))
      const { id } = yield* accept(number, media(number, { asset_id: asset.id }))
      yield* turnBy(1000)
      assert.deepStrictEqual(yield* end(id), ["failed", "media_content_changed"])
      assert.deepStrictEqual([world.uploads.length, world.sends.length], [0, 0])
    })
  )

  it.effect("missing bytes are read again before the message fails M-DLV-07", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const asset = yield* seedAsset(number, files.png)
      yield* world.store.remove(asset.blob_key)
      const { id } = yield* accept(number, media(number, { asset_id: asset.id }))
      yield* turnBy(20_000)
      assert.deepStrictEqual(yield* end(id), ["queued", null])
      yield* turnBy(20_000)
      assert.deepStrictEqual(yield* end(id), ["failed", "media_asset_resolution_failed"])
      assert.strictEqual(world.sends.length, 0)
    })
  )

  it.effect("a refused file shows the platform's number and what voice notes must be U-SND-10", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      const asset = yield* seedAsset(number, files.ogg, { kind: "audio", mime_type: "audio/ogg", filename: "voz.ogg" })
      const error = {
        provider: "upstream",
        code: 131053,
        subcode: null,
        title: "Media upload error",
        message: null,
        http_status: 400
      }
      world.refusals.push({ code: "upstream_media_download_failed", error })
      const { id } = yield* accept(number, media(number, { kind: "audio", voice: true, asset_id: asset.id }))
      yield* turnBy(1000)
      const row = yield* stored(id)
      assert.deepStrictEqual(
        [row.status, row.error_code, row.error_message],
        [
          "failed",
          "upstream_media_download_failed",
          "The upstream platform could not fetch the file. The platform's error is 131053. Sound in Ogg, as in voice notes, must be Opus."
        ]
      )
      assert.strictEqual(JSON.parse(String(row.provider_error)).code, 131053)
    })
  )

  it.effect(
    "a provider that refuses a file fails its message, and a provider that fails is called again M-DLV-20 M-DLV-07",
    () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        const asset = yield* seedAsset(number, files.png)
        world.refusals.push({ code: "upstream_media_download_failed" })
        const refused = yield* accept(number, media(number, { asset_id: asset.id }))
        yield* turnBy(1000)
        assert.deepStrictEqual(yield* end(refused.id), ["failed", "upstream_media_download_failed"])
        // Another message may use the asset of a message that was not sent.
        assert.deepStrictEqual(
          [(yield* assetRow(asset.id))?.status, (yield* assetRow(asset.id))?.held_by],
          ["ready", null]
        )
        world.refusals.push("Failed", "Failed", "Failed")
        const later = yield* accept(number, media(number, { asset_id: asset.id }))
        yield* turnBy(40_000)
        assert.deepStrictEqual([...(yield* end(later.id)), world.uploads.length], ["sent", null, 1])
        const again = yield* seedAsset(number, files.png)
        world.refusals.push("Failed", "Failed", "Failed", "Failed")
        const never = yield* accept(number, media(number, { asset_id: again.id }))
        yield* turnBy(40_000)
        assert.deepStrictEqual(yield* end(never.id), ["failed", "media_asset_resolution_failed"])
      })
  )

  it.effect("a link is read up to the limit of its kind before a marketing send is decided M-GRD-23", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      yield* seedPromo(number)
      world.answer = (_request, response) => {
        response.writeHead(200, { "content-type": "image/png", "content-length": 5_242_881 })
        response.write(files.png)
      }
      const send = promo(number, { link: world.linkTo("/large.png") })
      assert.strictEqual((yield* Effect.flip(accept(number, send)))._tag, "recipient_cadence_policy_unavailable")
      yield* wakeMedia(number.environment_id)
      const sql = yield* SqlClient.SqlClient
      const looks = yield* sql<{ readonly result: string }>`select result from media_jobs
        where environment_id = ${number.environment_id} and kind = 'look'`
      assert.deepStrictEqual(
        looks.map(({ result }) => result),
        ['{"sha256":null}']
      )
    })
  )

  it.effect(
    "a marketing message is not sent when its link holds other bytes than those that were checked M-DLV-12 M-GRD-23",
    () =>
      Effect.gen(function* () {
        const { number, world } = yield* stage
        yield* seedPromo(number)
        let bytes: Uint8Array = files.png
        world.answer = (_request, response) => void response.writeHead(200, { "content-type": "image/png" }).end(bytes)
        const send = promo(number, { link: world.linkTo("/promo.png") })
        const unknown = yield* Effect.flip(accept(number, send))
        assert.strictEqual(unknown._tag, "recipient_cadence_policy_unavailable")
        yield* wakeMedia(number.environment_id)
        const first = yield* accept(number, { ...send, customer_key: "5511911111111" })
        yield* turnBy(2000)
        assert.deepStrictEqual(yield* end(first.id), ["sent", null])
        bytes = Buffer.concat([files.png, Buffer.from([0])])
        const second = yield* accept(number, { ...send, customer_key: "5511922222222" })
        yield* turnBy(2000)
        assert.deepStrictEqual(yield* end(second.id), ["failed", "media_content_changed"])
        assert.deepStrictEqual([world.uploads.length, world.sends.length], [1, 1])
      })
  )

  it.effect("the header link of a batch is fetched and uploaded once for all its recipients U-SND-07", () =>
    Effect.gen(function* () {
      const { number, world } = yield* stage
      yield* seedPromo(number)
      let fetched = 0
      world.answer = (_request, response) => {
        fetched++
        response.writeHead(200, { "content-type": "image/png" }).end(files.png)
      }
      const send = promo(number, { link: world.linkTo("/header.png") })
      // The first look at the link, for the marketing guards.
      yield* Effect.flip(accept(number, send))
      yield* wakeMedia(number.environment_id)
      assert.strictEqual(fetched, 1)
      const made = yield* Effect.forEach(["5511911110001", "5511911110002", "5511911110003"], (customer_key) =>
        accept(number, { ...send, batch_id: "bat_once", customer_key })
      )
      yield* turnBy(5000)
      for (const { id } of made) assert.deepStrictEqual(yield* end(id), ["sent", null])
      assert.deepStrictEqual([fetched, world.uploads.length, world.sends.length], [2, 1, 3])
    })
  )
})
