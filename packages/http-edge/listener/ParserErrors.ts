import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { httpException } from "../decoding/HttpException.ts"
import { errorReply, type RequestIds } from "./Envelope.ts"
import { endSocket, isClosing, rawResponse } from "./Respond.ts"

/**
 * Answers requests that node's parser refuses, for which no request object exists: it writes the envelope with fresh
 * ids to the raw socket, then closes it. gaps-1 A "Media type, encoding, malformed JSON", A-ERR-23
 */
export const onParserError =
  (freshIds: () => RequestIds, publicUrl: () => string) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!(socket instanceof Socket) || !socket.writable || error.code === "ECONNRESET" || answering(socket)) {
      socket.destroy()
      return
    }
    if (isClosing(socket)) return
    const ids = freshIds()
    endSocket(socket, rawResponse(ids, errorReply(refusal(error.code), ids, "", publicUrl()), false))
  }

const refusal = (code: string | undefined): ApiError => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return httpException(431, "The request header block is over 32 KiB.")
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return httpException(408, "The request did not arrive in time.")
    default:
      return httpException(400, "The request is not valid HTTP/1.1.")
  }
}

// Bytes of a response are on the wire already, and a second response would corrupt it. Node's own handler makes this
// check too.
const answering = (socket: Socket): boolean =>
  (socket as Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null })._httpMessage
    ?.headersSent === true
