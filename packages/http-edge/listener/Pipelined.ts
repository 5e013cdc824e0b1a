import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The most requests of one connection that wait behind each other before reading from it stops. */
const mostWaiting = 32

const waiting = new WeakMap<Socket, number>()

/** Serves pipelined requests one after another, with other connections in between. */
export const inTurn = (request: IncomingMessage, response: ServerResponse, serve: () => void): void => {
  if (response.socket !== null) {
    serve()
    return
  }
  holdPipelined(request.socket)
  response.once("socket", () =>
    setImmediate(() => {
      releasePipelined(request.socket)
      serve()
    })
  )
}

/**
 * Records that a request came before the previous one was answered; beyond a limit the connection is not read any
 * further.
 */
const holdPipelined = (socket: Socket): void => {
  const held = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, held)
  if (held >= mostWaiting) socket.pause()
}

/** Records that a waiting request begins. */
const releasePipelined = (socket: Socket): void => {
  const held = (waiting.get(socket) ?? 1) - 1
  waiting.set(socket, held)
  if (held < mostWaiting) socket.resume()
}
