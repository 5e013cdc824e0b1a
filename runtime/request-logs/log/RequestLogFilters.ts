import { lowestIdAt, parseId } from "@carteiro/owners/Ulid.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { RequestLine } from "./RequestLines.ts"

/** The decoded filters of a list; an absent one filters nothing. */
export interface RequestLogFilters {
  readonly status?: string | undefined
  readonly code?: string | undefined
  readonly method?: string | undefined
  readonly route?: string | undefined
  readonly api_key_id?: string | undefined
  readonly request_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

/** The ids of a page, newest first: `from` and above, below `to`. */
export interface IdRange {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Returns the ids that the time filters and the row `after` leave. */
export const rangeOf = ({ created_after, created_before }: RequestLogFilters, after: string | undefined): IdRange => {
  const before = created_before === undefined ? undefined : boundOf(created_before, 0)
  return {
    from: created_after === undefined ? undefined : boundOf(created_after, 1),
    to: before === undefined || (after !== undefined && after < before) ? after : before
  }
}

/** True when a filter names what cannot be: such a text is not sent to the database. */
export const matchesNothing = ({ api_key_id, request_id }: RequestLogFilters): boolean =>
  (request_id !== undefined && !parseId("req", request_id)) || (api_key_id !== undefined && !parseId("key", api_key_id))

/** True when only refusals can match. */
export const areRefusals = ({ code, status = "" }: RequestLogFilters): boolean => code !== undefined || status >= "4"

/** True when requests are looked at one by one, because no index leads to those that match. */
export const areNarrowed = ({ api_key_id, code, method, route, status }: RequestLogFilters): boolean =>
  [api_key_id, code, method, route, status].some((filter) => filter !== undefined)

/** Returns the first and the last status of a filter: `404`, or `4xx` for its whole class. */
export const statusesOf = (status: string): readonly [least: number, most: number] => {
  const first = Number(status.replace("xx", "00"))
  return [first, status.endsWith("xx") ? first + 99 : first]
}

/** Returns the test that a request passes when all filters let it through and its id is in the range. */
export const matcherOf = (filters: RequestLogFilters, { from, to }: IdRange): ((line: RequestLine) => boolean) => {
  const { api_key_id, code, method, request_id, route, status, trace_id } = filters
  const [least, most] = status === undefined ? [0, Number.POSITIVE_INFINITY] : statusesOf(status)
  const isEqual = (filter: string | undefined, value: string | null) => filter === undefined || filter === value
  return (line) =>
    (from === undefined || line.id >= from) &&
    (to === undefined || line.id < to) &&
    line.status >= least &&
    line.status <= most &&
    isEqual(api_key_id, line.api_key_id) &&
    isEqual(code, line.code) &&
    isEqual(method, line.method) &&
    isEqual(request_id, line.id) &&
    isEqual(route, line.route) &&
    isEqual(trace_id, line.trace_id)
}

const boundOf = (timestamp: string, later: number): string =>
  lowestIdAt("req", (parseTimestamp(timestamp) ?? 0) + later)
