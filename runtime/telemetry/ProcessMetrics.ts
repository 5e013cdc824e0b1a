import { monitorEventLoopDelay } from "node:perf_hooks"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { Effect, Layer } from "effect"

/** The metrics of the process as Prometheus clients report them: memory, processor time, delay of the event loop. */
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
      ["process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss()],
      ["nodejs_heap_size_used_bytes", "Heap in use", () => process.memoryUsage().heapUsed],
      ["nodejs_eventloop_lag_p99_seconds", "Delay of timers since the start", () => delay.percentile(99) / 1e9]
    ]
    for (const [name, help, read] of readings) yield* instruments.reading({ name, help }, read)
    const processor = "Processor time in"
    yield* instruments.growing(
      { name: "process_cpu_user_seconds_total", help: `${processor} user code` },
      () => process.cpuUsage().user / 1e6
    )
    yield* instruments.growing(
      { name: "process_cpu_system_seconds_total", help: `${processor} the kernel` },
      () => process.cpuUsage().system / 1e6
    )
  })
)

/** The metric `carteiro_build_info`, always 1: its labels name the release, the Node.js version and the role. */
export const buildInfo = (version: string, role: string) =>
  Layer.effectDiscard(
    Effect.flatMap(Instruments, (instruments) => {
      const labels = { version, node_version: process.versions.node, role }
      return instruments.reading({ name: "carteiro_build_info", help: "The release, always 1", labels }, () => 1)
    })
  )
