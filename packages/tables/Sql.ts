import type { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { type ConnectionLimits, patientLimits, sessionParameters } from "./ConnectionLimits.ts"
import { rowTypes } from "./RowTypes.ts"
import { makeClient } from "./Sessions.ts"

export interface SqlOptions {
  /** Shown in `pg_stat_activity`; names the process and its role. */
  readonly applicationName: string
  /** Upper bound of the pool; 10 when left out. Connections open on demand and leave after a minute without use. */
  readonly maxConnections?: number
  /** Pipelines statements of several fibers on one connection; transactions still reserve one. Off when left out. */
  readonly multiplex?: boolean
  /** Time limits that the server enforces; those of patient tools when left out. */
  readonly limits?: ConnectionLimits
  /** Every transaction of these sessions refuses to write. Off when left out. */
  readonly readOnly?: boolean
}

/**
 * `SqlClient` over one pool. What rows hold: `int8` is a number while it is a safe integer and a bigint beyond,
 * `timestamptz` is epoch milliseconds, `numeric` a string, `bytea` a `Uint8Array`. A string parameter is bound without a
 * type, so that PostgreSQL derives it from the statement; `instant` binds an instant. Architecture, section 1
 */
export const layer = (url: string, options: SqlOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    makeClient(
      { ...clientConfig(url, options.applicationName), ...pool(options) },
      {
        ...planning,
        ...sessionParameters(options.limits ?? patientLimits),
        ...(options.readOnly === true ? { default_transaction_read_only: "on" } : {})
      }
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** The settings of a single connection with the same row types, for the few who need no pool. */
export const clientConfig = (url: string, applicationName: string): PgClient.PgClientConfig => ({
  url: Redacted.make(url),
  applicationName,
  types: rowTypes(),
  connectTimeout: "5 seconds",
  keepAlive: "10 seconds",
  // Poolers know this one. Limits and plans are set once the session stands.
  startupParameters: { timezone: "UTC" }
})

// Every statement is written for an index and for batches of any size. A plan made while a table was nearly empty would
// otherwise scan it, and go on doing so while it grows; and planning anew costs more than most statements do.
const planning = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" }

const pool = (options: SqlOptions) => ({
  maxConnections: options.maxConnections ?? 10,
  multiplex: options.multiplex ?? false
})
