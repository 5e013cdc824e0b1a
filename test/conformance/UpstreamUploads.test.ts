import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls, platformOf } from "./UpstreamPlatform.ts"

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** A WebP of so many bytes; its extended header says whether it is animated. */
const webp = (bytes: number, isAnimated: boolean) => {
  const file = Buffer.alloc(bytes)
  file.write("RIFF", 0, "latin1")
  file.write("WEBPVP8X", 8, "latin1")
  file[20] = isAnimated ? 0x02 : 0x00
  return file
}

it.live("the simulated platform refuses files by type, name, size and emptiness as the real one U-SND-02", () =>
  Effect.gen(function* () {
    const { raw } = yield* calls({})
    const uploads: ReadonlyArray<readonly [bytes: Buffer, name: string, type: string, code: number | undefined]> = [
      [Buffer.alloc(5 * mebibyte), "a.png", "image/png", undefined],
      [Buffer.alloc(5 * mebibyte + 1), "a.png", "image/png", 131053],
      [Buffer.alloc(16 * mebibyte + 1), "a.ogg", "audio/ogg", 131053],
      [webp(100 * kibibyte, false), "a.webp", "image/webp", undefined],
      [webp(100 * kibibyte + 1, false), "a.webp", "image/webp", 131053],
      [webp(500 * kibibyte, true), "a.webp", "image/webp", undefined],
      [webp(500 * kibibyte + 1, true), "a.webp", "image/webp", 131053],
      [Buffer.alloc(0), "a.png", "image/png", 131053],
      [Buffer.alloc(9), "a.gif", "image/gif", 100],
      [Buffer.alloc(9), "foto", "image/png", 100],
      [Buffer.alloc(9), "lista.csv", "text/csv", 100],
      [Buffer.alloc(9), "lista.csv", "text/plain", undefined]
    ]
    for (const [bytes, name, type, code] of uploads) {
      const form = new FormData()
      form.set("messaging_product", "whatsapp")
      form.set("file", new File([new Uint8Array(bytes)], name, { type }))
      const { json } = yield* raw("POST", `/${platformOf.number}/media`, form)
      assert.strictEqual(json.error?.code, code, `${name} ${type} ${bytes.length}`)
    }
  }).pipe(Effect.scoped)
)
