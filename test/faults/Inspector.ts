import { Effect } from "effect"
import type { ProductNode } from "./Process.ts"
import { eventually } from "./Waiting.ts"

/**
 * Cuts the TCP connections of a running node that lead to or from one of the ports, through the debugger that every
 * Node.js process opens when asked; answers how many. No privilege is needed, and no proxy stands in the way before.
 */
export const cutConnections = Effect.fnUntraced(function* (node: ProductNode, ports: ReadonlyArray<number>) {
  node.signal("SIGUSR1")
  const address = yield* eventually(() => node.inspector(), 10)
  if (address === undefined) return 0
  return yield* evaluate(
    address,
    `process._getActiveHandles().filter((it) => typeof it.destroy === "function"
      && [it.remotePort, it.localPort].some((port) => ${JSON.stringify(ports)}.includes(port)))
      .map((it) => it.destroy()).length`
  )
})

const evaluate = (address: string, expression: string): Effect.Effect<number> =>
  Effect.callback<number>((resume) => {
    const socket = new WebSocket(address)
    socket.addEventListener("open", () =>
      socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression, returnByValue: true } }))
    )
    socket.addEventListener("message", ({ data }) => {
      const { result } = JSON.parse(String(data)) as { readonly result?: { readonly result?: { value?: unknown } } }
      socket.close()
      resume(Effect.succeed(Number(result?.result?.value ?? 0)))
    })
    // The node may be killed or frozen at this very moment.
    socket.addEventListener("error", () => resume(Effect.succeed(0)))
    return Effect.sync(() => socket.close())
  }).pipe(Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.succeed(0) }))
