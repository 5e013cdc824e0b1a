import { Activations } from "@carteiro/owners/Cluster.ts"
import { answer, batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { layerShard } from "../../packages/owners/cluster/Cluster.ts"
import { OutgoingLinks } from "../../packages/owners/link/Links.ts"
import { TestDatabase, type TestServices } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { clientOf, counterTables, edgeNode, services, shardNode, start } from "./CounterNode.ts"
import { addTo, nothingLost, owners, spreadOver, underLoad } from "./Load.ts"

const patience = 240_000

const live = <A, E>(test: Effect.Effect<A, E, TestServices | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), TestDatabase.layer)

/** An edge, the messages of it that travelled over links, and those of them that a node did not answer for. */
const watchedEdge = Effect.fnUntraced(function* (options: { readonly url: string; readonly link?: boolean }) {
  const edge = yield* start(edgeNode(options))
  const links = Context.get(edge.context, OutgoingLinks)
  const linked: Array<string> = []
  const elsewhere: Array<string> = []
  if (links !== undefined) {
    const { call } = links
    Object.assign(links, {
      call: (...[key, message]: Parameters<typeof call>) => {
        const made = call(key, message)
        if (made === undefined) return made
        linked.push(key.split("#")[0] ?? "")
        return Effect.tap(made, (outcomes) =>
          Effect.sync(() => {
            if (outcomes === undefined) elsewhere.push(message.id)
          })
        )
      }
    })
  }
  return { edge, elsewhere, linked }
})

/** Another owner of the same shard. */
const neighbourOf = ({ getShardId }: Sharding.Sharding["Service"], id: string) => {
  const shardOf = (of: string) => getShardId(EntityId.make(of), "default").id
  return Array.from({ length: 10_000 }, (_, i) => `other-${i}`).find((other) => shardOf(other) === shardOf(id)) ?? ""
}

it.live(
  "batched calls travel over links to the nodes that hold their owners, also while one of them leaves",
  () =>
    live(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        yield* counterTables
        yield* start(shardNode({ url, name: "a", port: yield* freePort() }))
        const leaving = yield* start(shardNode({ url, name: "b", port: yield* freePort() }))
        const { edge, linked } = yield* watchedEdge({ url })
        const client = yield* clientOf(edge)
        yield* spreadOver(client, ["a", "b"])
        yield* until(Effect.map(owners(client), () => linked.length > 50))
        const load = yield* underLoad(client)
        yield* load.answers(100)
        yield* leaving.stop
        yield* spreadOver(client, ["a"])
        const before = linked.length
        yield* until(Effect.map(owners(client), () => linked.length > before + 50))
        yield* nothingLost(load)
        assert.deepStrictEqual(new Set(linked), new Set(["Counter.Add"]))
      })
    ),
  patience
)

it.live(
  "a node with links and nodes without serve together, as during an update from a release without links",
  () =>
    live(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        yield* counterTables
        yield* start(shardNode({ url, name: "new", port: yield* freePort() }))
        yield* start(shardNode({ url, name: "old", port: yield* freePort(), link: false }))
        const { edge, linked } = yield* watchedEdge({ url })
        const old = yield* watchedEdge({ url, link: false })
        const [client, oldClient] = [yield* clientOf(edge), yield* clientOf(old.edge)]
        yield* spreadOver(client, ["new", "old"])
        yield* spreadOver(oldClient, ["new", "old"])
        yield* until(Effect.map(owners(client), () => linked.length > 20))
        const before = linked.length
        const found = yield* owners(client)
        const ofNew = [...found.values()].filter((node) => node === "new").length
        assert.strictEqual(linked.length - before, ofNew)
        for (const [counter, node] of found) assert.strictEqual(yield* addTo(oldClient, counter), node)
        assert.isEmpty(old.linked)
      })
    ),
  patience
)

it.live(
  "a node that holds the lock of a shard but is not the one that answers for it hands no call on: callers look again",
  () =>
    live(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        yield* counterTables
        const node = yield* start(shardNode({ url, name: "a", port: yield* freePort() }))
        const { edge, elsewhere, linked } = yield* watchedEdge({ url })
        const client = yield* clientOf(edge)
        yield* until(Effect.map(addTo(client, "one"), () => linked.length > 0))
        const other = neighbourOf(Context.get(edge.context, Sharding.Sharding), "one")
        const sharding = Context.get(node.context, Sharding.Sharding)
        const { hasShardId } = sharding
        Object.assign(sharding, {
          hasShardId: (shard: Parameters<typeof hasShardId>[0]) => elsewhere.length > 0 && hasShardId(shard)
        })
        assert.strictEqual(yield* addTo(client, other), "a")
        assert.deepStrictEqual(elsewhere, [other])
      })
    ),
  patience
)

const Sleeper = defineOwner("Sleeper", { Peek: batch(Schema.Struct({}), Schema.Int) })

it.live(
  "wake-ups travel over links, and load an owner that is not in memory",
  () =>
    live(
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const woken: Array<string> = []
        const sleepers = Sleeper.toLayer(
          Effect.succeed({
            load: () => Effect.succeed({}),
            handlers: { Peek: { decide: (items) => items.map(() => answer(1)) } },
            work: (_state, owner) => Effect.sync(() => void woken.push(owner.id))
          })
        )
        const port = yield* freePort()
        yield* start(
          sleepers.pipe(
            Layer.provideMerge(layerShard({ url, host: "localhost", port })),
            Layer.provideMerge(services(url, "sleepers"))
          )
        )
        const { edge, linked } = yield* watchedEdge({ url })
        const sleeper = yield* Effect.provideContext(Sleeper.client, edge.context)
        const { wake } = Context.get(edge.context, Activations)
        // Found by the library: from then on the shard of this owner is known.
        yield* until(Effect.map(sleeper.Peek("one", {}), () => linked.includes("Sleeper.Peek")))
        wake("Sleeper", "one")
        yield* until(Effect.sync(() => woken.includes("one")))
        assert.include(linked, "Sleeper.Wake")
        const other = neighbourOf(Context.get(edge.context, Sharding.Sharding), "one")
        linked.length = 0
        wake("Sleeper", other)
        yield* until(Effect.sync(() => woken.includes(other)))
        assert.deepStrictEqual(linked, ["Sleeper.Wake"])
      })
    ),
  patience
)
