import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { compressedPage, htmlReply } from "@carteiro/http-edge/Reply.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const text = "<p>A customer's name, é included.</p>".repeat(100)
const page = htmlReply(404, text, { "x-frame-options": "DENY" })
const send = (headers: Record<string, string>, answer = page) => compressedPage({ headers }, answer)

describe("A page on its way, decision 0184", () => {
  it.effect("is compressed for whoever went there by our page or by hand, with what the browser takes", () =>
    Effect.gen(function* () {
      const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const site of ["same-origin", "none"]) {
        for (const encoding of ["br", "gzip"] as const) {
          const sent = yield* send({ "sec-fetch-site": site, "accept-encoding": encoding })
          assert.strictEqual(String(decoders[encoding](sent.body as Buffer)), text)
          assert.deepStrictEqual(
            [sent.status, sent.headers],
            [404, { ...page.headers, vary: "accept-encoding, sec-fetch-site", "content-encoding": encoding }]
          )
        }
      }
    })
  )

  it.effect("stays as it is where another site led there, or the browser does not say who did", () =>
    Effect.gen(function* () {
      for (const site of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, {}]) {
        const sent = yield* send({ ...site, "accept-encoding": "br" })
        assert.strictEqual(sent.body, text)
        assert.isUndefined(sent.headers?.["content-encoding"])
        assert.strictEqual(sent.headers?.vary, "accept-encoding, sec-fetch-site")
      }
      const plain = yield* send({ "sec-fetch-site": "none", "accept-encoding": "identity" })
      assert.strictEqual(plain.body, text)
    })
  )

  it.effect("stays as it is where it is short, or no text", () =>
    Effect.gen(function* () {
      const headers = { "sec-fetch-site": "none", "accept-encoding": "br" }
      const short = htmlReply(303, "", { location: "/dashboard" })
      assert.strictEqual(yield* send(headers, short), short)
      const bytes = { status: 200, body: Buffer.alloc(5_000), headers: {} }
      assert.strictEqual(yield* compressedPage({ headers }, bytes), bytes)
    })
  )
})
