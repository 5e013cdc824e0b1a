import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"

/** The default pause before a client's next poll, in milliseconds. gaps-1 L */
const idlePollMillis = 1_000

/** How long an event stays in the stream, in milliseconds. gaps-1 K "Retention" */
export const retentionMillis = 7 * dayMs

/**
 * One event of the stream; `created_at` is epoch milliseconds, `envelope` the stored text of every delivery. A-LSN-15
 */
export interface ListenRow {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly created_at: number
  readonly trace_id: string
  readonly envelope: string
}

/** A request for a page after a position. `tail` asks only for the present end of the stream. */
export interface StreamAsk {
  readonly after: number | "tail"
  /** The most rows. */
  readonly rows: number
  /** The types to show; undefined shows every type. */
  readonly types: ReadonlyArray<string> | undefined
}

/** One page; see `ListenRead`. */
export interface StreamPage {
  readonly rows: ReadonlyArray<ListenRow>
  readonly readUpTo: number
  readonly stoppedEarly: boolean
}

/** One read of the stream in position order. */
export interface ListenRead<Row> {
  /** Rows that pass the filters, oldest first; more than `limit` rows mean that another page exists. */
  readonly rows: ReadonlyArray<Row>
  readonly limit: number
  /** The position after which the read started. */
  readonly after: number
  /** The last position that was read, filtered events included. */
  readonly readUpTo: number
  /** True when the read stopped before the end of the stream. */
  readonly stoppedEarly: boolean
  /** True when the request was held open before it was answered. */
  readonly waited: boolean
}

/** The page of one read, and the start of the next one. */
export interface ListenSlice<Row> {
  readonly data: ReadonlyArray<Row>
  readonly has_more: boolean
  /** The position in `next_cursor`. It never moves back. */
  readonly position: number
  readonly next_poll_after_ms: number
}

/**
 * Returns the page: the cursor marks how far the read went, also on an empty page, and a truncated page is followed by
 * the next without a pause. A-LSN-01..03, gaps-1 L "Cursor and poll delay"
 */
export const listenSlice = <Row extends { readonly position: number }>(read: ListenRead<Row>): ListenSlice<Row> => {
  const data = read.rows.slice(0, read.limit)
  const cut = read.rows.length > read.limit
  const has_more = cut || read.stoppedEarly
  const reached = cut ? (data.at(-1)?.position ?? read.after) : read.readUpTo
  return {
    data,
    has_more,
    position: Math.max(read.after, reached),
    next_poll_after_ms: has_more || read.waited ? 0 : idlePollMillis
  }
}

/** The page size when `limit` is absent. A-LSN-04 */
export const defaultListenLimit = 20

/** The most open long polls of one key. gaps-1 L "Long poll limits" */
const openPollsPerKey = 5

/** The holder of the dashboard's polls, in the place of a key's id. */
export const consoleHolder = "console"

/** The most live streams of the dashboard in one environment. */
const mostStreams = 20

/** Returns how many polls a holder may have open. */
export const openPollsOf = (holder: string): number => (holder === consoleHolder ? mostStreams : openPollsPerKey)
