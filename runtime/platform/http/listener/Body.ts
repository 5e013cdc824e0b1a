import type { IncomingMessage } from "node:http"
import { PayloadTooLarge } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import type { IncomingBody } from "../contract/ApiRequest.ts"
import type { RequestHead } from "../pipeline/RequestHead.ts"

/**
 * Reads the whole body and calls `done` once, or `overflow` as soon as it passes `limit`; an aborted body calls
 * neither, since nobody is left to answer. A-ERR-24, A-LIM-03
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  done: (bytes: Buffer) => void,
  overflow: () => void
): void => {
  let first: Buffer | undefined
  let rest: Array<Buffer> | undefined
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      request.off("data", onData)
      request.off("end", onEnd)
      request.pause()
      return overflow()
    }
    if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  }
  const onEnd = () => done(rest === undefined ? (first ?? empty) : Buffer.concat(rest, size))
  request.on("data", onData)
  request.on("end", onEnd)
  request.on("error", ignore)
}

/** The unread body of a raw or byte route. */
export const incomingBody = (request: IncomingMessage, head: RequestHead): IncomingBody => ({
  contentType: head.contentType,
  contentLength: head.contentLength,
  source: request,
  bytes: (limit) =>
    Effect.callback<Uint8Array, PayloadTooLarge>((resume) => {
      if (request.readableEnded) return resume(Effect.succeed(empty))
      request.on("aborted", () => resume(Effect.interrupt))
      readBody(
        request,
        limit,
        (bytes) => resume(Effect.succeed(bytes)),
        () => resume(Effect.fail(new PayloadTooLarge()))
      )
    })
})

const empty = Buffer.alloc(0)
const ignore = () => {}
