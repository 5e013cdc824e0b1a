import { Clock, Effect, Layer } from "effect"
import { type RunnerAddress, Runners } from "effect/cluster"
import { forkHere } from "../Fork.ts"
import { awaitAnswer, question } from "../link/Handshake.ts"
import { OutgoingLinks } from "../link/Links.ts"
import { operationKey } from "../link/OperationKey.ts"
import { type PeerBounds, PeerLink, peerBounds } from "../link/PeerLink.ts"
import { Refusals } from "../Refusals.ts"
import { nameOf, Peers } from "./Peers.ts"

/**
 * The time before a runner without a link is asked again, in milliseconds: a newer release may start at its address.
 */
const askAgainMs = 10_000
/** The time before an unreachable runner, or one whose link broke, is dialled again, in milliseconds. */
const dialAgainMs = 250

/** The last known place of the owners of a shard. */
interface Route {
  readonly link: PeerLink
  /** The epoch of the last answer; 0 before the first. */
  epoch: number
}

/** Opens links to the nodes that the runtime library calls. */
export const layerOutgoing = (bounds: PeerBounds = peerBounds): Layer.Layer<never, never, Peers | Refusals> =>
  Layer.effect(
    OutgoingLinks,
    Effect.gen(function* () {
      const peers = yield* Peers
      const refusals = yield* Refusals
      const clock = yield* Clock.Clock
      const scope = yield* Effect.scope
      const fork = yield* forkHere
      const links = new Map<string, PeerLink>()
      const routes = new Map<number, Route>()
      /** The epoch milliseconds until which runners are not dialled; infinite while one is being dialled. */
      const restsUntil = new Map<string, number>()

      const open = Effect.fnUntraced(function* (address: RunnerAddress.RunnerAddress) {
        const { first, socket } = yield* Effect.timeout(ask(peers, address), "3 seconds")
        if (first === undefined) return askAgainMs
        const name = nameOf(address)
        const link = new PeerLink(socket, bounds, refusals, () => void links.delete(name))
        links.set(name, link)
        yield* Effect.addFinalizer(() => Effect.sync(() => link.close()))
        link.start(first)
        yield* Effect.repeat(
          Effect.delay(
            Effect.sync(() => link.look(clock.currentTimeMillisUnsafe())),
            "250 millis"
          ),
          { until: () => link.closed }
        )
        return dialAgainMs
      })

      const dial = (address: RunnerAddress.RunnerAddress) => {
        const name = nameOf(address)
        if (clock.currentTimeMillisUnsafe() < (restsUntil.get(name) ?? 0)) return
        restsUntil.set(name, Number.POSITIVE_INFINITY)
        const rest = (ms: number) => Effect.sync(() => void restsUntil.set(name, clock.currentTimeMillisUnsafe() + ms))
        const opened = Effect.matchCauseEffect(Effect.scoped(open(address)), {
          onFailure: () => rest(dialAgainMs),
          onSuccess: rest
        })
        fork(Effect.forkIn(opened, scope))
      }

      return {
        keyOf: operationKey,
        learn: (shard, address) => {
          const link = links.get(nameOf(address))
          if (link === undefined) return dial(address)
          if (routes.get(shard)?.link !== link) routes.set(shard, { link, epoch: 0 })
        },
        call: (key, call) => {
          const route = routes.get(call.shard)
          if (route === undefined) return undefined
          if (route.link.closed) {
            routes.delete(call.shard)
            return undefined
          }
          const operation = route.link.numberOf(key)
          if (operation === undefined) return undefined
          return Effect.callback((resume) =>
            route.link.send(operation, route.epoch, {
              ...call,
              answered: (outcomes, epoch) => {
                if (epoch !== 0) route.epoch = epoch
                if (outcomes === undefined && routes.get(call.shard) === route) routes.delete(call.shard)
                resume(Effect.succeed(outcomes))
              }
            })
          )
        }
      }
    })
  )

/** Opens a connection to a runner and asks for a link. `first` is undefined when the runner has none. */
const ask = Effect.fnUntraced(function* (peers: Peers["Service"], address: RunnerAddress.RunnerAddress) {
  const socket = yield* peers.dial(address)
  socket.write(question)
  return { socket, first: yield* awaitAnswer(socket) }
})

/** Wraps the library's calls to other runners. Each answer teaches where the owners of a shard are. */
export const layerRunners = Layer.effect(
  Runners.Runners,
  Effect.gen(function* () {
    const runners = yield* Runners.Runners
    const links = yield* OutgoingLinks
    if (links === undefined) return runners
    return Runners.Runners.of({
      ...runners,
      send: (options) =>
        Effect.tap(runners.send(options), () =>
          Effect.sync(() => links.learn(options.message.envelope.address.shardId.id, options.address))
        )
    })
  })
).pipe(Layer.provide(Runners.layerRpc))
