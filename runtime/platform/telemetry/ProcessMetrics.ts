import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Layer } from "effect"
import { Instruments } from "./Instruments.ts"

/** The process as Prometheus clients report it: memory, processor time, delay of the event loop. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const instruments = yield* Instruments
    const delay = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: 20 })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    const readings: ReadonlyArray<readonly [name: string, help: string, read: () => number]> = [
      ["process_resident_memory_bytes", "Activation memory", () => process.memoryUsage.rss()],
      ["nodejs_heap_size_used_bytes", "Heap in use", () => process.memoryUsage().heapUsed],
      ["process_cpu_user_seconds", "Processor time in user code", () => process.cpuUsage().user / 1e6],
      ["process_cpu_system_seconds", "Processor time in the kernel", () => process.cpuUsage().system / 1e6],
      ["nodejs_eventloop_lag_p99_seconds", "Delay of timers since the start", () => delay.percentile(99) / 1e9]
    ]
    for (const [name, help, read] of readings) yield* instruments.reading({ name, help }, read)
  })
)
