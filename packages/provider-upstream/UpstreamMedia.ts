import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { PlatformNumber } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { MediaProvider, ProviderFile } from "@carteiro/provider/MediaProvider.ts"
import { Effect, Option, type Redacted, Stream } from "effect"
import { uploadName } from "./UploadName.ts"
import { callAnswer, idOf, memberOf } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { streamedForm } from "./UpstreamForms.ts"

type Bytes = Extract<ChatFile, { readonly _tag: "Bytes" }>

/** Files of one number's account: `POST /{upstream_phone_number_id}/media`, `GET /{media_id}`. vendor-wires "upstream" */
export const upstreamMedia = (
  calls: UpstreamCalls,
  { token, upstream_phone_number_id }: PlatformNumber
): MediaProvider => ({
  upload: (file) =>
    Effect.map(
      calls.call({
        method: "POST",
        path: `/${encodeURIComponent(upstream_phone_number_id)}/media`,
        token,
        body: uploadForm(file, calls.options.messagingProduct)
      }),
      (result) => callAnswer(result, (json) => Option.map(idOf(json), (provider_media_id) => ({ provider_media_id })))
    ),
  find: (provider_media_id) =>
    Effect.map(
      calls.call({ method: "GET", path: `/${encodeURIComponent(provider_media_id)}`, token }),
      (result): ChatCall<ProviderFile> =>
        callAnswer(result, (json) => {
          // A response about another file must not be stored as this one.
          const isAnothers = (memberOf(json, "id") ?? provider_media_id) !== provider_media_id
          return isAnothers ? Option.none() : fileOf(json, calls, token)
        })
    )
})

/** Types that the platform takes under another name only: a table of text is text to it. */
const platformTypes: Readonly<Record<string, string>> = { "text/csv": "text/plain" }

const uploadForm = ({ byte_length, filename, mime_type, open }: Bytes, messaging_product: string) => {
  const type = platformTypes[mime_type] ?? mime_type
  const parts = [
    { name: "messaging_product", value: messaging_product },
    { name: "type", value: type }
  ]
  return streamedForm(parts, {
    name: "file",
    file: { name: uploadName(filename, mime_type), type },
    byte_length,
    open: Effect.map(open, Stream.toAsyncIterable)
  })
}

const fileOf = (json: unknown, calls: UpstreamCalls, token: Redacted.Redacted): Option.Option<ProviderFile> => {
  const [url, mime_type, sha256, size] = ["url", "mime_type", "sha256", "file_size"].map((name) => memberOf(json, name))
  const byte_length = Number(size)
  if (typeof url !== "string" || !URL.canParse(url) || typeof mime_type !== "string") return Option.none()
  if (!Number.isSafeInteger(byte_length) || byte_length < 0) return Option.none()
  return Option.some({
    mime_type,
    byte_length,
    sha256: typeof sha256 === "string" ? sha256.toLowerCase() : null,
    open: download(url, byte_length, calls, token)
  })
}

/**
 * Returns the bytes at a URL from the platform, with the bearer token. Fails when there are more or fewer than
 * announced.
 */
const download = (
  url: string,
  announced: number,
  calls: UpstreamCalls,
  token: Redacted.Redacted
): ProviderFile["open"] =>
  Effect.map(calls.open(url, token, announced), (answer) => {
    if (answer === undefined) return { _tag: "Failed", error: null } as const
    if (answer.status !== 200) {
      return callAnswer({ _tag: "Answered", status: answer.status, json: undefined }, Option.none)
    }
    let size = 0
    const value = Stream.mapEffect(answer.bytes, (chunk) => {
      size += chunk.length
      return size > announced ? Effect.fail(new Error("more bytes than announced")) : Effect.succeed(chunk)
    })
    const whole = Stream.suspend(() =>
      size === announced ? Stream.empty : Stream.fail(new Error("fewer bytes than announced"))
    )
    return { _tag: "Done", value: Stream.concat(value, whole) } as const
  })
