import { Effect } from "effect"
import { isRunning } from "../support/ProcessTable.ts"
import { BenchFailure } from "./BenchFailure.ts"
import type { Product } from "./Product.ts"
import { customer, type Sender } from "./Senders.ts"
import { sendBody } from "./Sends.ts"
import { answered, type Send, type SteadyLoad } from "./Steady.ts"

/** Sends of all senders in turn, each with words no other has. */
export const sendsInTurn =
  (urls: ReadonlyArray<string>, senders: ReadonlyArray<Sender>, run = "") =>
  (n: number): Send => {
    const sender = n % senders.length
    const { key, number } = senders[sender] as Sender
    const body = sendBody(number, customer, `${run} ${n}`)
    return {
      sender,
      urls: urls.map((_, at) => urls[(n + at) % urls.length] as string),
      key,
      body,
      ...(urls.length > 1 ? { id: `${run}-${n}` } : {})
    }
  }

/** Every answered send is stored, none twice. One without an answer may have been stored or not. */
export const storedOnce = Effect.fnUntraced(function* (product: Product, loads: ReadonlyArray<SteadyLoad>) {
  const sent = loads.flatMap((load) => load.sent)
  const ok = sent.filter(answered).length
  const stored = yield* product.database.count("select count(*) from messages where direction = 'outbound'")
  const distinct = yield* product.database.count(
    "select count(distinct content) from messages where direction = 'outbound'"
  )
  if (stored >= ok && stored <= sent.length && distinct === stored) return
  const message = `${ok} sends answered, ${sent.length - ok} not, ${stored} stored, ${distinct} of them different`
  return yield* new BenchFailure({ message })
})

/** Stops a process as planned, or waits for one that was killed, until it is gone. */
export const gone = Effect.fnUntraced(function* (product: Product, pid: number, signal: "SIGTERM" | "SIGKILL") {
  product.kill(pid, signal)
  while (isRunning(pid)) yield* Effect.sleep("10 millis")
})
