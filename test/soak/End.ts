import { Effect } from "effect"
import type { Product } from "../bench/Product.ts"
import type { Receiver } from "./Receiver.ts"
import type { Known } from "./Traffic.ts"

/** The result of a soak; each breach is one sentence. */
export interface End {
  readonly messages: number
  readonly batches: number
  readonly deliveries: number
  readonly repeated: number
  readonly breaches: ReadonlyArray<string>
}

const limitMillis = 180_000

const open = "select count(*) from messages where status in ('queued', 'sending', 'sent', 'delivered')"
const waiting = "select count(*) from webhook_attempts where status = 'pending'"

/** Waits until nothing is under way, and compares what callers were told with what was stored and received. */
export const endOf = Effect.fnUntraced(function* ({ database }: Product, known: Known, receiver: Receiver) {
  const started = performance.now()
  while ((yield* database.count(open)) > 0 || (yield* database.count(waiting)) > 0) {
    if (performance.now() - started > limitMillis) break
    yield* Effect.sleep("1 second")
  }
  const breaches: Array<string> = []
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) breaches.push(sentence)
  }
  const stored = new Set((yield* database.query("select id from messages")).map(({ id }) => String(id)))
  const lost = known.messages.filter((id) => !stored.has(id))
  const unheard = known.messages.filter((id) => !receiver.hasEnded(id))
  const doubled = known.messages.length - new Set(known.messages).size
  const deliveries = yield* database.count("select count(*) from webhook_events")
  const failed = yield* database.count(
    `select count(*) from webhook_events e where not exists (select 1 from webhook_attempts a
      where a.environment_id = e.environment_id and a.webhook_event_id = e.id and a.status = 'succeeded')`
  )
  const openBatches = yield* database.count("select count(*) from batches where status <> 'completed'")
  expect(lost.length === 0, `${lost.length} accepted messages are not stored, the first is ${lost[0]}`)
  expect(unheard.length === 0, `the end of ${unheard.length} messages was not announced, the first is ${unheard[0]}`)
  expect(doubled === 0, `${doubled} sends got the id of another`)
  expect(failed === 0, `${failed} of ${deliveries} deliveries did not succeed`)
  expect(receiver.taken() === deliveries, `${receiver.taken()} deliveries were received, ${deliveries} are stored`)
  expect(openBatches === 0, `${openBatches} batches are not completed`)
  const end: End = {
    messages: known.messages.length,
    batches: known.batches.length,
    deliveries,
    repeated: receiver.repeated(),
    breaches
  }
  return end
})
