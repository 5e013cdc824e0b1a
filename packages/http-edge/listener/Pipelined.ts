import type { Socket } from "node:net"

/** Requests of one connection that may wait behind their neighbours before nothing more is read from it. */
const mostWaiting = 32

const waiting = new WeakMap<Socket, number>()

/** A request came before the one ahead of it was answered; beyond a bound the connection is not read any further. */
export const holdPipelined = (socket: Socket): void => {
  const held = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, held)
  if (held >= mostWaiting) socket.pause()
}

/** Its turn has come. */
export const releasePipelined = (socket: Socket): void => {
  const held = (waiting.get(socket) ?? 1) - 1
  waiting.set(socket, held)
  if (held < mostWaiting) socket.resume()
}
