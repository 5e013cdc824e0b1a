import { Worker } from "node:worker_threads"
import { Effect } from "effect"
import { BenchFailure } from "./BenchFailure.ts"

/** One tenant that posts large bodies as fast as each is answered. */
export interface Noise {
  readonly url: string
  readonly key: string
  readonly path: string
  /** Sent in turn. */
  readonly bodies: ReadonlyArray<string>
  /** Connections that post at the same time. */
  readonly clients: number
}

/** Posts for so many seconds; answers how often each status came back. */
export const makeNoise = (noise: Noise, seconds: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Worker(new URL("./NoiseWorker.ts", import.meta.url), { workerData: noise })),
    (worker) =>
      Effect.andThen(
        Effect.sleep(seconds * 1000),
        Effect.callback<Readonly<Record<number, number>>, BenchFailure>((resume) => {
          worker.once("message", (counts: Readonly<Record<number, number>>) => resume(Effect.succeed(counts)))
          worker.once("error", (error) => resume(Effect.fail(new BenchFailure({ message: `the noise: ${error}` }))))
          worker.postMessage("end")
        })
      ),
    (worker) => Effect.promise(() => worker.terminate())
  )
