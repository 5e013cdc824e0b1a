import type { IncomingMessage, ServerResponse } from "node:http"
import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { BytesReply, Reply } from "../contract/Reply.ts"
import { onClientLeft } from "./ClientLeft.ts"
import type { RequestIds } from "./Envelope.ts"

const json = "application/json; charset=utf-8"

/**
 * Writes a response straight to node's response: one flat header list and one string with its length, so that head and
 * body leave in one write. CPU time per POST on one core: 24 µs for an echo on bare node:http, 40 to 55 for that echo
 * through `NodeHttpServer`, 37 for this pipeline with ids, decoding and a stub admission.
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
    // Most responses are ASCII, and are sent without being encoded again.
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
  if ("isEndless" in answer && answer.isEndless === true) endWithReader(response)
}

/**
 * Ends an endless response with its reader. The server keeps half-open connections, so a page that was closed in order
 * looks like a reader who has only nothing more to say.
 */
const endWithReader = (response: ServerResponse): void => {
  const { socket } = response
  if (socket === null) return
  response.once(
    "close",
    onClientLeft(socket, () => response.destroy())
  )
}

/** The characters of a response that are passed to the connection at once. */
const writtenAtOnce = 65_536

/** Writes a text piece by piece, each once the connection has taken the previous one. */
const writeText = (response: ServerResponse, text: string, encoding: "latin1" | "utf8"): void => {
  let from = 0
  const writeOn = () => {
    while (!response.destroyed) {
      let to = from + writtenAtOnce
      // A surrogate pair is one character.
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

/** The longest time that an unread response holds its bytes and its connection, in milliseconds. */
const unreadMillis = 30_000

/**
 * Closes the connection of a response that its reader does not take. Any progress, however slow, restarts the wait, and
 * time without data for the reader does not count.
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
 * Answers without reading the rest of the body, and closes. It first closes the connection for writing and discards
 * further data for a moment, because an immediate close would reset the connection under the response. gaps-1 A "413
 * details"
 */
export const respondAndClose = (
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Reply
): void => {
  const socket = response.socket
  // Without a socket an earlier response of the pipeline is still due: this one waits in node's queue.
  if (socket === null || response.headersSent) {
    respond(response, ids, answer, true)
    return
  }
  closing.add(socket)
  if (discarding < mostDiscarding) discard(request, socket)
  else request.pause()
  endSocket(socket, rawResponse(ids, answer, request.method === "HEAD"))
}

/**
 * The most connections whose rest is read and discarded; beyond that it stays unread, because a flood must not fill the
 * event loop.
 */
const mostDiscarding = 16
let discarding = 0

const discard = (request: IncomingMessage, socket: Socket): void => {
  discarding++
  socket.once("close", () => discarding--)
  request.resume()
}

/** True when the connection has its last response, so that pipelined requests behind it must not run. */
export const isClosing = (socket: Socket): boolean => closing.has(socket)

/** Writes the last bytes of a connection and lets the peer read them. */
export const endSocket = (socket: Socket, text: string): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMillis)
  timer.unref()
  socket.on("close", () => clearTimeout(timer))
  socket.end(text)
}

/** Returns the whole response as text, for sockets without a usable response object. */
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
  // A 304 describes a body that it does not have.
  if (length !== undefined && answer.status !== 304) list.push("content-length", String(length))
  if (closeAfter) list.push("connection", "close")
  if (own !== undefined) {
    for (const name in own) {
      if (name !== "content-type" && name !== "cache-control") list.push(name, own[name] as string)
    }
  }
  return list
}
