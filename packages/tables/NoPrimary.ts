import { ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"
import type { ServerState } from "./PrimaryChoice.ts"
import { failureText, sqlErrorCode } from "./SqlFailure.ts"
import { isUnready } from "./StartPatience.ts"

/** One server that `DATABASE_URL` names, and its last answer or failure; undefined before both. */
export interface LookedAt {
  readonly server: string
  readonly standing: ServerState | SqlError | undefined
}

/** Why no statement can run: how each server stands, and the first failure that is none of being away. */
class NoPrimary extends Error {
  readonly code = "ENOPRIMARY"
  readonly refusal: { readonly server: string; readonly error: SqlError } | undefined

  constructor(servers: ReadonlyArray<LookedAt>) {
    super(servers.map(({ server, standing }) => `${new URL(server).host} ${standingText(standing)}`).join(", "))
    this.refusal = servers
      .flatMap(({ server, standing }) => (isSqlError(standing) ? [{ server, error: standing }] : []))
      .find(({ error }) => isOwnFault(error))
  }
}

/**
 * Ends the name of a session with which a node looks at a server that takes writes and that it refuses, so that anybody at
 * that server sees it in `pg_stat_activity`.
 */
export const refusingSuffix = "-refuses-watch"

/** Returns the failure of a statement for which no server takes writes. */
export const noPrimary = (servers: ReadonlyArray<LookedAt>): SqlError => {
  const cause = new NoPrimary(servers)
  return new SqlError({ reason: new ConnectionError({ cause, message: cause.message, operation: "connect" }) })
}

/** True when every server refuses for a reason that a person has to correct, so that waiting is of no use. */
export const areAllRefusing = (servers: ReadonlyArray<LookedAt>): boolean =>
  servers.every(({ standing }) => isSqlError(standing) && isOwnFault(standing))

/** True when a server is slow or not ready yet, and none refuses for a reason that a person has to correct. */
export const mayAnswerSoon = (servers: ReadonlyArray<LookedAt>): boolean => {
  const failures = servers.flatMap(({ standing }) => (isSqlError(standing) ? [standing] : []))
  return failures.some(isUnready) && !failures.some(isOwnFault)
}

/**
 * Returns the server that refused the user, the database or the way of connecting, and how, where that is why no server
 * takes writes.
 */
export const refusalOf = (error: SqlError): NoPrimary["refusal"] => {
  const { cause } = error.reason
  return cause instanceof NoPrimary ? cause.refusal : undefined
}

const standingText = (standing: LookedAt["standing"]): string => {
  if (standing === undefined) return "was not looked at"
  if (isSqlError(standing)) {
    if (isOwnFault(standing)) return `refuses: ${failureText(standing)}`
    return `does not answer (${sqlErrorCode(standing) ?? failureText(standing)})`
  }
  return standing.timeline === undefined ? "is a standby" : "takes writes and may not be used (the log has the reason)"
}

const socketCode = /^E[A-Z]+$/

/** A server that starts, stops or is full comes back by itself; what a person has to correct does not. */
const isOwnFault = (error: SqlError): boolean => {
  const code = sqlErrorCode(error)
  if (code === undefined) return error.reason._tag !== "ConnectionError" || failureText(error).includes("TLS")
  return !socketCode.test(code) && !/^(?:08|53|57)/.test(code)
}
