import type { Duplex } from "node:stream"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { type ConnectionLimits, patientLimits, sessionParameters } from "./ConnectionLimits.ts"
import { tlsChoice } from "./DatabaseTls.ts"
import { primarySessions } from "./PrimarySessions.ts"
import { rowTypes } from "./RowTypes.ts"
import { serverUrls } from "./ServerUrls.ts"
import { clientOver, makeSessions, type Sessions } from "./Sessions.ts"

export interface SqlOptions {
  /** Shown in `pg_stat_activity`; names the process and its role. */
  readonly applicationName: string
  /** The largest size of the pool; 10 by default. Connections open on demand and close within two minutes without use. */
  readonly maxConnections?: number
  /** Pipelines statements of several fibers on one connection; transactions still reserve one. Off by default. */
  readonly multiplex?: boolean
  /** Time limits that the server enforces; those of patient tools by default. */
  readonly limits?: ConnectionLimits
  /** Refuses writes in every transaction of these sessions. Off by default. */
  readonly readOnly?: boolean
  /**
   * Lets PostgreSQL scan tables in these sessions, for statements over a few rows that no index serves. Off by default.
   */
  readonly scansTables?: boolean
  /** The longest time for one connection to open, in milliseconds; 5000 by default. */
  readonly connectTimeoutMs?: number
}

/**
 * `SqlClient` over one pool. Row values: `int8` is a number while it is a safe integer and a bigint beyond,
 * `timestamptz` is epoch milliseconds, `numeric` a string, `bytea` a `Uint8Array`. A string parameter is bound without
 * a type, so that PostgreSQL derives it from the statement; `instant` binds an instant. A URL with several servers leads
 * to the one that takes writes.
 */
export const layer = (url: string, options: SqlOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, Effect.flatMap(openSessions(url, options), clientOver)).pipe(
    Layer.provide(Reactivity.layer)
  )

/** Opens the pool of such a client. Of a URL with several servers, it leads to the one that takes writes. */
export const openSessions = (
  url: string,
  options: SqlOptions
): Effect.Effect<Sessions, SqlError.SqlError, Scope.Scope> => {
  const settings = {
    ...(options.scansTables === true ? steadyPlans : { ...steadyPlans, ...indexPlans }),
    ...sessionParameters(options.limits ?? patientLimits),
    ...(options.readOnly === true ? { default_transaction_read_only: "on" } : {})
  }
  const config = (server: string, stream?: () => Duplex) => ({
    ...clientConfig(server, options.applicationName, stream),
    ...pool(options),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeout: options.connectTimeoutMs })
  })
  const servers = serverUrls(url) ?? []
  if (servers.length < 2) return makeSessions(config(url), settings)
  return primarySessions({
    servers,
    open: (server, stream) => makeSessions(config(server, stream), settings),
    look: (server) => clientConfig(server, `${options.applicationName}-watch`),
    applicationName: options.applicationName
  })
}

/**
 * Returns the settings of a single connection with these row types, for code that needs no pool; `dial` opens its sockets
 * where the caller keeps hold of them.
 */
export const clientConfig = (url: string, applicationName: string, dial?: () => Duplex): PgClient.PgClientConfig => ({
  url: Redacted.make(url),
  ...tlsChoice(url, dial),
  applicationName,
  types: rowTypes(),
  connectTimeout: "5 seconds",
  keepAlive: "10 seconds",
  // Poolers know this parameter. Limits and plans are set once the session exists.
  startupParameters: { timezone: "UTC" }
})

// Planning again costs more than most statements, and compiling a plan costs more than all of them: until version 18 a
// plan that scans where it should not counts as so dear that PostgreSQL compiles it each time.
const steadyPlans = { plan_cache_mode: "force_generic_plan", jit: "off" }

// Every statement is written for an index and for batches of any size. A plan made while a table was nearly empty would
// otherwise scan it, and still scan it as it grows.
const indexPlans = { enable_seqscan: "off" }

const pool = (options: SqlOptions) => ({
  maxConnections: options.maxConnections ?? 10,
  multiplex: options.multiplex ?? false
})
