import type { EndpointSeen, Evidence, RowSeen } from "../Evidence.ts"
import { callsOf, fields } from "../Log.ts"

const toTrip = 20
const toTripAgain = 3
/** Attempts of one delivery under the schedule of the run. */
const attemptsOfOne = 2

/** After a known number of refusals, made many at once, the endpoint is off from the limit on and not before. */
export const tripsAtTheLimit = ({ entries }: Evidence): ReadonlyArray<string> =>
  callsOf(entries, "count").flatMap(({ end, operation: { refused, tripped } }) => {
    if (end?.phase !== "ok") return []
    const { disabled_detail, disabled_reason, probation, status } = fields(end.text) as unknown as EndpointSeen
    const off = refused >= (tripped ? toTripAgain : toTrip)
    const where = `after ${refused} refusals ${tripped ? "on probation" : "at first"} the endpoint is`
    if (status !== (off ? "disabled" : "active")) return [`${where} ${status}`]
    if (off && disabled_reason !== "consecutive_failures") return [`${where} disabled as ${disabled_reason}`]
    if (off && (disabled_detail?.probation_retrip === true) !== tripped) {
      return [`${where} disabled with probation_retrip ${disabled_detail?.probation_retrip}`]
    }
    return off || probation === tripped ? [] : [`${where} active with probation ${probation}`]
  })

/**
 * An endpoint that refuses everything trips only after as many exhausted deliveries as it takes, and then says why. How
 * many more were on their way at that moment is not promised. A-WHE-24, A-WHE-26, A-WHE-29
 */
export const tripsHaveTheirCause = ({ endpoints, entries, rows }: Evidence): ReadonlyArray<string> => {
  const { failing } = endpoints
  const exhausted = rows.filter((row) => row.endpoint_id === failing.id && isExhausted(row)).length
  const trips = tripsOf(entries, failing)
  const needed = neededFor(trips.least)
  const problems: Array<string> = []
  if (exhausted < needed) problems.push(`${trips.least} trips after ${exhausted} exhausted deliveries, not ${needed}`)
  if (trips.most === 0 && exhausted >= toTrip) problems.push(`${exhausted} exhausted deliveries and no trip`)
  if (failing.status === "disabled" && failing.disabled_reason !== "consecutive_failures") {
    problems.push(`the failing endpoint was disabled as ${failing.disabled_reason}`)
  }
  if (trips.least !== trips.most) return problems
  if (failing.status === "disabled" && (failing.disabled_detail?.probation_retrip === true) !== trips.most > 1) {
    problems.push(`trip ${trips.most} says probation_retrip ${failing.disabled_detail?.probation_retrip}`)
  }
  if (failing.status === "active" && failing.probation !== trips.most > 0) {
    problems.push(`after ${trips.most} trips probation is ${failing.probation}`)
  }
  return problems
}

const neededFor = (trips: number): number => (trips === 0 ? 0 : toTrip + (trips - 1) * toTripAgain)

const isExhausted = ({ attempts, status }: RowSeen): boolean =>
  status === "failed" && attempts.length === attemptsOfOne && attempts.every(({ status_code }) => status_code === 500)

/** A look at the disabled endpoint is a trip, unless it is the one seen last; after a lost PATCH nobody can tell. */
const tripsOf = (entries: Evidence["entries"], failing: EndpointSeen) => {
  let state: "active" | "disabled" | "either" = "active"
  let least = 0
  let most = 0
  const calls = [...callsOf(entries, "look"), ...callsOf(entries, "switch")]
    .filter(({ operation }) => operation.endpoint_id === failing.id)
    .toSorted((one, other) => one.invokedAt - other.invokedAt)
  for (const { end, operation } of calls) {
    if (end?.phase === "ok") {
      const seen = fields(end.text).status === "disabled" ? "disabled" : "active"
      if (seen === "disabled" && state === "active") least++
      if (seen === "disabled" && state !== "disabled") most++
      state = seen
    } else if (operation.kind === "switch" && end?.phase !== "fail" && state === "disabled") {
      state = "either"
    }
  }
  return { least, most }
}
