import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { connectionColumns } from "./ConnectionTables.ts"
import { openCredential } from "./Credentials.ts"
import type { StoredConnection } from "./StoredConnection.ts"

/** Filters of a list of connections. */
export interface ConnectionFilter {
  readonly provider?: string | undefined
  readonly channel?: string | undefined
  readonly status?: string | undefined
}

/** Reads the connections that routes show and change, always within one environment. */
export class StoredConnectionRepo extends Context.Service<
  StoredConnectionRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredConnection | undefined>
    /** Returns connections newest first, after `before` when given, out of a bounded walk. */
    list(
      environmentId: string,
      filter: ConnectionFilter,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<StoredConnection>>
    /**
     * Returns the connections that are not disconnected, the dashboard's selection first, then the latest connected.
     */
    current(environmentId: string): Effect.Effect<ReadonlyArray<StoredConnection>>
    /** Returns the live upstream connection of a channel. */
    live(environmentId: string, channel: string): Effect.Effect<StoredConnection | undefined>
    /** Returns the credential in plain text; undefined when there is none. */
    credential(environmentId: string, id: string): Effect.Effect<Redacted.Redacted | undefined>
  }
>()("@carteiro/runtime/provider-connections/connection/StoredConnectionRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const row = sql.literal(columns)
      return StoredConnectionRepo.of({
        find: (environmentId, id) =>
          one(sql<StoredConnection>`select ${row} from provider_connections
            where environment_id = ${environmentId} and id = ${id}`),
        list: (environmentId, { channel, provider, status }, before, count) =>
          walk<StoredConnection>(sql, {
            table: "provider_connections",
            along: [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`],
            narrowed: [
              ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
              ...(channel === undefined ? [] : [sql`channel = ${channel}`]),
              ...(status === undefined ? [] : [sql`status = ${status}`])
            ],
            page: (conditions) => sql`select ${row} from provider_connections
              where ${sql.and(conditions)} order by id desc limit ${count}`
          }),
        current: (environmentId) =>
          many(sql<StoredConnection>`select ${row} from provider_connections
            where environment_id = ${environmentId} and status <> 'disconnected'
            order by selected_at desc nulls last, connected_at desc nulls last, id desc`),
        live: (environmentId, channel) =>
          one(sql<StoredConnection>`select ${row} from provider_connections
            where environment_id = ${environmentId} and provider = 'upstream' and channel = ${channel}
              and status in ('connected', 'suspended')`),
        credential: (environment_id, id) =>
          one(
            sql<{ readonly credential: Uint8Array | null }>`select credential from provider_connections
              where environment_id = ${environment_id} and id = ${id}`,
            ({ credential }) => openCredential(secrets, { environment_id, id }, credential)
          )
      })
    })
  )
}

const columns = `${connectionColumns.list}, webhook_secret is not null as webhook_secret_configured`
