import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { type Ended, fields } from "./Log.ts"
import type { Seeds } from "./Seeds.ts"

/**
 * Follows the event stream from its oldest event by cursor, asking again with the same cursor when an answer is lost,
 * until it is stopped. A-LSN-01..07
 */
export const listener = Effect.fnUntraced(function* (
  client: Client,
  name: string,
  seeds: Seeds,
  stopped: () => boolean
) {
  let cursor: string | null = null
  while (!stopped()) {
    const end: Ended = yield* listen(client, name, cursor, {
      limit: seeds.between(1, 100),
      wait_ms: seeds.pick([0, 0, 500])
    })
    if (end.phase === "ok") cursor = String(fields(end.text).next_cursor)
    yield* Effect.sleep(seeds.between(20, 200))
  }
})

/** Reads the whole stream once, from the oldest event to the present end. */
export const readThrough = Effect.fnUntraced(function* (client: Client, name: string) {
  let cursor: string | null = null
  for (let lost = 0; lost < 40; ) {
    const end: Ended = yield* listen(client, name, cursor, { limit: 100, wait_ms: 0 })
    if (end.phase !== "ok") {
      lost++
      yield* Effect.sleep("250 millis")
      continue
    }
    const page: Readonly<Record<string, unknown>> = fields(end.text)
    cursor = String(page.next_cursor)
    if (page.has_more === false) return
  }
})

const listen = (
  client: Client,
  listener: string,
  cursor: string | null,
  query: { readonly limit: number; readonly wait_ms: number }
) => {
  const position = cursor === null ? "start_at=oldest" : `cursor=${encodeURIComponent(cursor)}`
  const path = `/v1/webhook-events/listen?limit=${query.limit}&wait_ms=${query.wait_ms}&${position}`
  return client.call(listener, { kind: "listen", listener, cursor }, { method: "GET", path })
}
