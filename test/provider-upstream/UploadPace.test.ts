import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { afterEach, assert, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { vi } from "vitest"
import { http } from "../../packages/outbound/test/Servers.ts"
import { overSockets } from "../support/Vendors.ts"

const second = 1000
const mebibyte = 1_048_576

afterEach(() => void vi.useRealTimers())

/** A platform that answers an upload once the whole body has come, and counts what came. */
const stage = Effect.gen(function* () {
  const seen = { bytes: 0, types: [] as Array<string> }
  const platform = yield* http((request, response) => {
    request.on("data", (chunk: Buffer) => {
      seen.bytes += chunk.length
      for (const [, type = ""] of chunk.toString("latin1").matchAll(/Content-Type: (.+)\r\n/g)) seen.types.push(type)
    })
    request.on("end", () => response.end(JSON.stringify({ id: "media_1" })))
    request.on("error", () => {})
  })
  const { media } = yield* overSockets(
    makeUpstream({
      url: operatorUrl(`http://127.0.0.1:${platform.port}`),
      version: "v23.0",
      messagingProduct: "whatsapp"
    })
  )
  const files = media({ upstream_phone_number_id: "1", token: Redacted.make("tenant-token") })
  const upload = (bytes: Stream.Stream<Uint8Array>, byte_length: number, mime_type = "application/pdf") =>
    files.upload({ _tag: "Bytes", mime_type, filename: "a.pdf", byte_length, open: Effect.succeed(bytes) })
  return { seen, upload }
})

/** Pieces of a mebibyte; the turned clock passes so many seconds before each but the first. */
const pieces = (count: number, seconds: number) =>
  Stream.fromAsyncIterable(
    (async function* () {
      for (let piece = 0; piece < count; piece++) {
        if (piece > 0) vi.advanceTimersByTime(seconds * second)
        yield Buffer.alloc(mebibyte)
      }
    })(),
    (error) => error
  ).pipe(Stream.orDie)

const turned = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })

it.live("an upload is not cut while its bytes move, however long it takes U-SND-08", () =>
  Effect.gen(function* () {
    const { seen, upload } = yield* stage
    // The connection is there before the clock turns.
    yield* upload(Stream.make(Buffer.alloc(4)), 4)
    turned()
    const answer = yield* upload(pieces(8, 15), 8 * mebibyte)
    assert.strictEqual(answer._tag, "Done")
    assert.isAbove(seen.bytes, 8 * mebibyte)
  }).pipe(Effect.scoped)
)

it.live("an upload that stands still for twenty seconds is cut U-SND-08", () =>
  Effect.gen(function* () {
    const { upload } = yield* stage
    yield* upload(Stream.make(Buffer.alloc(4)), 4)
    turned()
    assert.strictEqual((yield* upload(pieces(3, 21), 3 * mebibyte))._tag, "Failed")
  }).pipe(Effect.scoped)
)

it.live("an upload that moves for ever is cut by a bound on its length U-SND-08", () =>
  Effect.gen(function* () {
    const { upload } = yield* stage
    yield* upload(Stream.make(Buffer.alloc(4)), 4)
    turned()
    // Three mebibytes have 35 seconds and 49 more.
    assert.strictEqual((yield* upload(pieces(10, 15), 3 * mebibyte))._tag, "Failed")
  }).pipe(Effect.scoped)
)

it.live("a table of text goes to the platform as text, which is the name that it takes U-SND-02", () =>
  Effect.gen(function* () {
    const { seen, upload } = yield* stage
    yield* upload(Stream.make(Buffer.from("a;b\n")), 4, "text/csv")
    assert.deepStrictEqual(seen.types, ["text/plain"])
  }).pipe(Effect.scoped)
)
