import type { ObservedRequest } from "../http/listener/RequestObserver.ts"
import { type Instruments, type Series, secondsBounds, sizeBounds } from "./Instruments.ts"

/** `http_server_request_duration_seconds` by method, route and status class, for the listener's observer. */
export const requestMetrics = (instruments: Instruments): ((request: ObservedRequest) => void) => {
  const durations = instruments.histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from a request's head to its answer",
    labels: ["method", "route", "status"],
    bounds: secondsBounds
  })
  const routes = new Map<string, Array<Series>>()
  return ({ method, operation, status, millis }) => {
    const route = `${method} ${operation}`
    let series = routes.get(route)
    if (series === undefined) {
      series = [1, 2, 3, 4, 5].map((statusClass) => durations(method, operation, `${statusClass}xx`))
      routes.set(route, series)
    }
    series[Math.floor(status / 100) - 1]?.(millis / 1000)
  }
}

/** What callers and owners of one node do, by owner type and operation. */
export const ownerMetrics = (instruments: Instruments) => ({
  callSeconds: instruments.histogram({
    name: "owner_call_duration_seconds",
    help: "Time from a call to an owner to its answer, as the caller sees it",
    labels: ["owner", "operation"],
    bounds: secondsBounds
  }),
  batchSize: instruments.histogram({
    name: "owner_batch_size",
    help: "Calls that travelled to an owner as one message",
    labels: ["owner", "operation"],
    bounds: sizeBounds
  }),
  /** Reads how many owners of a type are in memory at every scrape. */
  resident: (owner: string, count: () => number) =>
    instruments.reading({ name: "owner_resident", help: "Owners in memory", labels: { owner } }, count)
})

/** What the group commit does. */
export const commitMetrics = (instruments: Instruments) => ({
  seconds: instruments.histogram({
    name: "commit_duration_seconds",
    help: "Time of one commit statement",
    bounds: secondsBounds
  })(),
  units: instruments.histogram({
    name: "commit_units",
    help: "Units of owners in one commit statement",
    bounds: sizeBounds
  })(),
  outcomes: instruments.counter({
    name: "commit_units_total",
    help: "Units by what became of them",
    labels: ["outcome"]
  })
})

/** Attempts against something outside, by outcome: `<prefix>_attempts_total`, `<prefix>_attempt_duration_seconds`. */
export const attemptMetrics = (instruments: Instruments, prefix: string) => ({
  attempts: instruments.counter({
    name: `${prefix}_attempts_total`,
    help: "Attempts by outcome",
    labels: ["outcome"]
  }),
  seconds: instruments.histogram({
    name: `${prefix}_attempt_duration_seconds`,
    help: "Time of one attempt",
    labels: ["outcome"],
    bounds: secondsBounds
  })
})
