import { type Evidence, everyMessage } from "../Evidence.ts"
import { callsOf, type Ended } from "../Log.ts"

/** However often an intent was asked for, at most one message carries its marker; without a key it was asked once. */
export const oneEffectPerKey = (evidence: Evidence): ReadonlyArray<string> => {
  const byMarker = Map.groupBy(everyMessage(evidence), ({ metadata }) => metadata?.marker ?? "")
  return [...byMarker].flatMap(([marker, made]) =>
    made.length === 1 ? [] : [`${marker} made ${made.map(({ id }) => id).join(", ")}`]
  )
}

/** All answers of one key are the same bytes with the same status, and at most one of them is no replay. A-IDEM-05 */
export const replaysAreEqual = ({ entries }: Evidence): ReadonlyArray<string> =>
  [...answersByKey(entries)].flatMap(([key, answers]) => {
    const bodies = new Set(answers.map(({ status, text }) => `${status} ${text}`))
    if (bodies.size > 1) return [`"${key}" was answered ${[...bodies].join(" and ")}`]
    const first = answers.filter(({ replayed }) => !replayed)
    return first.length > 1 ? [`"${key}" was answered ${first.length} times as if for the first time`] : []
  })

/** A key that has been answered takes no other body. A-IDEM-06 */
export const keysHoldTheirBody = ({ entries }: Evidence): ReadonlyArray<string> =>
  callsOf(entries, "conflict").flatMap(({ end, operation: { key } }) =>
    end?.phase === "ok" || (end?.phase === "fail" && end.status !== null && end.status !== 409)
      ? [`"${key}" answered another body with ${end.status} ${end.text}`]
      : []
  )

/** Every keyed intent got its answer in the end: no key stays in progress. gaps-1 B "Interrupted work" */
export const keysGetTheirAnswer = ({ entries }: Evidence): ReadonlyArray<string> => {
  const answered = answersByKey(entries)
  const asked = new Set(makingCalls(entries).flatMap(({ operation: { key } }) => key ?? []))
  return [...asked].flatMap((key) => (answered.has(key) ? [] : [`"${key}" never got its answer`]))
}

const makingCalls = (entries: Evidence["entries"]) => [...callsOf(entries, "send"), ...callsOf(entries, "batch")]

const answersByKey = (entries: Evidence["entries"]): ReadonlyMap<string, ReadonlyArray<Ended>> => {
  const answers = new Map<string, Array<Ended>>()
  for (const { end, operation } of makingCalls(entries)) {
    if (operation.key === null || end?.phase !== "ok") continue
    const known = answers.get(operation.key)
    if (known === undefined) answers.set(operation.key, [end])
    else known.push(end)
  }
  return answers
}
