import type { Socket } from "node:net"
import { Effect } from "effect"

/**
 * Completes when the client has closed its sending half. The client may still read, so a response is still written. For
 * a waiting request it is the only sign that the client left, because an orderly close gives no other.
 */
export const clientLeft = (socket: Socket): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (socket.readableEnded) return resume(Effect.void)
    const left = () => resume(Effect.void)
    socket.once("end", left)
    return Effect.sync(() => socket.off("end", left))
  })
