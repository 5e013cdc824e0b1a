import type { Evidence } from "../Evidence.ts"
import { type Call, callsOf, fields } from "../Log.ts"

/** One event as listen shows it. */
export interface Streamed {
  readonly id: string
  readonly type: string
  /** RFC 3339 with milliseconds, so that text order is time order. */
  readonly created_at: string
  readonly payload: { readonly data?: { readonly message_id?: string } }
}

/**
 * Each listener sees every event once and in one order: what it was given by following its cursor is the beginning of
 * what the last reader saw, without gap or repeat, and asking again with one cursor leads along the same way. A-LSN-01,
 * gaps-1 L "No skipped events"
 */
export const listenHasNoGap = (evidence: Evidence): ReadonlyArray<string> => {
  const stream = wholeStream(evidence)
  const order = new Map(stream.map(({ id }, place) => [id, place]))
  if (order.size !== stream.length) return ["the whole stream holds an event twice"]
  const listeners = Map.groupBy(callsOf(evidence.entries, "listen"), ({ operation }) => operation.listener)
  return [...listeners].flatMap(([listener, calls]) => {
    const reached = new Map<string | null, number>([[null, 0]])
    for (const { end, operation } of calls) {
      if (end?.phase !== "ok") continue
      const from = reached.get(operation.cursor)
      if (from === undefined) return [`${listener} used a cursor it was never given`]
      const { data, next_cursor } = pageOf(end.text)
      const wrong = data.findIndex(({ id }, place) => order.get(id) !== from + place)
      if (wrong >= 0) {
        const place = order.get(data[wrong]?.id ?? "")
        return [`${listener} at ${from + wrong} saw ${data[wrong]?.id}, which is at ${place ?? "no place"}`]
      }
      const known = reached.get(next_cursor)
      if (known !== undefined && known !== from + data.length)
        return [`${listener} was given one cursor for two places`]
      reached.set(next_cursor, from + data.length)
    }
    return []
  })
}

/** What a message's read tells was announced, exactly once each. M-EVT-01 */
export const announcedOnce = (evidence: Evidence): ReadonlyArray<string> => {
  const announced = storiesOf(evidence)
  return evidence.messages.flatMap(({ id, status }) => {
    const types = (announced.get(id) ?? []).map(({ type }) => type)
    const due = announcements[status] ?? []
    return types.toSorted().join() === due.toSorted().join()
      ? []
      : [`${id} is ${status} and announced ${types.join(", ") || "nothing"}`]
  })
}

/** No event of a message comes before an older one; of those in one millisecond none is older. A-LSN-01 */
export const oldestFirst = (evidence: Evidence): ReadonlyArray<string> =>
  [...storiesOf(evidence)].flatMap(([id, story]) =>
    story.some(({ created_at }, place) => created_at < (story[place - 1]?.created_at ?? ""))
      ? [`${id} was announced as ${story.map(({ created_at, type }) => `${type} ${created_at}`).join(", ")}`]
      : []
  )

const storiesOf = (evidence: Evidence): ReadonlyMap<string, ReadonlyArray<Streamed>> =>
  Map.groupBy(
    wholeStream(evidence).filter(({ type }) => type !== "message.received"),
    ({ payload }) => payload.data?.message_id ?? ""
  )

/** Everything the last reader saw, oldest first. */
export const wholeStream = ({ entries, reader }: Evidence): ReadonlyArray<Streamed> =>
  callsOf(entries, "listen")
    .filter(isAnsweredTo(reader))
    .flatMap(({ end }) => pageOf(end?.text ?? "").data)

const isAnsweredTo =
  (listener: string) =>
  ({ end, operation }: Call<"listen">): boolean =>
    operation.listener === listener && end?.phase === "ok"

const announcements: Readonly<Record<string, ReadonlyArray<string>>> = {
  sent: ["message.sent"],
  delivered: ["message.sent", "message.delivered"],
  read: ["message.sent", "message.delivered", "message.read"],
  failed: ["message.failed"]
}

const pageOf = (text: string): { readonly data: ReadonlyArray<Streamed>; readonly next_cursor: string } => {
  const { data, next_cursor } = fields(text)
  return { data: Array.isArray(data) ? data : [], next_cursor: String(next_cursor) }
}
