import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { type CallRequest, Calls } from "@carteiro/outbound/Calls.ts"
import { Effect, Layer } from "effect"

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

/** An outbound stack without sockets that answers from memory, with bytes or JSON, and keeps what it was asked to dial. */
export const memoryCalls = (answer: (request: CallRequest) => object) => {
  const calls: Array<CallRequest> = []
  const call = (request: CallRequest) =>
    Effect.sync(() => {
      calls.push(request)
      const body = answer(request)
      const isBytes = body instanceof Uint8Array
      return {
        _tag: "Answered" as const,
        status: 200,
        headers: { "content-type": isBytes ? "audio/opus" : "application/json" },
        bytes: isBytes ? body : Buffer.from(JSON.stringify(body)),
        isCut: false
      }
    })
  const layer = Layer.succeed(Calls, {
    call,
    open: () => Effect.die(new Error("nothing is read piece by piece")),
    tenantUrl: () => undefined
  })
  return { calls, layer }
}
