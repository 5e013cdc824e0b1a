import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { announce, files, pathOfUrl, upload } from "./Files.ts"

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

/** The length of a tag, written as ID3 writes it: seven bits a byte. */
const tagLength = (bytes: number) => [21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f)

/** An AAC file behind a tag with a cover, longer than what is looked at. */
const taggedAac = Buffer.concat([
  Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...tagLength(9000)]),
  Buffer.alloc(9000, 0x41),
  Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc])
])
/** AAC behind a tag of four bytes. */
const shortAac = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0xff, 0xf1, 0x50, 0x80, 2, 0x1f, 0xfc])
const compound = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(504)])
const mark = Buffer.from([0xef, 0xbb, 0xbf])
const table = Buffer.from("<html><table><tr><td>Nome</td></tr></table></html>")
const archived = (name: string) => Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(26), Buffer.from(name)])

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Types of files", (it) => {
  it.effect.each([
    ["FORMA;VALOR\nPIX;10\n", "text/csv"],
    ["BM;nome\n1;Ana\n", "text/csv"],
    ["GIFT;nome\n1;Ana\n", "text/csv"],
    ["MZ,ID3\n", "text/csv"],
    ["ID3 e MP3", "text/plain"],
    ["BZh é o começo", "text/plain"],
    ["\ufeffNome;Telefone\n", "text/csv"],
    ["%PDF é um formato\n", "text/plain"],
    ["{\\rtf1 texto}", "text/plain"]
  ] as const)("text that begins with %j is text U-MED-04", ([text, type]) =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const asset = yield* upload(acme.sandbox.key, Buffer.from(text), type)
      assert.deepStrictEqual([asset.status, asset.mime_type], ["ready", type])
    })
  )

  it.effect("text of other code pages is text, and binary data is none U-MED-04", () =>
    Effect.gen(function* () {
      const { key } = (yield* Api).acme.sandbox
      const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("FORMA;João\r\n", "utf16le")])
      assert.strictEqual((yield* upload(key, wide, "text/csv")).status, "ready")
      assert.strictEqual((yield* upload(key, Buffer.from("João;São\n", "latin1"), "text/csv")).status, "ready")
      for (const bytes of [files.png, compound, archived("word/"), Buffer.alloc(40, 1)]) {
        assert.strictEqual((yield* upload(key, bytes, "text/csv")).failure_code, "invalid_media_mime_type")
      }
    })
  )

  it.effect.each([
    ["AAC behind a long tag", taggedAac, "audio/aac"],
    ["AAC behind a short tag", shortAac, "audio/aac"],
    ["MP3 behind a long tag", taggedAac, "audio/mpeg"],
    ["a PDF behind a byte order mark", Buffer.concat([mark, files.pdf]), "application/pdf"],
    ["a PDF behind blanks", Buffer.concat([Buffer.from("\r\n  "), files.pdf]), "application/pdf"],
    ["a document with a password", compound, word],
    ["a sheet with a password", compound, sheet],
    ["HTML saved as a sheet", table, "application/vnd.ms-excel"],
    ["XML saved as a sheet", Buffer.from('<?xml version="1.0"?><Workbook/>'), "application/vnd.ms-excel"],
    ["a table of text saved as a sheet", Buffer.from("Nome\tPlano\nAna\tPro\n"), "application/vnd.ms-excel"],
    ["rich text saved as a document", Buffer.from("{\\rtf1\\ansi Oi}"), "application/msword"]
  ] as const)("%s becomes ready U-MED-03 U-MED-04", ([, bytes, type]) =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const asset = yield* upload(acme.sandbox.key, bytes, type)
      assert.deepStrictEqual([asset.status, asset.failure_code, asset.mime_type], ["ready", null, type])
    })
  )

  it.effect.each([
    [files.jpeg, "image/jpg", "image/jpeg"],
    [files.jpeg, "IMAGE/PJPEG", "image/jpeg"],
    [files.png, "image/x-png", "image/png"],
    [taggedAac, "audio/mp3", "audio/mpeg"],
    [taggedAac, "audio/vnd.dlna.adts", "audio/aac"],
    [Buffer.from("\0\0\0\u0018ftypM4A \0\0\0\0"), "audio/x-m4a", "audio/mp4"],
    [Buffer.from("\0\0\0\u0018ftypM4A \0\0\0\0"), "audio/m4a", "audio/mp4"],
    [files.ogg, "audio/opus", "audio/ogg"],
    [files.text, "text/comma-separated-values; charset=utf-8", "text/csv; charset=utf-8"],
    [files.pdf, "application/x-pdf", "application/pdf"],
    [table, "application/x-msexcel", "application/vnd.ms-excel"]
  ] as const)("an alias is stored as the type's own name U-MED-03", ([bytes, alias, own]) =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const asset = yield* upload(acme.sandbox.key, bytes, alias, {
        kind: own.split("/")[0]?.replace(/application|text/, "document")
      })
      assert.deepStrictEqual([asset.status, asset.mime_type], ["ready", own])
    })
  )

  it.effect.each([
    [files.png, "image", null, "image/png"],
    [files.jpeg, "image", "foto", "image/jpeg"],
    [files.ogg, "audio", null, "audio/ogg"],
    [Buffer.from("\0\0\0\u0018ftypM4A \0\0\0\0"), "audio", null, "audio/mp4"],
    [files.pdf, "document", null, "application/pdf"],
    [files.text, "document", "lista.csv", "text/csv"],
    [files.text, "document", null, "text/plain"],
    [compound, "document", "contrato.docx", word],
    [compound, "document", "contrato.doc", "application/msword"],
    [archived("[Content_Types].xml xl/"), "document", null, sheet]
  ] as const)("an upload of no known type is judged by its bytes and name U-MED-03", ([bytes, kind, filename, type]) =>
    Effect.gen(function* () {
      const { key } = (yield* Api).acme.sandbox
      const more = { kind, ...(filename === null ? {} : { filename }) }
      const asset = yield* upload(key, bytes, "application/octet-stream", more)
      assert.deepStrictEqual([asset.status, asset.mime_type], ["ready", type])
    })
  )

  it.effect("an upload of no known type whose bytes do not suit its kind fails U-MED-03", () =>
    Effect.gen(function* () {
      const { key } = (yield* Api).acme.sandbox
      for (const [bytes, kind] of [
        [files.pdf, "image"],
        [Buffer.from("RIFF\0\0\0\0WAVEfmt "), "audio"],
        [archived("a.txt"), "document"]
      ] as const) {
        const asset = yield* upload(key, bytes, "application/octet-stream", { kind })
        assert.deepStrictEqual([asset.status, asset.failure_code], ["failed", "invalid_media_mime_type"])
      }
    })
  )

  it.effect("WAV is refused by name, with the types that audio may have U-MED-03", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const body = { kind: "audio", mime_type: "audio/wav", byte_length: 64 }
      const answer = yield* post("/v1/media/uploads", body, { key: acme.sandbox.key })
      assert.deepStrictEqual(told(answer), [400, "invalid_media_mime_type", "mime_type"])
      assert.strictEqual(
        answer.body.error.message,
        "Files of audio/wav cannot be sent as audio. Convert the file to one of: audio/aac, audio/amr, audio/mpeg, audio/mp4, audio/ogg."
      )
    })
  )

  it.effect("bytes may come without a type or under an alias, and must suit the announcement U-MED-03", () =>
    Effect.gen(function* () {
      const { acme, call, post } = yield* Api
      const { key } = acme.sandbox
      const put = Effect.fnUntraced(function* (bytes: Uint8Array, type: string) {
        const session = yield* post("/v1/media/uploads", announce(bytes, "image/png"), { key })
        const sent = yield* call("PUT", pathOfUrl(session.body.upload_url), bytes, {
          headers: { "content-type": type }
        })
        assert.strictEqual(sent.status, 200, sent.text)
        return (yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })).body.status
      })
      assert.strictEqual(yield* put(files.png, "application/octet-stream"), "ready")
      assert.strictEqual(yield* put(files.png, "image/x-png"), "ready")
      assert.strictEqual(yield* put(files.jpeg, "application/octet-stream"), "failed")
    })
  )
})
