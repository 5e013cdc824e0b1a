import type { Socket } from "node:net"
import { Effect } from "effect"

/**
 * Completes when the client has closed its sending half. The client may still read, so a response is still written. For
 * a waiting request it is the only sign that the client left, because an orderly close gives no other.
 */
export const clientLeft = (socket: Socket): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const forget = onClientLeft(socket, () => resume(Effect.void))
    return Effect.sync(forget)
  })

/** Calls a function once the client has closed its sending half, at once when it has; returns what takes it back. */
export const onClientLeft = (socket: Socket, left: () => void): (() => void) => {
  if (socket.readableEnded) left()
  else socket.once("end", left)
  return () => socket.off("end", left)
}
