import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { Effect, Option, type Redacted, Stream } from "effect"
import { uploadName } from "./UploadName.ts"
import { callAnswer } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { memberOf } from "./UpstreamJson.ts"

type Bytes = Extract<ChatFile, { readonly _tag: "Bytes" }>

const noApp: ChatCall<never> = {
  _tag: "Refused",
  code: "The installation has no app at the chat platform, which files of examples need; ask its operator.",
  error: null
}

/**
 * Uploads a file by the platform's Resumable Upload API: a session of the app, then all bytes from offset 0. The handle
 * in the answer is an example of a media header. U-TPL-01
 */
export const uploadExample = Effect.fnUntraced(function* (
  calls: UpstreamCalls,
  appId: string | undefined,
  token: Redacted.Redacted,
  file: Bytes
): Effect.fn.Return<ChatCall<{ readonly header_handle: string }>> {
  if (appId === undefined) return noApp
  const { byte_length, filename, mime_type } = file
  const begun = yield* calls.call({
    method: "POST",
    path: `/${encodeURIComponent(appId)}/uploads`,
    token,
    query: {
      file_name: uploadName(filename, mime_type),
      file_length: String(byte_length),
      file_type: mime_type
    }
  })
  const session = callAnswer(begun, sessionOf)
  if (session._tag !== "Done") return session
  const result = yield* calls.call({
    method: "POST",
    path: `/${session.value}`,
    token,
    scheme: "OAuth",
    headers: { file_offset: "0" },
    body: { type: mime_type, length: byte_length, open: Effect.map(file.open, Stream.toAsyncIterable) }
  })
  return callAnswer(result, (json) => Option.map(textOf(json, "h"), (header_handle) => ({ header_handle })))
})

const longest = 4096

const textOf = (json: unknown, name: string): Option.Option<string> => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" && value.length <= longest ? Option.some(value) : Option.none()
}

/** The id of a session is a path with a query, which is posted to as it is. */
const sessionOf = (json: unknown): Option.Option<string> =>
  Option.filter(textOf(json, "id"), (id) => /^upload:[\w:=+%.~-]+(\?[\w=&+%.~-]+)?$/.test(id))
