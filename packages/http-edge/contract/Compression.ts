import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib"
import { Effect } from "effect"
import type { RawRequest } from "./ApiRequest.ts"
import type { BytesReply, Reply } from "./Reply.ts"

export type Encoding = "br" | "gzip"

/** Texts below this size gain nothing from compression, in bytes. */
export const leastCompressed = 1024

// The strongest setting takes seconds for some megabytes, which would block all requests once.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Compresses at once, for what is compressed once. */
export const encoders: { readonly [name in Encoding]: (bytes: Buffer) => Buffer } = {
  br: (bytes) => brotliCompressSync(bytes, brotli),
  gzip: (bytes) => gzipSync(bytes)
}

const compress = (encoding: Encoding, text: string): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const done = (failure: Error | null, bytes: Buffer) =>
      resume(failure === null ? Effect.succeed(bytes) : Effect.die(failure))
    if (encoding === "br") brotliCompress(text, brotli, done)
    else gzip(text, done)
  })

/** Returns the encoding to answer with: the better one of those that an `accept-encoding` takes. */
export const takenEncoding = (accepted: string | string[] | undefined): Encoding | undefined => {
  if (typeof accepted !== "string") return undefined
  const taken = accepted
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim().toLowerCase())
  return taken.includes("br") ? "br" : taken.includes("gzip") ? "gzip" : undefined
}

/**
 * Returns a page compressed for the person who went to it, beside the loop of events. A request that another site led to
 * gets it as it is: whoever chooses part of a page and watches the size of its compressed answers guesses the rest.
 * Decision 0184
 */
export const compressedPage = (
  { headers }: Pick<RawRequest, "headers">,
  answer: Reply | BytesReply
): Effect.Effect<Reply | BytesReply> => {
  const { body, headers: own, status } = answer
  if (typeof body !== "string" || body.length < leastCompressed) return Effect.succeed(answer)
  const common = { ...own, vary: "accept-encoding, sec-fetch-site" }
  const encoding = isOwnVisit(headers["sec-fetch-site"]) ? takenEncoding(headers["accept-encoding"]) : undefined
  return encoding === undefined
    ? Effect.succeed({ status, body, headers: common })
    : Effect.map(compress(encoding, body), (bytes) => ({
        status,
        body: bytes,
        headers: { ...common, "content-encoding": encoding }
      }))
}

/** Returns whether our own page or the person's own hand led to a request; a browser that says nothing may have been led. */
const isOwnVisit = (site: string | string[] | undefined): boolean => site === "same-origin" || site === "none"
