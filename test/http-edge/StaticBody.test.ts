import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { staticBody } from "@carteiro/http-edge/Reply.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { assert, describe, it } from "@effect/vitest"

const text = "a text that stays as it is, é included. ".repeat(100)
const serve = staticBody(text, { "content-type": "text/plain", "cache-control": "no-cache" })
const ask = (headers: Record<string, string>) => serve({ headers } as Partial<RawRequest> as RawRequest)

describe("A body that stays as it is", () => {
  it("is bytes made once, with an ETag that answers 304 A-VER-04", () => {
    const whole = ask({})
    assert.deepStrictEqual([whole.status, String(whole.body)], [200, text])
    assert.strictEqual(ask({}).body, whole.body)
    const etag = whole.headers?.etag ?? ""
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      assert.deepStrictEqual(
        [ask({ "if-none-match": condition }).status, ask({ "if-none-match": condition }).body],
        [304, ""]
      )
    }
    assert.strictEqual(ask({ "if-none-match": '"x"' }).status, 200)
  })

  it("is compressed once with what the caller takes", () => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip;q=0.5", "gzip"],
      ["br;q=0, gzip", "gzip"]
    ] as const) {
      const answer = ask({ "accept-encoding": accepted })
      assert.strictEqual(answer.headers?.["content-encoding"], encoding)
      assert.strictEqual(String(decoders[encoding](answer.body as Buffer)), text)
      assert.strictEqual(ask({ "accept-encoding": accepted }).body, answer.body)
      assert.strictEqual(answer.headers?.vary, "accept-encoding")
    }
    assert.isUndefined(ask({ "accept-encoding": "identity, br;q=0" }).headers?.["content-encoding"])
    const short = staticBody("short", {})({ headers: { "accept-encoding": "br" } } as Partial<RawRequest> as RawRequest)
    assert.isUndefined(short.headers?.["content-encoding"])
  })
})
