import { Clock, Effect } from "effect"
import type { OwnerHandle } from "../Owner.ts"
import { type AskedTrace, duringSpan, type SpanAttributes, Tracing } from "../telemetry/Tracing.ts"
import type { Ended, QueueRow, QueueRows } from "./QueueRows.ts"

/** Limits of one read. */
export interface ReadLimits {
  /** The most rows, including those under way that are still due in the table. */
  readonly rows: number
  /** The most bytes of bodies; the first row comes whatever its size. */
  readonly bytes: number
}

/** The rows that one read found; `next` is the instant at which the next row becomes due, in epoch milliseconds. */
export interface DueRows<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: number | undefined
}

/**
 * One kind of outbound work: how its rows are found, reserved, called and ended. It is made once a node and shared by
 * all owners of a type; data of a single owner is in its `State`. See `README.md`.
 */
export interface QueueKind<State, Terms, Row extends QueueRow, Result> {
  /**
   * The most rows read beyond those that can start now; reading ahead does not reserve. With 0, a row is read only when it
   * may start.
   */
  readonly ahead: number
  /** The most ended rows in one commit. */
  readonly writeAtOnce: number
  /** The pause after a failed write of ended rows, in milliseconds. */
  readonly retryMs: number
  /** The time for which a stopping node waits for answers, in milliseconds. */
  readonly drainMs: number
  /** The longest call in milliseconds, for calls that have no time limit of their own. */
  readonly callMs?: number
  /** Makes the memory of one owner's queue, with its rules; `owner` returns the owner under its present lease. */
  readonly makeRows: (owner: () => OwnerHandle) => QueueRows<Terms, Row, Result>
  /** Returns the terms under which rows may leave. */
  readonly terms: (state: State) => Terms
  /**
   * Returns the destination of the owner's calls: owners with an equal destination share its part of the node's
   * sockets.
   */
  readonly destination: (state: State) => string
  /** Returns the number of rows that the owner's rate allows now; without it there is no rate. */
  readonly allowance?: (state: State, owner: OwnerHandle) => number
  /** Ends waiting rows in the table that must not leave any more; true while there may be more of them. */
  readonly cancelWaiting?: (state: State, owner: OwnerHandle) => Effect.Effect<boolean>
  readonly read: (state: State, owner: OwnerHandle, limits: ReadLimits) => Effect.Effect<DueRows<Row>>
  /**
   * Commits that these rows leave, and returns those that may, for rows that must never be sent twice. Without it a row
   * that has no result is due again.
   */
  readonly reserve?: (rows: ReadonlyArray<Row>, state: State, owner: OwnerHandle) => Effect.Effect<ReadonlyArray<Row>>
  /** Makes one call. Undefined when this node lacked the means to make it: the row is due again. */
  readonly call: (row: Row, state: State, owner: OwnerHandle) => Effect.Effect<Result | undefined>
  /** Returns the span of a row's call: its name and the trace that asked for it. Without it calls have no span. */
  readonly trace?: (row: Row, state: State, owner: OwnerHandle) => CallTrace
  /** Returns the result of a call that died, or that took longer than `callMs`. */
  readonly broken: (row: Row) => Result
  /** Writes ended rows, in order; false when they were not written. */
  readonly end: (batch: ReadonlyArray<Ended<Row, Result>>, state: State, owner: OwnerHandle) => Effect.Effect<boolean>
}

/** The span of one call, as a kind names it. */
export interface CallTrace extends AskedTrace {
  readonly name: string
  readonly attributes: SpanAttributes
}

/** Returns the kind with a span around each call, on a node that traces. */
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

/** Makes one call on the owner's clock; every failure becomes a result. */
export const callOf = <State, Terms, Row extends QueueRow, Result>(
  kind: QueueKind<State, Terms, Row, Result>,
  row: Row,
  state: State,
  owner: OwnerHandle
): Effect.Effect<Result | undefined> =>
  Effect.provideService(
    Effect.catchDefect(
      Effect.suspend(() => kind.call(row, state, owner)),
      (defect) => Effect.as(Effect.logError("a call could not be made", { row: row.id, defect }), kind.broken(row))
    ),
    Clock.Clock,
    owner.clock
  )
