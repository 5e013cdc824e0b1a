import { Context } from "effect"

/** Time limits at which PostgreSQL ends work on a connection, in milliseconds; 0 sets no limit. */
export interface ConnectionLimits {
  /** The longest run of a statement. */
  readonly statementMs: number
  /** The longest wait of a statement for a row or table that another transaction has locked. */
  readonly lockMs: number
  /** The longest pause of a transaction between two statements. */
  readonly idleInTransactionMs: number
}

/**
 * The limits for statements that callers wait for. A commit that meets a locked row is bisected at once, so the wait
 * for a lock is short.
 */
export const servingLimits: ConnectionLimits = { statementMs: 5000, lockMs: 500, idleInTransactionMs: 10_000 }

/** The limits for tools without a deadline. */
export const patientLimits: ConnectionLimits = { statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 }

/**
 * The longest time for a read, its wait for a connection included, in milliseconds. It is a little longer than
 * PostgreSQL's own statement limit, so that it ends only the wait for a server that is silent.
 */
export const ReadPatience = Context.Reference<number>("@carteiro/tables/ReadPatience", {
  defaultValue: () => patienceWith(servingLimits)
})

/** Returns the patience for the limits of a connection. */
export const patienceWith = ({ statementMs }: ConnectionLimits): number => statementMs + 1000

/** Returns the limits as parameters of a session. TCP detects a vanished peer within half a minute. */
export const sessionParameters = ({ idleInTransactionMs, lockMs, statementMs }: ConnectionLimits) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "20000"
})
