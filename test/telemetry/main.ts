import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { collectorAt, printedTrace } from "../support/Collector.ts"

/** The port that collectors of OTLP over HTTP take. */
const port = Number(process.env.PORT ?? 4318)
/** Pause between two looks at what has come, in milliseconds: a node exports every five seconds. */
const everyMs = 6000
const shown = [
  "http.response.status_code",
  "carteiro.owner.id",
  "carteiro.batch.items",
  "carteiro.commit.units",
  "carteiro.event_type"
]

/** Prints the traces that nodes send, each as a tree once no more of it has come between two looks. */
const program = Effect.gen(function* () {
  const { spans, url } = yield* collectorAt(port)
  process.stdout.write(`OTEL_EXPORTER_OTLP_ENDPOINT=${url} CARTEIRO_TRACE_SAMPLE=1 npm start\n`)
  const sizes = new Map<string, number>()
  const printed = new Set<string>()
  yield* Effect.forever(
    Effect.andThen(
      Effect.sleep(everyMs),
      Effect.sync(() => {
        const traces = Map.groupBy(spans(), ({ traceId }) => traceId)
        for (const [traceId, trace] of traces) {
          if (sizes.get(traceId) === trace.length && !printed.has(traceId)) {
            printed.add(traceId)
            process.stdout.write(`\n${traceId}\n      at    took  span (milliseconds)\n${printedTrace(trace, shown)}\n`)
          }
          sizes.set(traceId, trace.length)
        }
      })
    )
  )
})

NodeRuntime.runMain(Effect.scoped(program))
