import { type Evidence, everyMessage, type MessageSeen } from "../Evidence.ts"
import { callsOf, fields, recipientMarker, restsAs, type Scenario } from "../Log.ts"

/** Every answered 202 is found at the end, is the caller's message, and has come to its rest. */
export const acceptedIsKept = (evidence: Evidence): ReadonlyArray<string> => {
  const found = new Map(everyMessage(evidence).map((message) => [message.id, message]))
  return callsOf(evidence.entries, "send").flatMap(({ end, operation }) => {
    if (end?.phase !== "ok") return []
    const id = String(fields(end.text).id)
    const message = found.get(id)
    if (message === undefined) return [`${id} (${operation.marker}) was accepted and is gone`]
    if (message.metadata?.marker !== operation.marker) {
      return [`${id} was accepted for ${operation.marker} and is ${message.metadata?.marker}`]
    }
    return []
  })
}

/** Every message there is has come to the rest its scenario names, also those whose answer was lost. */
export const everythingRests = ({ entries, messages }: Evidence): ReadonlyArray<string> => {
  const scenarios = scenariosOf(entries)
  return messages.flatMap(({ id, metadata, status }) => {
    const scenario = scenarios.get(metadata?.marker ?? "")
    return scenario === undefined || scenario === null || status === restsAs[scenario]
      ? []
      : [`${id} (${metadata?.marker}, ${scenario}) rests as ${status}`]
  })
}

/** No message without a call that may have made it: a refusal leaves no effect. */
export const nothingFromNothing = (evidence: Evidence): ReadonlyArray<string> => {
  const possible = new Set(
    callsOf(evidence.entries, "send").flatMap(({ end, operation }) => (end?.phase === "fail" ? [] : [operation.marker]))
  )
  for (const { end, operation } of callsOf(evidence.entries, "batch")) {
    if (end?.phase === "fail") continue
    for (let n = 0; n < operation.recipients; n++) possible.add(recipientMarker(operation.marker, n))
  }
  return everyMessage(evidence).flatMap(({ id, metadata }) =>
    possible.has(metadata?.marker ?? "")
      ? []
      : [`${id} (${metadata?.marker}) is there and every call for it was refused`]
  )
}

const ranks: Readonly<Record<string, number>> = { queued: 0, sending: 1, sent: 2, delivered: 3, read: 4, failed: 5 }

/** A message is readable from its answer on, and no read that began after another had ended shows an earlier status. */
export const readsNeverGoBack = ({ entries }: Evidence): ReadonlyArray<string> => {
  const known = new Map<string, ReadonlyArray<{ readonly endedAt: number; readonly rank: number }>>()
  return callsOf(entries, "read").flatMap(({ end, endedAt, invokedAt, operation: { message_id } }) => {
    if (end?.status === 404) return [`${message_id} was accepted and a read answered 404`]
    if (end?.phase !== "ok") return []
    const status = String(fields(end.text).status)
    const rank = ranks[status] ?? -1
    const before = known.get(message_id) ?? []
    known.set(message_id, [...before, { endedAt, rank }])
    return before.some((seen) => seen.endedAt < invokedAt && seen.rank > rank)
      ? [`${message_id} was seen further on and then as ${status}`]
      : []
  })
}

/** The applied steps of a message follow one another, none twice: it is not sent again after a confirmed outcome. */
export const stepsHappenOnce = (evidence: Evidence): ReadonlyArray<string> =>
  everyMessage(evidence).flatMap((message) => {
    const steps = appliedSteps(message)
    const repeated = steps.filter((step, place) => outcomes.has(step) && steps.indexOf(step) !== place)
    return repeated.length === 0 ? [] : [`${message.id} went through ${steps.join(", ")}`]
  })

// An attempt that certainly never left is queued again: only outcomes must not repeat.
const outcomes = new Set(["message.sent", "message.delivered", "message.read", "message.failed"])

const appliedSteps = ({ events }: MessageSeen): ReadonlyArray<string> =>
  events.filter(({ details }) => details?.applied !== false).map(({ type }) => type)

const scenariosOf = (entries: Evidence["entries"]): ReadonlyMap<string, Scenario | null> =>
  new Map([
    ...callsOf(entries, "send").map(({ operation }) => [operation.marker, operation.scenario] as const),
    ...callsOf(entries, "batch").flatMap(({ operation: { environment, marker, recipients } }) =>
      Array.from(
        { length: recipients },
        (_, n) => [recipientMarker(marker, n), environment === "sandbox" ? "success" : null] as const
      )
    )
  ])
