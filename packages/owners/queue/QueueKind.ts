import { Effect } from "effect"
import type { OwnerHandle } from "../owner/Owner.ts"
import { type AskedTrace, duringSpan, type SpanAttributes, Tracing } from "../tracing/Tracing.ts"
import type { Ended, QueueRow, QueueRows } from "./QueueRows.ts"

/** Limits of one reading. */
export interface ReadLimits {
  /** Rows at most, those under way included when they are still due in the table. */
  readonly rows: number
  /** Bytes of bodies at most; the first row comes whatever its size. */
  readonly bytes: number
}

/** Rows that one reading found; `next` is the instant at which the next row becomes due, in epoch milliseconds. */
export interface DueRows<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: number | undefined
}

/**
 * One kind of thing that leaves: what is due, how it is reserved, called and ended. Made once a node and shared by all
 * owners of a type: what belongs to one of them is in its `State`. See `README.md`.
 */
export interface QueueKind<State, Terms, Row extends QueueRow, Result> {
  /** Rows read beyond what can start now; reading ahead is not reserving. 0 reads each row only when it may start. */
  readonly ahead: number
  /** Ended rows written in one commit at most. */
  readonly writeAtOnce: number
  /** Pause after rows that were not written, in milliseconds. */
  readonly retryMs: number
  /** How long a stopping node waits for answers, in milliseconds. */
  readonly drainMs: number
  /** Longest call in milliseconds, for calls that do not end by themselves in time. */
  readonly callMs?: number
  /** Makes the memory of one owner's queue, with its rules; `owner` returns the owner under its present lease. */
  readonly makeRows: (owner: () => OwnerHandle) => QueueRows<Terms, Row, Result>
  /** Returns the terms under which rows may leave. */
  readonly terms: (state: State) => Terms
  /** Where its calls go: those who share a destination share its part of the node's sockets. */
  readonly destination: (state: State) => string
  /** Rows that may start now by the owner's rate; all of them when there is none. */
  readonly allowance?: (state: State, owner: OwnerHandle) => number
  /** Ends in the table what waits and must not leave any more; true while there may be more of it. */
  readonly cancelWaiting?: (state: State, owner: OwnerHandle) => Effect.Effect<boolean>
  readonly read: (state: State, owner: OwnerHandle, limits: ReadLimits) => Effect.Effect<DueRows<Row>>
  /**
   * Makes it durable that these rows leave, and answers those that may: for what must never be sent twice. Without it a
   * row that has no result is due again.
   */
  readonly reserve?: (rows: ReadonlyArray<Row>, state: State, owner: OwnerHandle) => Effect.Effect<ReadonlyArray<Row>>
  /** One call. Undefined when it was not made for want of something this node lacks: the row is due again. */
  readonly call: (row: Row, state: State, owner: OwnerHandle) => Effect.Effect<Result | undefined>
  /** The span of a row's call: its name and the trace that asked for it. Without this the calls have none. */
  readonly trace?: (row: Row, state: State, owner: OwnerHandle) => CallTrace
  /** The result of a call that broke, or that took longer than `callMs`. */
  readonly broken: (row: Row) => Result
  /** Writes what ended, in its order; false when it was not written. */
  readonly end: (batch: ReadonlyArray<Ended<Row, Result>>, state: State, owner: OwnerHandle) => Effect.Effect<boolean>
}

/** The span of one call, as a kind names it. */
export interface CallTrace extends AskedTrace {
  readonly name: string
  readonly attributes: SpanAttributes
}

/** Returns the kind with its calls under spans, on a node that traces. */
export const tracedKind = <State, Terms, Row extends QueueRow, Result>(
  kind: QueueKind<State, Terms, Row, Result>
): Effect.Effect<QueueKind<State, Terms, Row, Result>> =>
  Effect.map(Tracing, (tracing) => {
    const { call, trace } = kind
    if (tracing === undefined || trace === undefined) return kind
    return {
      ...kind,
      call: (row, state, owner) =>
        Effect.suspend(() => {
          const { attributes, name, ...asked } = trace(row, state, owner)
          const span = tracing.later(name, asked, attributes)
          const made = call(row, state, owner)
          return span === undefined ? made : duringSpan(tracing, span, made)
        })
    }
  })

/** One call within its bounds: whatever goes wrong with it is a result. */
export const callWithin = <State, Terms, Row extends QueueRow, Result>(
  kind: QueueKind<State, Terms, Row, Result>,
  row: Row,
  state: State,
  owner: OwnerHandle
): Effect.Effect<Result | undefined> => {
  const { callMs } = kind
  const call = Effect.suspend(() => kind.call(row, state, owner))
  const bounded =
    callMs === undefined
      ? call
      : Effect.timeoutOrElse(call, { duration: callMs, orElse: () => Effect.succeed(kind.broken(row)) })
  return Effect.catchDefect(bounded, (defect) =>
    Effect.as(Effect.logError("a call could not be made", { row: row.id, defect }), kind.broken(row))
  )
}
