/** How long a client waits before the next poll when nothing says otherwise, in milliseconds. gaps-1 L */
const idlePollMillis = 1_000

/** How long an event stays in the stream, in milliseconds. gaps-1 K "Retention" */
export const retentionMillis = 7 * 86_400_000

/** One event of the stream; `created_at` is epoch milliseconds, `envelope` the stored text of every delivery. A-LSN-15 */
export interface ListenRow {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly created_at: number
  readonly trace_id: string
  readonly envelope: string
}

/** Asks for a page after a position. `tail` asks only where the stream ends now. */
export interface StreamAsk {
  readonly after: number | "tail"
  /** Rows wanted at most. */
  readonly rows: number
  /** Types shown; undefined shows every type. */
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
  /** Rows that pass the filters, oldest first; more than `limit` means that another page is certain. */
  readonly rows: ReadonlyArray<Row>
  readonly limit: number
  /** The position the read started after. */
  readonly after: number
  /** The last position looked at, filtered events included. */
  readonly readUpTo: number
  /** The read stopped before the end of the stream. */
  readonly stoppedEarly: boolean
  /** The request was held open before it was answered. */
  readonly waited: boolean
}

/** The page of one read and where the next one starts. */
export interface ListenSlice<Row> {
  readonly data: ReadonlyArray<Row>
  readonly has_more: boolean
  /** The position inside `next_cursor`. It never moves back. */
  readonly position: number
  readonly next_poll_after_ms: number
}

/**
 * Cuts a page: the cursor marks how far the read got, also on an empty page, and a page that was cut leads straight to
 * the next. A-LSN-01..03, gaps-1 L "Cursor and poll delay"
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

/** Page size when `limit` is absent. A-LSN-04 */
export const defaultListenLimit = 20

/** Open long polls one key may hold. gaps-1 L "Long poll limits" */
const openPollsPerKey = 5

/** The holder of polls that people's pages wait in; it stands where the id of a key stands. */
export const consoleHolder = "console"

/** Live streams of people in one environment. */
const mostStreams = 20

/** Returns how many polls a holder may have open. */
export const openPollsOf = (holder: string): number => (holder === consoleHolder ? mostStreams : openPollsPerKey)
