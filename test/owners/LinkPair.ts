import { createServer, type Socket as NetSocket } from "node:net"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { RunnerAddress } from "effect/cluster"
import * as SocketServer from "effect/socket/SocketServer"
import { layerIncoming } from "../../packages/owners/cluster/IncomingLinks.ts"
import { layerOutgoing } from "../../packages/owners/cluster/OutgoingLinks.ts"
import { Peers } from "../../packages/owners/cluster/Peers.ts"
import { layerServer } from "../../packages/owners/cluster/RunnerSockets.ts"
import type { RunnerTls } from "../../packages/owners/cluster/RunnerTls.ts"
import { ShardEpochs } from "../../packages/owners/cluster/ShardEpochs.ts"
import { packFrames } from "../../packages/owners/link/Frames.ts"
import {
  IncomingLinks,
  type LinkedCall,
  type LinkedOperation,
  OutgoingLinks
} from "../../packages/owners/link/Links.ts"
import { type PeerBounds, peerBounds } from "../../packages/owners/link/PeerLink.ts"
import { until } from "../support/Until.ts"

/** The shard of all owners of these tests, and its epoch at first. */
export const shard = 1
export const firstEpoch = 5

/** A runner's socket that answers links, and answers everything else with the pong of the library's protocol. */
export const runnerOf = Effect.fnUntraced(function* (
  operations: Readonly<Record<string, LinkedOperation>>,
  options: { readonly tls?: RunnerTls; readonly link?: boolean; readonly handshakeMs?: number } = {}
) {
  const address = RunnerAddress.make("localhost", yield* freePort())
  const held = new Map([[shard, firstEpoch]])
  const epochs = ShardEpochs.of({
    current: (of) => held.get(of),
    held: () => held.size,
    reconfirm: () => Effect.succeed(false)
  })
  const context = yield* Layer.build(
    layerServer(address, options.tls, options.handshakeMs).pipe(
      Layer.provideMerge(options.link === false ? Layer.empty : layerIncoming),
      Layer.provide([Layer.succeed(ShardEpochs, epochs), contractRefusals])
    )
  )
  const links = Context.get(context, IncomingLinks)
  for (const [key, operation] of Object.entries(operations)) links?.answer(key, operation)
  let heard = ""
  const connections: Array<NetSocket> = []
  const library = Effect.withFiber<never>((fiber) => {
    const connection = Context.getUnsafe(fiber.context, NodeSocket.NetSocket)
    connections.push(connection)
    connection.on("data", (data) => {
      heard += data.toString()
      connection.write('{"_tag":"Pong"}\n')
    })
    connection.resume()
    return Effect.never
  })
  yield* Effect.forkScoped(Context.get(context, SocketServer.SocketServer).run(() => library))
  return {
    address,
    held,
    answer: (key: string, operation: LinkedOperation) => links?.answer(key, operation),
    /** Everything that was said to the library. */
    heard: () => heard,
    /** How many connections the library has got. */
    connections: () => connections.length
  }
})

/** A runner that agrees to a link, has one operation, and then does with the connection as it is told. */
export const runnerThat = Effect.fnUntraced(function* (key: string, goesOn: (socket: NetSocket) => void) {
  const address = RunnerAddress.make("localhost", yield* freePort())
  let accepted = 0
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => {
        accepted++
        socket.on("error", () => undefined)
        socket.once("data", () => {
          socket.write('{"_tag":"Link","version":1}\n')
          for (const frame of packFrames([JSON.stringify([0, 0, [key]])])) socket.write(frame)
          goesOn(socket)
        })
      })
      server.listen(address.port, address.host, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )
  return { address, accepted: () => accepted }
})

/** A node that calls others over links. */
export const callerWith = Effect.fnUntraced(function* (
  options: { readonly tls?: RunnerTls; readonly bounds?: Partial<PeerBounds> } = {}
) {
  const context = yield* Layer.build(
    layerOutgoing({ ...peerBounds, ...options.bounds }).pipe(
      Layer.provide([Peers.layer(options.tls), contractRefusals])
    )
  )
  const links = Context.get(context, OutgoingLinks)
  assert.isDefined(links)
  const call = (key: string, items: ReadonlyArray<unknown>, deadlineMs = 10_000, id = "owner") =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<Effect.Success<LinkedCall> | "no link"> => {
      const linked = links.call(key, { shard, id, items, traced: undefined, deadline: now + deadlineMs })
      return linked ?? Effect.succeed("no link")
    })
  const hasLink = (key: string) =>
    links.call(key, { shard, id: "owner", items: [], traced: undefined, deadline: 0 }) !== undefined
  return {
    call,
    hasLink,
    learn: (address: RunnerAddress.RunnerAddress) => links.learn(shard, address),
    /** Learns an address, and waits until the operation can be called there. */
    connect: (address: RunnerAddress.RunnerAddress, key: string) =>
      until(
        Effect.sync(() => {
          links.learn(shard, address)
          return hasLink(key)
        })
      )
  }
})
