import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { fields } from "./Log.ts"

/** Every row of a list, page by page; what cannot be read after many tries is left out. */
export const listAll = Effect.fnUntraced(function* <A>(client: Client, path: string) {
  const all: Array<A> = []
  let after: string | null = null
  for (let lost = 0; lost < 40; ) {
    const page: string = `${path}&limit=100${after === null ? "" : `&starting_after=${encodeURIComponent(after)}`}`
    const end = yield* client.call("reader", { kind: "harness", path: page }, { method: "GET", path: page })
    if (end.phase !== "ok") {
      lost++
      yield* Effect.sleep("250 millis")
      continue
    }
    const body = fields(end.text) as { readonly data: ReadonlyArray<A>; readonly next_cursor: string | null }
    all.push(...body.data)
    after = body.next_cursor
    if (after === null) break
  }
  return all
})
