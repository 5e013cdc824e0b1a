import { Effect } from "effect"
import { type Client, isFinal } from "./Client.ts"
import { pathOf, turn } from "./Endpoints.ts"
import { type Ended, fields } from "./Log.ts"

/** What the counter makes events with. */
export interface Counted {
  readonly client: Client
  readonly endpointId: string
  readonly inbound: { readonly from: string; readonly to: string }
}

/** Deliveries refused at once, one burst after the other, since the endpoint was last switched on. A-WHE-24, A-WHE-29 */
const atFirst = [19, 1]
const onProbation = [2, 1]

/**
 * Refuses deliveries in numbers it knows, many at once, and looks at the endpoint after each burst: one failure before the
 * limit it must be on, at the limit it must be off, also when processes die in between. Goes round until it is stopped,
 * and to the end of a round.
 */
export const counter = Effect.fnUntraced(function* (counted: Counted, stopped: () => boolean, tries: number) {
  let total = 0
  for (let round = 0; round === 0 || !stopped(); round++) {
    let refused = 0
    for (const burst of round === 0 ? atFirst : onProbation) {
      yield* Effect.forEach(range(burst), (n) => makeEvent(counted, `count ${total + n}`, tries), everyone)
      total += burst
      refused += burst
      if (!(yield* allRefused(counted, total, tries))) {
        return yield* Effect.die(`of ${total} deliveries to the counted endpoint some never ended`)
      }
      yield* insist(look(counted, refused, round > 0), tries)
    }
    yield* insist(turn(counted.client, counted.endpointId, "active"), tries)
  }
})

/** An inbound message raises one event, which only the counted endpoint hears of. */
const makeEvent = ({ client, inbound }: Counted, key: string, tries: number) => {
  const path = "/v1/sandbox/inbound-messages"
  const body = { channel: "chatapp", ...inbound, type: "text", text: { body: key } }
  return insist(client.call("counter", { kind: "harness", path }, { method: "POST", path, body, key }), tries)
}

/** Waits until as many deliveries as were made have ended. */
const allRefused = Effect.fnUntraced(function* ({ client, endpointId }: Counted, total: number, tries: number) {
  for (let attempt = 0, unanswered = 0; attempt < tries && unanswered < mostUnanswered; ) {
    let ended = 0
    let isAnswered = true
    let after: string | null = null
    do {
      const position: string = after === null ? "" : `&starting_after=${encodeURIComponent(after)}`
      const path = `/v1/webhook-events?webhook_endpoint_id=${endpointId}&status=failed&limit=100${position}`
      const page: Ended = yield* client.call("counter", { kind: "harness", path }, { method: "GET", path })
      const { data, next_cursor } = fields(page.text)
      isAnswered &&= page.status !== null
      ended += Array.isArray(data) ? data.length : 0
      after = typeof next_cursor === "string" ? next_cursor : null
    } while (after !== null)
    if (ended >= total) return true
    if (isAnswered) attempt++
    else unanswered++
    yield* Effect.sleep("250 millis")
  }
  return false
})

const look = ({ client, endpointId }: Counted, refused: number, tripped: boolean) =>
  client.call(
    "counter",
    { kind: "count", endpoint_id: endpointId, refused, tripped },
    { method: "GET", path: pathOf(endpointId) }
  )

const insist = (call: Effect.Effect<Ended>, tries: number) =>
  Effect.gen(function* () {
    for (let attempt = 0, unanswered = 0; attempt < tries && unanswered < mostUnanswered; ) {
      const end = yield* call
      if (isFinal(end)) return
      if (end.status === null) unanswered++
      else attempt++
      yield* Effect.sleep("250 millis")
    }
  })

/** Looks that nobody answers: on a busy machine a killed node takes a minute and more to start. */
const mostUnanswered = 1200

const everyone = { concurrency: "unbounded" } as const
const range = (length: number) => Array.from({ length }, (_, index) => index)
