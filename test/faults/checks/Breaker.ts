import type { EndpointSeen, Evidence, RowSeen } from "../Evidence.ts"
import { callsOf, fields } from "../Log.ts"

const toTrip = 20
const toTripAgain = 3
/** Attempts that were on the wire when the breaker tripped end as failed rows that it did not count. gaps-1 J */
const onTheWire = 9

/**
 * The endpoint that refuses everything is disabled by its 20th exhausted delivery, and on probation by its 3rd: as many
 * rows are exhausted as the trips need, and at most those on the wire more. A-WHE-24, A-WHE-26, A-WHE-29
 */
export const breakerTripsExactly = ({ endpoints, entries, rows }: Evidence): ReadonlyArray<string> => {
  const { failing } = endpoints
  const exhausted = rows.filter((row) => row.endpoint_id === failing.id && isExhausted(row)).length
  const trips = tripsOf(entries, failing)
  const needed = neededFor(trips.least)
  // While it is active the next trip's failures are already being counted, one less than it takes.
  const spare = failing.status === "disabled" ? 0 : (trips.most === 0 ? toTrip : toTripAgain) - 1
  const problems: Array<string> = []
  if (exhausted < needed) problems.push(`${trips.least} trips after ${exhausted} exhausted deliveries, not ${needed}`)
  if (exhausted > neededFor(trips.most) + spare + trips.most * onTheWire) {
    problems.push(`${exhausted} exhausted deliveries and only ${trips.most} trips`)
  }
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
  status === "failed" && attempts.at(-1)?.error_message !== "endpoint_disabled"

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
