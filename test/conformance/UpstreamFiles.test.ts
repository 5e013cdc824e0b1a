import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { http } from "../../packages/outbound/test/Servers.ts"
import { overSockets } from "../support/Vendors.ts"

/** A platform whose one file lies wherever a test says, and another server that counts who comes. */
const stage = Effect.gen(function* () {
  const asked: Array<string | undefined> = []
  const other = yield* http((request, response) => {
    asked.push(request.headers.authorization)
    response.end("inner")
  })
  let url = ""
  let more: object = {}
  const platform = yield* http((request, response) => {
    if (request.url === "/file") response.end("bytes")
    else response.end(JSON.stringify({ url, mime_type: "image/png", sha256: null, file_size: 5, ...more }))
  })
  const origin = `http://127.0.0.1:${platform.port}`
  const { media } = yield* overSockets(
    makeUpstream({ url: operatorUrl(origin), version: "v23.0", messagingProduct: "whatsapp" })
  )
  const files = media({ upstream_phone_number_id: "1", token: Redacted.make("tenant-token") })
  /** The bytes of the file, or why there are none. */
  const read = Effect.fnUntraced(function* (at: string, others: object = {}) {
    url = at
    more = others
    const found = yield* files.find("media_1")
    if (found._tag !== "Done") return found._tag
    const opened = yield* found.value.open
    if (opened._tag !== "Done") return opened._tag
    return Buffer.concat([...(yield* Stream.runCollect(opened.value))]).toString()
  })
  return { asked, origin, other: `http://127.0.0.1:${other.port}`, read }
})

it.live("a file is fetched from the platform's own host, and from no private address that an answer names", () =>
  Effect.gen(function* () {
    const { asked, origin, other, read } = yield* stage
    assert.strictEqual(yield* read(`${origin}/file`), "bytes")
    for (const url of [
      `${other}/latest/meta-data`,
      other.replace("http:", "https:"),
      other.replace("127.0.0.1", "[::1]"),
      "https://169.254.169.254/",
      "http://files.example.com/",
      "file:///etc/passwd"
    ]) {
      assert.strictEqual(yield* read(url), "Failed", url)
    }
    assert.deepStrictEqual(asked, [])
  }).pipe(Effect.scoped)
)

it.live("a file of another id, or one shorter or longer than announced, is not kept", () =>
  Effect.gen(function* () {
    const { origin, read } = yield* stage
    const at = `${origin}/file`
    assert.strictEqual(yield* read(at, { id: "media_1" }), "bytes")
    assert.strictEqual(yield* read(at, { id: "media_2" }), "Failed")
    for (const file_size of [4, 6]) assert.strictEqual((yield* Effect.exit(read(at, { file_size })))._tag, "Failure")
  }).pipe(Effect.scoped)
)
