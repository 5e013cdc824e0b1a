import { monitorEventLoopDelay } from "node:perf_hooks"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { Clock, Effect, Layer } from "effect"

const windowMs = 60_000

/**
 * Returns a reading of the 99th percentile of the last minute or two, in seconds: over all the time since the start, a node
 * that stalls now would not differ from one that never did. Each reading may begin the next minute.
 */
export const recentP99 = (
  delay: Pick<ReturnType<typeof monitorEventLoopDelay>, "percentile" | "reset">,
  now: () => number
): (() => number) => {
  let begun = now()
  let before = 0
  return () => {
    const present = delay.percentile(99)
    const read = Math.max(before, present) / 1e9
    if (now() - begun >= windowMs) {
      delay.reset()
      begun = now()
      before = present
    }
    return read
  }
}

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
    const clock = yield* Clock.Clock
    const lag = recentP99(delay, () => clock.currentTimeMillisUnsafe())
    const readings: ReadonlyArray<readonly [name: string, help: string, read: () => number]> = [
      ["process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss()],
      ["nodejs_heap_size_used_bytes", "Heap in use", () => process.memoryUsage().heapUsed],
      ["nodejs_eventloop_lag_p99_seconds", "Delay of timers in the last minute or two", lag]
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
