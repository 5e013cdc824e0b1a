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

/** The format of frames between nodes: JSON lines, so that releases of the runtime library understand each other. */
export const layerSerialization = RpcSerialization.layerNdjson

/**
 * The protocol by which this node calls runners. It gives up a silent connection after 3 seconds and retries a refused
 * one at once.
 */
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

/** The longest that a caller may take for the handshake of TLS, in milliseconds; Node.js alone would wait two minutes. */
export const handshakeWithinMs = 10_000

/** The server that other nodes reach this runner at. */
export const layerServer = (
  listen: RunnerAddress.RunnerAddress,
  tls: RunnerTls | undefined,
  handshakeMs: number = handshakeWithinMs
) =>
  Layer.effect(
    SocketServer.SocketServer,
    Effect.gen(function* () {
      const links = yield* IncomingLinks
      return outliving(linking(proven(yield* listening(listen, tls, handshakeMs), tls), links))
    })
  )

const listening = ({ host, port }: RunnerAddress.RunnerAddress, tls: RunnerTls | undefined, handshakeTimeout: number) =>
  (tls === undefined
    ? NodeSocketServer.make({ host, port, noDelay: true, exclusive: true })
    : // `proven` closes connections without a valid certificate, and logs the reason.
      NodeSocketServer.makeTls({
        host,
        port,
        noDelay: true,
        exclusive: true,
        ...mutual(tls),
        handshakeTimeout,
        rejectUnauthorized: false
      })
  ).pipe(Effect.mapError(({ reason }) => addressRefused({ listener: "runner", host, port }, reason.cause)))

/** Closes connections whose certificate is not of the authority before it reads any data, and logs the reason. */
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

/** Answers callers that ask for a link with one, and hands all others to the runtime library. */
const linking = (server: SocketServer.SocketServer["Service"], links: IncomingLinks | undefined) =>
  links === undefined
    ? server
    : SocketServer.SocketServer.of({
        address: server.address,
        run: (handler) =>
          server.run((socket) =>
            Effect.withFiber((fiber) => {
              const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
              // At this point neither end owns the connection, and an open one would keep the server from closing.
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
 * Drops an answer to a caller that is gone. Otherwise it waits without end on a connection that does not drain, as
 * after a freeze, and this node could not stop. A caller that vanishes is no error of this node either.
 */
const outliving = (server: SocketServer.SocketServer["Service"]) =>
  SocketServer.SocketServer.of({
    address: server.address,
    run: (handler) =>
      server.run((socket) =>
        // The server provides each handler's connection in the context, which the type of `run` does not show.
        Effect.withFiber((fiber) => {
          const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
          // Every answer that waits for a full connection adds a listener.
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
