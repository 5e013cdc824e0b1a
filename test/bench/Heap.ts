import { Effect } from "effect"
import { BenchFailure } from "./BenchFailure.ts"
import type { Product } from "./Product.ts"

const waitMillis = 10_000

/** Settings under which any process of a product can open its debugger without meeting another's. */
export const inspectable = { NODE_OPTIONS: "--inspect-port=0" }

/** Bytes that live on the heap of one process of the product, after a full collection, whenever asked. */
export const heapOf = Effect.fnUntraced(function* (product: Product, pid: number) {
  const socket = yield* connect(yield* debuggerOf(product, pid))
  let last = 0
  const ask = (method: string) =>
    Effect.callback<unknown, BenchFailure>((resume) => {
      const id = ++last
      const onMessage = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
        if (answer.id === id) resume(Effect.succeed(answer.result))
      }
      socket.addEventListener("message", onMessage)
      socket.send(JSON.stringify({ id, method }))
      return Effect.sync(() => socket.removeEventListener("message", onMessage))
    })
  // What finalizers let go of is collected by the next one. Between the two the process looks after its locks: each
  // collection stops it for seconds, and both together for longer than the lease.
  const collectOnce = ask("HeapProfiler.collectGarbage")
  const collect = Effect.andThen(Effect.andThen(collectOnce, Effect.sleep("2 seconds")), collectOnce)
  return Effect.map(
    Effect.andThen(collect, ask("Runtime.getHeapUsage")),
    (usage) => (usage as { readonly usedSize: number }).usedSize
  )
})

const debuggerOf = (product: Product, pid: number) =>
  Effect.gen(function* () {
    product.kill(pid, "SIGUSR1")
    const started = performance.now()
    while (performance.now() - started < waitMillis) {
      const address = product.output().match(/Debugger listening on (ws:\S+)\s/)?.[1]
      if (address !== undefined) return address
      yield* Effect.sleep("20 millis")
    }
    return yield* new BenchFailure({ message: `process ${pid} opened no debugger` })
  })

const connect = (address: string) =>
  Effect.acquireRelease(
    Effect.callback<WebSocket, BenchFailure>((resume) => {
      const socket = new WebSocket(address)
      socket.addEventListener("open", () => resume(Effect.succeed(socket)))
      socket.addEventListener("error", () => resume(Effect.fail(new BenchFailure({ message: `${address} is closed` }))))
    }),
    (socket) => Effect.sync(() => socket.close())
  )
