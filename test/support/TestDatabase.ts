import { randomBytes } from "node:crypto"
import { type ConnectionLimits, patientLimits } from "@carteiro/tables/ConnectionLimits.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { inject } from "vitest"

/**
 * A database for one test file, dropped when its layer closes. `url` serves clients that tests start themselves, such
 * as server processes.
 */
export class TestDatabase extends Context.Service<TestDatabase, { readonly url: string }>()(
  "@carteiro/test/support/TestDatabase"
) {
  /** A clone of the migrated template, with `SqlClient` over it. */
  static readonly layer: Layer.Layer<TestServices, SqlError.SqlError> = Layer.suspend(() =>
    database(inject("postgres").template)
  )

  /** Such a clone for tests that hold transactions open beside each other, each on a connection of its own. */
  static readonly forManyTransactions: Layer.Layer<TestServices, SqlError.SqlError> = Layer.suspend(() =>
    database(inject("postgres").template, 16)
  )

  /** Uses an existing database, for products that take turns on one; `limits` may be those of production. */
  static readonly at = (url: string, limits?: ConnectionLimits): Layer.Layer<TestServices, SqlError.SqlError> =>
    over(url, limits)

  /** An empty database without any table, with `SqlClient` over it. */
  static readonly empty: Layer.Layer<TestServices, SqlError.SqlError> = Layer.suspend(() => database("template0"))
}

export type TestServices = TestDatabase | SqlClient.SqlClient

// A product begins with a hundred statements side by side. Each further connection costs PostgreSQL a process, and a
// parse and a plan of each statement that comes to it.
const fewConnections = 4
/** Beside a busy machine PostgreSQL takes seconds to answer a new connection. */
const connectTimeoutMs = 60_000

const database = (template: string, maxConnections = fewConnections): Layer.Layer<TestServices, SqlError.SqlError> =>
  Layer.unwrap(Effect.map(create(template), (url) => over(url, patientLimits, maxConnections)))

const over = (
  url: string,
  limits = patientLimits,
  maxConnections = fewConnections
): Layer.Layer<TestServices, SqlError.SqlError> =>
  Layer.merge(
    Layer.succeed(TestDatabase, { url }),
    Sql.layer(cheapest(url), { applicationName: "carteiro-test", maxConnections, limits, connectTimeoutMs })
  )

/** Returns the URL over the Unix socket for a database of the run's server, and any other as it is: of a proxy, say. */
const cheapest = (url: string): string => {
  const server = inject("postgres")
  const { host, pathname, search } = new URL(url)
  return host === new URL(server.url).host && search === "" ? named(server.socketUrl, pathname) : url
}

const named = (url: string, pathname: string): string => Object.assign(new URL(url), { pathname }).href

/** Makes a scoped database, for tests that need more than one. Returns its URL. */
export const create = (template: string = inject("postgres").template) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const name = `test_${process.pid}_${randomBytes(6).toString("hex")}`
        // Copied file by file, a database costs a third of one written page by page to the log.
        yield* asOwner(
          (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`.unprepared
        )
        return name
      }),
      (name) => Effect.orDie(asOwner((sql) => sql`drop database ${sql(name)} with (force)`.unprepared))
    ),
    (name) => named(inject("postgres").url, `/${name}`)
  )

const asOwner = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, use),
    Sql.layer(inject("postgres").socketUrl, {
      applicationName: "carteiro-test-owner",
      maxConnections: 1,
      connectTimeoutMs
    })
  )
