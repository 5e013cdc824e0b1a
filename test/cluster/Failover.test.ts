import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { TestDatabase, type TestServices } from "../support/TestDatabase.ts"
import { clientOf, counterTables, edgeNode, shardNode, start } from "./CounterNode.ts"
import { addTo, nothingLost, owners, spreadOver, underLoad } from "./Load.ts"
import { nodeProcess } from "./NodeProcess.ts"

/** Real processes and leases, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000

const live = <A, E>(test: Effect.Effect<A, E, TestServices | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), TestDatabase.layer)

/** A node in this process, one in a process of its own, and an edge that calls both. */
const besideAProcess = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  yield* counterTables
  yield* start(shardNode({ url, name: "here", port: yield* freePort() }))
  const port = yield* freePort()
  const away = yield* nodeProcess({ url, name: "away", port })
  const edge = yield* start(edgeNode({ url }))
  const client = yield* clientOf(edge)
  yield* spreadOver(client, ["away", "here"])
  return { url, port, away, client }
})

it.live(
  "owners of a killed node answer on another one, and on the old address when it is back",
  () =>
    live(
      Effect.gen(function* () {
        const { away, client, port, url } = yield* besideAProcess
        const load = yield* underLoad(client)
        yield* load.answers(100)
        yield* away.kill
        yield* spreadOver(client, ["here"])
        yield* nodeProcess({ url, name: "again", port })
        yield* spreadOver(client, ["again", "here"])
        yield* nothingLost(load)
      })
    ),
  patience
)

it.live(
  "a frozen node is fenced: its owners answer elsewhere, the others never stop, nothing takes effect twice",
  () =>
    live(
      Effect.gen(function* () {
        const { away, client } = yield* besideAProcess
        const before = yield* owners(client)
        const load = yield* underLoad(client)
        yield* load.answers(100)
        yield* away.freeze
        for (const [counter, node] of before)
          if (node === "here") assert.strictEqual(yield* addTo(client, counter), node)
        yield* spreadOver(client, ["here"])
        yield* away.thaw
        yield* spreadOver(client, ["away", "here"])
        // Answers it owed to callers who gave up must not keep it from stopping.
        yield* away.stop
        yield* spreadOver(client, ["here"])
        yield* nothingLost(load)
      })
    ),
  patience
)
