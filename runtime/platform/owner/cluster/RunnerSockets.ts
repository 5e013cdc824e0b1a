import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Layer, Schedule } from "effect"
import { type RunnerAddress, Runners } from "effect/cluster"
import { RpcClient, RpcSerialization } from "effect/rpc"
import * as Socket from "effect/socket/Socket"
import { Peers } from "./Peers.ts"
import { mutual, type RunnerTls } from "./RunnerTls.ts"

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
  tls === undefined
    ? NodeSocketServer.layer({ host: listen.host, port: listen.port, noDelay: true })
    : NodeSocketServer.layerTls({ host: listen.host, port: listen.port, noDelay: true, ...mutual(tls) })
