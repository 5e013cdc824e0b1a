import { connect } from "node:tls"
import { layerShard } from "@carteiro/owners/Cluster.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"
import type { RefusedHandshake } from "../../packages/owners/cluster/HandshakeLog.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { clientOf, counterTables, edgeNode, shardNode, start } from "./CounterNode.ts"
import { addTo } from "./Load.ts"

const node = selfSigned("localhost")
const tls = { cert: node.cert, key: Redacted.make(node.key), ca: node.cert }
const patience = 240_000

/** Connects as `certificate` (or nobody) and waits until the runner hangs up; answers what it said before. */
const callAs = (port: number, certificate: { readonly cert?: string; readonly key?: string }) =>
  Effect.callback<string>((resume) => {
    let said = ""
    const socket = connect({ host: "localhost", port, ca: node.cert, ...certificate })
    socket.on("secureConnect", () => socket.write('{"_tag":"Ping"}\n'))
    socket.on("data", (data) => {
      said += data.toString()
      socket.end()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(said)))
  })

it.live(
  "nodes with certificates call each other, and no other caller gets an answer",
  () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      yield* counterTables
      const port = yield* freePort()
      yield* start(shardNode({ url, name: "a", port, tls }))
      const client = yield* clientOf(yield* start(edgeNode({ url, tls })))
      assert.strictEqual(yield* addTo(client, "counter"), "a")
      assert.include(yield* callAs(port, { cert: node.cert, key: node.key }), "Pong")
      assert.strictEqual(yield* callAs(port, {}), "")
      assert.strictEqual(yield* callAs(port, selfSigned("localhost")), "")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  patience
)

it.live(
  "a failed handshake between nodes is logged once with the peer and the reason, at the end that refused it",
  () =>
    Effect.gen(function* () {
      const logged: Array<{ readonly sentence: unknown } & Partial<RefusedHandshake>> = []
      const logger = Logger.make<unknown, void>(({ message }) => {
        const [sentence, facts] = [message].flat()
        if (/refused at this runner|called safely/.test(String(sentence))) logged.push({ sentence, ...Object(facts) })
      })
      const told = (sentence: string) => Effect.sync(() => logged.some((line) => line.sentence === sentence))
      const { url } = yield* TestDatabase
      yield* counterTables
      const port = yield* freePort()
      const stranger = selfSigned("stranger")
      yield* Effect.gen(function* () {
        yield* start(shardNode({ url, name: "a", port, tls }))
        yield* callAs(port, {})
        yield* callAs(port, { cert: stranger.cert, key: stranger.key })
        yield* callAs(port, { cert: stranger.cert, key: stranger.key })
        // It takes the shard's certificate for a stranger's.
        const other = { cert: stranger.cert, key: Redacted.make(stranger.key), ca: stranger.cert }
        const client = yield* clientOf(yield* start(edgeNode({ url, tls: other })))
        yield* Effect.forkScoped(Effect.exit(addTo(client, "counter")))
        yield* until(told("a runner could not be called safely"))
      }).pipe(Effect.provide(Logger.layer([logger])))
      const refused = logged.filter(({ sentence }) => sentence === "a caller was refused at this runner")
      assert.deepStrictEqual(
        refused.map(({ certificate }) => certificate),
        [undefined, "stranger"]
      )
      for (const { peer } of refused) assert.match(peer ?? "", /127\.0\.0\.1|::1/)
      assert.strictEqual(refused[0]?.reason, "it showed no certificate")
      const dialled = logged.filter(({ sentence }) => sentence === "a runner could not be called safely")
      assert.match(dialled[0]?.reason ?? "", /CERT/)
      assert.strictEqual(dialled[0]?.peer, `localhost:${port}`)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  patience
)

it.live("without certificates a runner binds nothing but loopback", () =>
  Effect.gen(function* () {
    for (const host of ["0.0.0.0", "::", "10.0.0.1"]) {
      const refused = yield* Effect.flip(
        Layer.build(
          layerShard({ url: "postgres://nowhere.invalid/none", host: "127.0.0.1", listenHost: host, port: 1 })
        )
      )
      assert.include(refused, { _tag: "UnprotectedRunner", host })
    }
  }).pipe(Effect.scoped, Effect.provide(contractRefusals))
)
