import type { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/**
 * True when the database could not be reached, or was lost while the statement ran (shut down, failed over, no
 * connection left): the statement may have run. Every other failure is an answer of the database.
 */
export const databaseAway = (error: SqlError): boolean => {
  const state = sqlState(error)
  if (state === undefined) return error.reason._tag === "ConnectionError"
  return awayStates.some((prefix) => state.startsWith(prefix))
}

/** True when the server rolled back the whole statement and asks for a retry. */
export const rolledBack = (error: SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" || heldUp(error)

/** True when the server ended the statement because of its duration, most often while it waited for a locked row. */
export const heldUp = (error: SqlError): boolean =>
  error.reason._tag === "LockTimeoutError" || error.reason._tag === "StatementTimeoutError"

/**
 * True when the server had no room for the statement, on its disk or in its memory. It answered, so that it rolled the
 * statement back, and the next one may find room.
 */
export const outOfRoom = (error: SqlError): boolean => {
  const state = sqlState(error)
  return state === "53100" || state === "53200"
}

/** Returns the SQLSTATE of the database, or the system's code for a connection that failed, such as `ECONNREFUSED`. */
export const sqlErrorCode = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined
  return typeof cause.code === "string" ? cause.code : undefined
}

/** Returns the database's own message in one line. The driver's message only says that a query failed. */
export const failureText = (error: SqlError): string => {
  const cause = error.reason.cause
  const message = cause instanceof Error ? cause.message : error.message
  return message.split("\n", 1)[0] ?? error.message
}

/** True for a failure of a statement that found no database. */
export const hasDatabaseAway = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some((error) => databaseAway(error))

/** True for a failure that a retry may avoid: no database, or a deadlock. */
export const hasPassingSqlError = (cause: Cause.Cause<unknown>): boolean =>
  sqlErrorsOf(cause).some((error) => databaseAway(error) || rolledBack(error))

/** Returns the failures of statements in a cause, expected or not. */
export const sqlErrorsOf = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const thrown = reason._tag === "Die" ? reason.defect : reason._tag === "Fail" ? reason.error : undefined
    return isSqlError(thrown) ? [thrown] : []
  })

// Connection exceptions; insufficient resources; shutdown and start-up; a read-only standby; a session ended because
// its transaction was idle.
const awayStates = ["08", "53", "57P", "25006", "25P03"]

const sqlState = (error: SqlError): string | undefined => {
  const code = sqlErrorCode(error)
  return code !== undefined && realState.test(code) ? code : undefined
}

// A class of two digits, or one of the four that begin with a letter: `EPIPE` and the like are errors of the socket.
const realState = /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/
