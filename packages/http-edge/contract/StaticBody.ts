import { createHash } from "node:crypto"
import type { RawRequest } from "./ApiRequest.ts"
import { type Encoding, encoders, leastCompressed, takenEncoding } from "./Compression.ts"
import type { BytesReply, Reply, ResponseHeaders } from "./Reply.ts"

/**
 * Serves a text, or bytes that are compressed already, which never change while the process lives. The bytes of a text are made
 * once, and compressed once with each encoding that browsers take. An `ETag` lets a client with a current copy get 304. gaps-1 A "Security and cache
 * headers"
 */
export const staticBody = (
  content: string | Buffer,
  headers: ResponseHeaders
): ((request: RawRequest) => Reply | BytesReply) => {
  const isText = typeof content === "string"
  const bytes = isText ? Buffer.from(content) : content
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`
  const common = { ...headers, etag, vary: "accept-encoding" }
  const unchanged: Reply = { status: 304, body: "", headers: common }
  const whole: BytesReply = { status: 200, body: bytes, headers: common }
  const compressed = new Map<string, BytesReply>()
  const compress = (encoding: Encoding): BytesReply => {
    const known = compressed.get(encoding)
    if (known !== undefined) return known
    const made = { status: 200, body: encoders[encoding](bytes), headers: { ...common, "content-encoding": encoding } }
    compressed.set(encoding, made)
    return made
  }
  return ({ headers: asked }) => {
    if (isKnown(asked["if-none-match"], etag)) return unchanged
    const encoding = !isText || bytes.length < leastCompressed ? undefined : takenEncoding(asked["accept-encoding"])
    return encoding === undefined ? whole : compress(encoding)
  }
}

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))
