import { connect, type NetConnectOpts, type Socket as NetSocket } from "node:net"
import { connect as connectTls, type PeerCertificate } from "node:tls"
import { Context, Effect, Layer, Scope } from "effect"
import type { RunnerAddress } from "effect/cluster"
import * as Socket from "effect/socket/Socket"
import { type HandshakeLog, makeHandshakeLog } from "./HandshakeLog.ts"
import { mutual, type RunnerTls, serverName } from "./RunnerTls.ts"

/** Holds the connections this node has opened to runners. */
export class Peers extends Context.Service<
  Peers,
  {
    /** Opens a connection until the scope closes. */
    readonly dial: (address: RunnerAddress.RunnerAddress) => Effect.Effect<NetSocket, Socket.SocketError, Scope.Scope>
    /**
     * Cuts the connections to dead runners: calls that wait there fail at once and go to the next owner, even when the
     * runner is frozen and its connection stays open.
     */
    readonly cut: (dead: ReadonlySet<string>) => void
  }
>()("@carteiro/owners/cluster/Peers") {
  static readonly layer = (tls: RunnerTls | undefined): Layer.Layer<Peers> =>
    Layer.sync(Peers, () => {
      const open = new Map<NetSocket, string>()
      const log = makeHandshakeLog()
      return Peers.of({
        dial: Effect.fnUntraced(function* (address) {
          const scope = yield* Effect.scope
          const socket = start(address, tls)
          // Every write that waits for a full socket adds a listener: there are many while a runner is frozen.
          socket.setMaxListeners(0)
          open.set(socket, nameOf(address))
          socket.once("close", () => open.delete(socket))
          yield* Scope.addFinalizer(
            scope,
            Effect.sync(() => (socket.connecting ? socket.destroy() : socket.destroySoon()))
          )
          if (tls === undefined) return yield* established(socket, "connect")
          return yield* Effect.tapError(established(socket, "secureConnect"), (error) =>
            logHandshake(log, address, error)
          )
        }),
        cut: (dead) => {
          for (const [socket, name] of open) if (dead.has(name)) socket.destroy()
        }
      })
    })
}

/** Returns an address as text, in one form for tables and memory. */
export const nameOf = (address: RunnerAddress.RunnerAddress): string => `${address.host}:${address.port}`

const start = (address: RunnerAddress.RunnerAddress, tls: RunnerTls | undefined): NetSocket => {
  // Frames are written whole, so Nagle's algorithm would only delay answers.
  const options: NetConnectOpts = { host: address.host, port: address.port, noDelay: true }
  return tls === undefined ? connect(options) : connectTls({ ...options, ...mutual(tls), ...serverName(address.host) })
}

const established = (socket: NetSocket, event: "connect" | "secureConnect") =>
  Effect.callback<NetSocket, Socket.SocketError>((resume) => {
    socket.once(event, () => resume(Effect.succeed(socket)))
    // The listener stays for the life of the socket: without it a late error would end the process.
    socket.on("error", (cause) => resume(Effect.fail(openError(cause))))
    socket.once("close", () => resume(Effect.fail(openError(new Error("the connection was closed")))))
  })

/** Logs why a handshake with a runner failed. An unreachable runner is not logged: membership reports it. */
const logHandshake = Effect.fnUntraced(function* (
  log: HandshakeLog,
  address: RunnerAddress.RunnerAddress,
  { reason }: Socket.SocketError
) {
  const cause = reason.cause as (NodeJS.ErrnoException & { readonly cert?: PeerCertificate }) | undefined
  if (cause === undefined || cause.syscall === "connect") return
  const certificate = [cause.cert?.subject?.CN].flat()[0]
  yield* log("a runner could not be called safely", {
    peer: nameOf(address),
    certificate,
    reason: cause.code === undefined ? cause.message : `${cause.code}: ${cause.message}`
  })
})

const openError = (cause: unknown) =>
  new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) })
