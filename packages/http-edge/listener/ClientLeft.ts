import type { Socket } from "node:net"
import { Effect } from "effect"

/**
 * Completes when the client has shut its sending half. That may be all it did, so that an answer is still written to it; of a
 * request that waits it is the only sign that nobody waits any more: a connection that was closed orderly says nothing else.
 */
export const clientLeft = (socket: Socket): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (socket.readableEnded) return resume(Effect.void)
    const left = () => resume(Effect.void)
    socket.once("end", left)
    return Effect.sync(() => socket.off("end", left))
  })
