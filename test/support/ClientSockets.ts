import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Effect } from "effect"

/**
 * Counts the sockets that anything in this process opens while the scope is open, and the calls of the global `fetch`, which it refuses.
 */
export const watchedSockets = Effect.acquireRelease(
  Effect.sync(() => {
    const opened = { sockets: 0, fetches: 0 }
    const count = () => void opened.sockets++
    const fetch = globalThis.fetch
    globalThis.fetch = async () => {
      opened.fetches++
      throw new Error("the global fetch was called")
    }
    subscribe("net.client.socket", count)
    return { opened, count, fetch }
  }),
  ({ count, fetch }) =>
    Effect.sync(() => {
      unsubscribe("net.client.socket", count)
      globalThis.fetch = fetch
    })
).pipe(Effect.map(({ opened }) => opened))
