import type { ChatFile } from "@carteiro/provider/ChatContent.ts"
import type { PlatformNumber } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { MediaProvider, ProviderFile } from "@carteiro/provider/MediaProvider.ts"
import { Effect, Option, type Redacted, Stream } from "effect"
import { uploadName } from "./UploadName.ts"
import { callAnswer, idOf, memberOf } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"

type Bytes = Extract<ChatFile, { readonly _tag: "Bytes" }>

/** Separates the parts of a form; long enough not to occur in a file by chance. */
const boundary = "----carteiro-6f1d0c5e8a7b4923b1c4d2e3f5a60718"

/** Files of one number's account: `POST /{upstream_phone_number_id}/media`, `GET /{media_id}`. vendor-wires "upstream" */
export const upstreamMedia = (
  calls: UpstreamCalls,
  { token, upstream_phone_number_id }: PlatformNumber
): MediaProvider => ({
  upload: (file) => {
    const head = Buffer.from(formHead(file, calls.options.messagingProduct))
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    return Effect.map(
      calls.call({
        method: "POST",
        path: `/${encodeURIComponent(upstream_phone_number_id)}/media`,
        token,
        body: {
          type: `multipart/form-data; boundary=${boundary}`,
          length: head.length + file.byte_length + tail.length,
          open: Effect.map(file.open, (bytes) => between(head, Stream.toAsyncIterable(bytes), tail))
        }
      }),
      (result) => callAnswer(result, (json) => Option.map(idOf(json), (provider_media_id) => ({ provider_media_id })))
    )
  },
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

const formHead = ({ filename, mime_type }: Bytes, messaging_product: string): string => {
  const type = platformTypes[mime_type] ?? mime_type
  return [
    `--${boundary}`,
    'Content-Disposition: form-data; name="messaging_product"',
    "",
    messaging_product,
    `--${boundary}`,
    'Content-Disposition: form-data; name="type"',
    "",
    type,
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${quoted(uploadName(filename, mime_type))}"`,
    `Content-Type: ${type}`,
    "",
    ""
  ].join("\r\n")
}

/** Returns a name in the form's syntax, without characters that end the header. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))

async function* between(head: Uint8Array, bytes: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* bytes
  yield tail
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
