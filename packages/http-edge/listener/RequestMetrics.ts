import { type Instruments, type Series, secondsBounds } from "@carteiro/owners/Instruments.ts"
import type { ObservedRequest } from "./RequestObserver.ts"

/** Returns an observer that measures `http_server_request_duration_seconds` by method, route and status class. */
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
