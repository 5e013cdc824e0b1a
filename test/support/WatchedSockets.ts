import diagnostics from "node:diagnostics_channel"
import { Socket } from "node:net"
import { Effect } from "effect"

/** Every way in which a process of Node.js calls the outside: what is left is told by these. */
const channels = [
  "net.client.socket",
  "http.client.request.created",
  "undici:request:create",
  "undici:client:connected"
]

/** Watches until the scope closes, and returns what was opened by another way than the outbound stack of a test, which opens nothing. */
export const watchingSockets = Effect.acquireRelease(
  Effect.sync(() => {
    const opened: Array<string> = []
    const heard = channels.map((name) => [name, () => void opened.push(name)] as const)
    for (const [name, hear] of heard) diagnostics.subscribe(name, hear)
    const { connect } = Socket.prototype
    const { fetch } = globalThis
    Socket.prototype.connect = function (this: Socket, ...args: ReadonlyArray<unknown>) {
      opened.push("Socket.connect")
      return Reflect.apply(connect, this, args)
    } as typeof connect
    globalThis.fetch = (...args) => {
      opened.push("fetch")
      return fetch(...args)
    }
    const stop = () => {
      for (const [name, hear] of heard) diagnostics.unsubscribe(name, hear)
      Socket.prototype.connect = connect
      globalThis.fetch = fetch
    }
    return { opened, stop }
  }),
  ({ stop }) => Effect.sync(stop)
)
