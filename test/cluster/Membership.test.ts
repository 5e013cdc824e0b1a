import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { ClusterReadiness } from "../../packages/owners/cluster/Cluster.ts"
import { TestDatabase, type TestServices } from "../support/TestDatabase.ts"
import { clientOf, counterTables, edgeNode, relaysOf, shardNode, start } from "./CounterNode.ts"
import { addTo, nothingLost, owners, spreadOver, underLoad } from "./Load.ts"

/** Real processes and leases, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

/** A database with the counter's tables, two nodes that own counters, and an edge that calls them. */
const twoNodes = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  yield* counterTables
  const a = yield* start(shardNode({ url, name: "a", port: yield* freePort() }))
  const b = yield* start(shardNode({ url, name: "b", port: yield* freePort() }))
  const edge = yield* start(edgeNode({ url }))
  const client = yield* clientOf(edge)
  yield* spreadOver(client, ["a", "b"])
  return { url, a, b, edge, client }
})

const live = <A, E>(test: Effect.Effect<A, E, TestServices | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), TestDatabase.layer)

it.live(
  "nodes share the owners, and a caller's own node owns none",
  () =>
    live(
      Effect.gen(function* () {
        const { a, edge } = yield* twoNodes
        const ready = (node: { readonly context: typeof a.context | typeof edge.context }) =>
          Effect.flatMap(Effect.provideContext(ClusterReadiness, node.context), ({ check }) => check)
        assert.match((yield* ready(a)).detail, /^This node holds \d+ shards\.$/)
        assert.deepStrictEqual(yield* ready(edge), { status: "ok", detail: "A node with shards answers; 2 known." })
      })
    ),
  patience
)

it.live(
  "a node that joins takes its part, and no call fails",
  () =>
    live(
      Effect.gen(function* () {
        const { client, url } = yield* twoNodes
        const load = yield* underLoad(client)
        yield* load.answers(100)
        yield* start(shardNode({ url, name: "c", port: yield* freePort() }))
        yield* spreadOver(client, ["a", "b", "c"])
        yield* nothingLost(load)
      })
    ),
  patience
)

it.live(
  "a planned stop hands over: no call fails, no addition is lost or made twice",
  () =>
    live(
      Effect.gen(function* () {
        const { a, client } = yield* twoNodes
        const load = yield* underLoad(client)
        yield* load.answers(100)
        yield* a.stop
        yield* spreadOver(client, ["b"])
        yield* nothingLost(load)
      })
    ),
  patience
)

it.live(
  "a waiting call whose owner leaves is answered",
  () =>
    live(
      Effect.gen(function* () {
        const { a, client } = yield* twoNodes
        const mine = [...(yield* owners(client))].find(([, node]) => node === "a")?.[0] as string
        const waiting = yield* Effect.forkChild(client.Wait(mine, {}))
        yield* addTo(client, mine)
        yield* a.stop
        assert.strictEqual(yield* Fiber.join(waiting), "moved")
      })
    ),
  patience
)

it.live(
  "an owner that is calling another owner hands over as well: no call fails",
  () =>
    live(
      Effect.gen(function* () {
        const { a, client, edge } = yield* twoNodes
        const load = yield* underLoad(yield* relaysOf(edge))
        yield* load.answers(100)
        yield* a.stop
        yield* spreadOver(client, ["b"])
        yield* nothingLost(load)
      })
    ),
  patience
)
