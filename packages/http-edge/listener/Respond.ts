import type { IncomingMessage, ServerResponse } from "node:http"
import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { BytesReply, Reply } from "../contract/Reply.ts"
import type { RequestIds } from "./Envelope.ts"

const json = "application/json; charset=utf-8"

/**
 * Writes an answer straight to node's response: one flat header list and one string with its length, so that head and
 * body leave in one write. CPU per POST on one core here: 24 µs for an echo on bare node:http, 40 to 55 for the same echo
 * through `NodeHttpServer`, 37 for this pipeline with ids, decoding and an admission that only pretends.
 */
export const respond = (
  response: ServerResponse,
  ids: RequestIds,
  answer: Reply | BytesReply,
  closeAfter: boolean
): void => {
  if (response.headersSent || response.destroyed) return
  const { body } = answer
  if (typeof body === "string" || body instanceof Uint8Array) {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length
    response.writeHead(answer.status, headerList(ids, answer, length, closeAfter))
    // Most answers are ASCII, and leave without being encoded once more.
    if (typeof body === "string") writeText(response, body, length === body.length ? "latin1" : "utf8")
    else response.end(body)
    if (!response.writableFinished) limitUnread(response)
    return
  }
  response.writeHead(answer.status, headerList(ids, answer, undefined, closeAfter))
  if (response.req.method === "HEAD") {
    body.destroy()
    response.end()
    return
  }
  body.on("error", () => response.destroy())
  response.on("close", () => body.destroy())
  body.pipe(response)
  limitUnread(response)
}

/** Characters of an answer that are handed to the connection at once. */
const writtenAtOnce = 65_536

/** Writes a text piece by piece, the next once the connection has taken the one before. */
const writeText = (response: ServerResponse, text: string, encoding: "latin1" | "utf8"): void => {
  let from = 0
  const writeOn = () => {
    while (!response.destroyed) {
      let to = from + writtenAtOnce
      // A pair of surrogates is one character.
      if (to < text.length && isLowSurrogate(text.charCodeAt(to))) to++
      const piece = from === 0 && to >= text.length ? text : text.slice(from, to)
      from = to
      if (from >= text.length) {
        response.end(piece, encoding)
        return
      }
      if (!response.write(piece, encoding)) {
        response.once("drain", writeOn)
        return
      }
    }
  }
  writeOn()
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** An answer that nobody reads holds its bytes and its connection no longer than this, in milliseconds. */
const unreadMillis = 30_000

/**
 * Closes the connection of an answer that its reader does not take; what moves on, however slowly, starts the wait anew, and
 * while nothing waits for the reader the wait is not the reader's.
 */
const limitUnread = (response: ServerResponse): void => {
  const { socket } = response
  if (socket === null || (response.writableEnded && socket.writableLength === 0)) return
  const taken = () => socket.bytesWritten - socket.writableLength
  let before = taken()
  const timer = setInterval(() => {
    if (response.writableFinished || socket.destroyed) clearInterval(timer)
    else if (taken() > before || socket.writableLength === 0) before = taken()
    else socket.destroy()
  }, unreadMillis)
  timer.unref()
  response.once("close", () => clearInterval(timer))
}

/**
 * Answers without reading the rest of the body and closes. The connection is shut for writing first and what still
 * arrives is discarded for a moment: closing at once would reset it under the answer. gaps-1 A "413 details"
 */
export const respondAndClose = (
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Reply
): void => {
  const socket = response.socket
  // Without a socket an earlier answer of a pipeline is still due: this one waits its turn in node's queue.
  if (socket === null || response.headersSent) {
    respond(response, ids, answer, true)
    return
  }
  closing.add(socket)
  if (discarding < mostDiscarding) discard(request, socket)
  else request.pause()
  endSocket(socket, rawResponse(ids, answer, request.method === "HEAD"))
}

/** Connections whose rest is read and thrown away: beyond so many it waits unread, for a flood must not fill the loop. */
const mostDiscarding = 16
let discarding = 0

const discard = (request: IncomingMessage, socket: Socket): void => {
  discarding++
  socket.once("close", () => discarding--)
  request.resume()
}

/** Whether the connection has been given its last answer, so that what was pipelined behind it must not run. */
export const isClosing = (socket: Socket): boolean => closing.has(socket)

/** Writes the last bytes of a connection and lets the peer read them. */
export const endSocket = (socket: Socket, text: string): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMillis)
  timer.unref()
  socket.on("close", () => clearTimeout(timer))
  socket.end(text)
}

/** The whole answer as text, for sockets that have no usable response object. */
export const rawResponse = (ids: RequestIds, answer: Reply, headOnly: boolean): string => {
  const list = headerList(ids, answer, Buffer.byteLength(answer.body), true)
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? "Error"}\r\n`
  for (let index = 0; index < list.length; index += 2) text += `${list[index]}: ${list[index + 1]}\r\n`
  return `${text}\r\n${headOnly ? "" : answer.body}`
}

const closing = new WeakSet<Socket>()
const lingerMillis = 1000

// gaps-1 A "Security and cache headers"
const headerList = (
  ids: RequestIds,
  answer: Reply | BytesReply,
  length: number | undefined,
  closeAfter: boolean
): Array<string> => {
  const own = answer.headers
  const list = [
    "content-type",
    own?.["content-type"] ?? json,
    "cache-control",
    own?.["cache-control"] ?? "no-store",
    "x-content-type-options",
    "nosniff",
    "strict-transport-security",
    "max-age=31536000",
    "svc-request-id",
    ids.requestId,
    "svc-trace-id",
    ids.traceId
  ]
  // A 304 stands for a body it does not have.
  if (length !== undefined && answer.status !== 304) list.push("content-length", String(length))
  if (closeAfter) list.push("connection", "close")
  if (own !== undefined) {
    for (const name in own) {
      if (name !== "content-type" && name !== "cache-control") list.push(name, own[name] as string)
    }
  }
  return list
}
