import type { IncomingMessage } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { IncomingBody } from "../contract/ApiRequest.ts"
import type { RequestHead } from "../pipeline/RequestHead.ts"
import type { HeldBytes } from "./BodyBudget.ts"
import type { BodyWatch } from "./BodyWatch.ts"
import { readBody } from "./ReadBody.ts"
import { streamBody, streamedBytes } from "./StreamBody.ts"

/** Services that read a body. */
export interface BodySource {
  readonly request: IncomingMessage
  readonly head: RequestHead
  /** The holder of the bytes: on a raw or byte route no key is known. */
  readonly ip: string
  readonly watch: BodyWatch
  readonly held: HeldBytes
}

/** Returns the unread body of a raw or byte route. */
export const incomingBody = ({ head, held, ip, request, watch }: BodySource): IncomingBody => ({
  contentType: head.contentType,
  contentLength: head.contentLength,
  bytes: (limit) =>
    Effect.callback<Uint8Array, ApiError>((resume) => {
      if (request.readableEnded) return resume(Effect.succeed(empty))
      request.on("aborted", () => resume(Effect.interrupt))
      readBody(request, {
        limit,
        length: head.contentLength,
        isDropped: false,
        watch,
        held,
        admit: (go) => go(ip),
        done: (bytes) => resume(Effect.succeed(bytes)),
        refuse: (error) => resume(Effect.fail(error))
      })
    }),
  stream: (limits) =>
    streamBody(request, watch, limits, () => held.take(ip, Math.min(head.contentLength ?? limits.limit, streamedBytes)))
})

const empty = new Uint8Array(0)
