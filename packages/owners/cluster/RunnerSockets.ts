import type { Socket as NetSocket } from "node:net"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Context, Effect, Layer, Schedule } from "effect"
import { type RunnerAddress, Runners } from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import { answerQuestion } from "../link/Handshake.ts"
import { IncomingLinks } from "../link/Links.ts"
import { addressRefused } from "./AddressRefused.ts"
import { makeHandshakeLog } from "./HandshakeLog.ts"
import { Peers } from "./Peers.ts"
import { mutual, type RunnerTls, unproven } from "./RunnerTls.ts"

/** Frames between nodes: JSON lines, so that releases of the runtime library understand each other. */
export const layerSerialization = RpcSerialization.layerNdjson

/** How this node calls runners. A silent connection is given up after 3 seconds, a refused one tried again at once. */
export const layerClientProtocol = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.gen(function* () {
    const serialization = yield* RpcSerialization.RpcSerialization
    const peers = yield* Peers
    return Runners.RpcClientProtocol.of({
      codecFor: serialization.codecFor,
      make: (address) =>
        Effect.flatMap(NodeSocket.fromDuplex(peers.dial(address), { openTimeout: 1000 }), (socket) =>
          RpcClient.makeProtocolSocket({
            pingInterval: "1 second",
            pingTimeout: "3 seconds",
            retryPolicy: Schedule.spaced("100 millis")
          }).pipe(
            Effect.provideService(Socket.Socket, socket),
            Effect.provideService(RpcSerialization.RpcSerialization, serialization)
          )
        )
    })
  })
)

/** Where other nodes reach this runner. */
export const layerServer = (listen: RunnerAddress.RunnerAddress, tls: RunnerTls | undefined) =>
  Layer.effect(
    SocketServer.SocketServer,
    Effect.gen(function* () {
      const links = yield* IncomingLinks
      return outliving(linking(proven(yield* listening(listen, tls), tls), links))
    })
  )

const listening = ({ host, port }: RunnerAddress.RunnerAddress, tls: RunnerTls | undefined) =>
  (tls === undefined
    ? NodeSocketServer.make({ host, port, noDelay: true, exclusive: true })
    : // `proven` hangs up on a caller that proves nothing, and knows why.
      NodeSocketServer.makeTls({
        host,
        port,
        noDelay: true,
        exclusive: true,
        ...mutual(tls),
        rejectUnauthorized: false
      })
  ).pipe(Effect.mapError(({ reason }) => addressRefused({ listener: "runner", host, port }, reason.cause)))

/** Hangs up on callers whose certificate is not of the authority, before anything of theirs is read, and logs why. */
const proven = (server: SocketServer.SocketServer["Service"], tls: RunnerTls | undefined) => {
  if (tls === undefined) return server
  const log = makeHandshakeLog()
  return SocketServer.SocketServer.of({
    address: server.address,
    run: (handler) =>
      server.run((socket) =>
        Effect.withFiber((fiber) => {
          const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
          const refused = unproven(connection)
          if (refused === undefined) return handler(socket)
          const peer = connection.remoteAddress ?? "unknown"
          connection.destroy()
          return log("a caller was refused at this runner", { peer, ...refused })
        })
      )
  })
}

/** Answers callers that ask for a link by one, and hands all others to the library. */
const linking = (server: SocketServer.SocketServer["Service"], links: IncomingLinks | undefined) =>
  links === undefined
    ? server
    : SocketServer.SocketServer.of({
        address: server.address,
        run: (handler) =>
          server.run((socket) =>
            Effect.withFiber((fiber) => {
              const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
              // Neither end owns the connection yet, and an open one would keep the server from closing.
              const first = Effect.onInterrupt(answerQuestion(connection), () =>
                Effect.sync(() => connection.destroy())
              )
              return Effect.flatMap(first, (bytes) =>
                bytes === undefined ? handler(socket) : links.serve(connection, bytes)
              )
            })
          )
      })

/**
 * An answer to a caller that is gone is dropped. Left to itself it waits for ever on a connection that will not drain,
 * as after a freeze, and this node could never stop. A caller that vanishes is no error of this node either.
 */
const outliving = (server: SocketServer.SocketServer["Service"]) =>
  SocketServer.SocketServer.of({
    address: server.address,
    run: (handler) =>
      server.run((socket) =>
        // The server gives each handler its connection, which the type of `run` does not tell.
        Effect.withFiber((fiber) => {
          const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
          // Every answer that waits for a full connection listens to it.
          connection.setMaxListeners(0)
          return Effect.catchCause(handler(dropping(socket, connection)), (cause) =>
            Effect.logDebug("a connection of another node ended", cause)
          )
        })
      )
  })

const dropping = (socket: Socket.Socket, connection: NetSocket): Socket.Socket => {
  const unlessGone = (write: () => Effect.Effect<void, Socket.SocketError>) =>
    Effect.suspend(() => (connection.destroyed || connection.writableEnded ? Effect.void : write()))
  return Socket.make({
    reader: socket.reader,
    writer: Effect.map(socket.writer, ({ write, writeAll }) => ({
      write: (chunk) => unlessGone(() => write(chunk)),
      writeAll: (chunks) => unlessGone(() => writeAll(chunks))
    }))
  })
}
