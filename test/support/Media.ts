import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "./ApiTest.ts"
import type { TestEnvironment } from "./Tenants.ts"

/** The beginning of an Ogg file with Opus, as far as the product checks it. */
export const oggOpus = Buffer.concat([
  Buffer.from("OggS"),
  Buffer.alloc(24),
  Buffer.from("OpusHead"),
  Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]),
  Buffer.alloc(17)
])

/** Returns the path of an absolute URL of the service. */
export const pathOfUrl = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Announces a file, uploads its bytes and completes it. Returns the asset from the complete response. */
export const upload = Effect.fnUntraced(function* (key: string, bytes: Uint8Array, announced: object) {
  const { call, post } = yield* Api
  const session = yield* post("/v1/media/uploads", { byte_length: bytes.length, ...announced }, { key })
  if (session.status !== 201) return yield* Effect.die(new Error(session.text))
  const put = yield* call("PUT", pathOfUrl(session.body.upload_url), bytes, { headers: session.body.upload_headers })
  if (put.status !== 200) return yield* Effect.die(new Error(put.text))
  return (yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })).body
})

/** An audio asset of the library, a token that downloads it, and in a sandbox a transcription of it. */
export const seedMedia = Effect.fnUntraced(function* ({ key, kind }: TestEnvironment) {
  const { get, post } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const asset = yield* upload(key, oggOpus, { kind: "audio", lifecycle: "library", mime_type: "audio/ogg" })
  const { download_url } = (yield* get(`/v1/media/${asset.id}/download-url`, { key })).body
  const path = `/v1/media/${asset.id}/transcriptions`
  const transcription = kind === "sandbox" ? (yield* post(path, {}, { key })).body.id : ""
  // It has ended already, so that another may begin.
  yield* sql`update media_transcriptions set status = 'failed', live_asset_id = null where id = ${transcription}`
  return {
    asset_id: asset.id as string,
    token: pathOfUrl(download_url).split("/").at(-1) ?? "",
    transcription_id: transcription as string
  }
})
