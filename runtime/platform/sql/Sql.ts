import { PgClient, PgTypes } from "@effect/sql-pg"
import { type Layer, Redacted, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface SqlOptions {
  /** Shown in `pg_stat_activity`; names the process and its role. */
  readonly applicationName: string
  /** Upper bound of the pool; 10 when left out. Connections open on demand and leave after a minute without use. */
  readonly maxConnections?: number
  /** Pipelines statements of several fibers on one connection; transactions still reserve one. Off when left out. */
  readonly multiplex?: boolean
}

/**
 * `SqlClient` and `PgClient` over one pool. What rows hold: `int8` is a number while it is a safe integer and a bigint
 * beyond, `numeric` is a string, `timestamptz` is a `Date`, `bytea` a `Uint8Array`. A `Date` parameter is bound as
 * `timestamptz`, a string without a type, so that PostgreSQL derives it from the statement. Architecture, section 1
 */
export const layer = (
  url: string,
  options: SqlOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  PgClient.layer({ ...clientConfig(url, options.applicationName), ...pool(options) })

/** The settings of a single connection with the same row types, for the few who need no pool. */
export const clientConfig = (url: string, applicationName: string): PgClient.PgClientConfig => ({
  url: Redacted.make(url),
  applicationName,
  types: rowTypes(),
  connectTimeout: "5 seconds",
  startupParameters: { timezone: "UTC", ...planning }
})

// Every statement is written for an index and for batches of any size. A plan made while a table was nearly empty would
// otherwise scan it, and go on doing so while it grows; and planning anew costs more than most statements do.
const planning = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" }

const pool = (options: SqlOptions) => ({
  maxConnections: options.maxConnections ?? 10,
  multiplex: options.multiplex ?? false
})

const rowTypes = (): PgTypes.Registry => {
  const registry = PgTypes.makeRegistry()
  registry.register(PgTypes.OID.int8, int8, { arrayOid: PgTypes.OID.int8Array })
  return registry
}

// Counters, positions and amounts fit a double exactly; a bigint would break JSON and arithmetic at every use.
const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const big = exact(value)
    if (big === undefined) return Result.fail(notAnInteger)
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, big)
    return Result.succeed(bytes)
  },
  decode: (bytes) => Result.succeed(readInt8(bytes, 0)),
  read: (bytes, offset) => Result.succeed(readInt8(bytes, offset)),
  write: (sink, value) => {
    const big = exact(value)
    if (big === undefined) return Result.fail(notAnInteger)
    sink.bigInt64(big)
    return Result.succeed(undefined)
  }
}

const notAnInteger = new PgTypes.CodecError({ message: "Expected a safe integer or a 64 bit bigint for int8" })

const exact = (value: number | bigint): bigint | undefined => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return BigInt.asIntN(64, value) === value ? value : undefined
}

const readInt8 = (bytes: Uint8Array, offset: number): number | bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 8)
  const value = view.getInt32(0) * 4_294_967_296 + view.getUint32(4)
  return Number.isSafeInteger(value) ? value : view.getBigInt64(0)
}
