import { mimeTypeOf } from "@carteiro/sdk/node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { oggCodec, oggHeadBytes, oggWarning } from "../../packages/sdk/OggCodec.ts"
import { peek } from "../../packages/sdk/UploadSource.ts"

/** The first page of an Ogg file whose first packet begins with these letters. */
const page = (letters: string, segments = 1) =>
  Buffer.concat([
    Buffer.from("OggS"),
    Buffer.alloc(22),
    Buffer.from([segments]),
    Buffer.alloc(segments, 30),
    Buffer.from(letters, "latin1"),
    Buffer.alloc(30)
  ])

describe("Sound in Ogg", () => {
  it("is told by its first page M-MSG-44", () => {
    assert.deepStrictEqual(
      ["OpusHead", "\u0001vorbis", "\u007fFLAC", "Speex   ", "other"].map((letters) => oggCodec(page(letters, 3))),
      ["Opus", "Vorbis", "FLAC", "Speex", undefined]
    )
    assert.isUndefined(oggCodec(Buffer.from("ID3")))
    assert.isUndefined(oggCodec(new Uint8Array()))
  })

  it("is warned of when the chat platform refuses it, with the command that converts it M-MSG-44", () => {
    assert.strictEqual(
      oggWarning("voz.ogg", page("\u0001vorbis")),
      "voz.ogg holds Vorbis, which the chat platform refuses: sound in Ogg must be Opus. Convert it, as with: ffmpeg -i voz.ogg -c:a libopus voz.opus"
    )
    assert.isUndefined(oggWarning("voz.ogg", page("OpusHead")))
    assert.isUndefined(oggWarning("voz.ogg", Buffer.from("other")))
  })

  it.effect("is looked at without losing a byte of any source M-MSG-44", () =>
    Effect.promise(async () => {
      const bytes = page("Speex   ")
      const sources = [
        bytes,
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
        new Blob([bytes]),
        { stream: new Blob([bytes]).stream(), byteLength: bytes.length }
      ]
      for (const source of sources) {
        const peeked = await peek(source, oggHeadBytes)
        assert.strictEqual(oggCodec(peeked.head), "Speex")
        const body =
          "stream" in peeked.source && !(peeked.source instanceof Blob) ? peeked.source.stream : peeked.source
        assert.isTrue(Buffer.from(await new Response(body as BodyInit).arrayBuffer()).equals(bytes))
      }
    })
  )

  it("is known by the endings .ogg, .oga and .opus M-MSG-44", () => {
    assert.deepStrictEqual(["a.ogg", "b.OGA", "c.opus", "d.wav"].map(mimeTypeOf), [
      "audio/ogg",
      "audio/ogg",
      "audio/ogg",
      undefined
    ])
  })
})
