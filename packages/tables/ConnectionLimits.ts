import { Context } from "effect"

/** Time limits at which PostgreSQL ends work on a connection, in milliseconds; 0 sets no limit. */
export interface ConnectionLimits {
  /** A statement that runs longer. */
  readonly statementMs: number
  /** A statement that waits longer for a row or table somebody else holds. */
  readonly lockMs: number
  /** A transaction in which nothing is asked for longer. */
  readonly idleInTransactionMs: number
}

/**
 * For what callers wait for. A commit that meets a locked row is bisected at once, so the wait for a lock is short.
 * Architecture, section 9
 */
export const servingLimits: ConnectionLimits = { statementMs: 5000, lockMs: 500, idleInTransactionMs: 10_000 }

/** For tools that nobody waits for with a deadline. */
export const patientLimits: ConnectionLimits = { statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 }

/**
 * How long a read may take, its wait for a connection included, in milliseconds: a little longer than PostgreSQL lets a
 * statement run, so that only a server which says nothing at all is given up.
 */
export const ReadPatience = Context.Reference<number>("@carteiro/tables/ReadPatience", {
  defaultValue: () => patienceWith(servingLimits)
})

/** The patience that fits the limits of a connection. */
export const patienceWith = ({ statementMs }: ConnectionLimits): number => statementMs + 1000

/** The limits as parameters of a session. A peer that vanished without a word is noticed by TCP within half a minute. */
export const sessionParameters = ({ idleInTransactionMs, lockMs, statementMs }: ConnectionLimits) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "20000"
})
