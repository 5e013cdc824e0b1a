import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Logger } from "effect"
import { shardNode } from "./CounterNode.ts"

// A process that owns counters, for tests that kill or freeze one: `node node.ts <url> <name> <port>`.

const [url = "", name = "", port = ""] = process.argv.slice(2)

Layer.launch(
  Layer.effectDiscard(Effect.sync(() => process.stdout.write("up\n"))).pipe(
    Layer.provideMerge(shardNode({ url, name, port: Number(port) })),
    Layer.provide(Logger.layer([]))
  )
).pipe(NodeRuntime.runMain)
