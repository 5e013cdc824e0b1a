import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { openCredential, openWebhookSecret } from "../connection/Credentials.ts"
import type { StoredNumprov, StoredOperation, StoredResource } from "./NumprovState.ts"
import { numprovColumns, numprovInstants, operationColumns, resourceColumns } from "./NumprovTables.ts"

/** A due operation, with the key that it uses. */
export interface DueOperation {
  readonly environment_id: string
  readonly numprov_connection_id: string
  readonly environment: "sandbox" | "production"
  readonly status: StoredNumprov["status"]
  readonly id: string
  readonly kind: StoredOperation["kind"]
  readonly account_id: string
  readonly attempts: number
  readonly due_at: number
  /** Undefined when it cannot be decrypted. */
  readonly key: Redacted.Redacted | undefined
  /** The encrypted secrets of a rotation. */
  readonly asked: {
    readonly credential: Uint8Array | null
    readonly credential_last_four: string | null
    readonly webhook_secret: Uint8Array | null
  }
}

/** The accounts of tenants at the number provider, their operations and their numbers. */
export class NumprovRepo extends Context.Service<
  NumprovRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredNumprov | undefined>
    list(environmentId: string, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<StoredNumprov>>
    hasLive(environmentId: string): Effect.Effect<boolean>
    operation(environmentId: string, connectionId: string, id: string): Effect.Effect<StoredOperation | undefined>
    /** Returns the latest operation of each connection. */
    latest(
      environmentId: string,
      connectionIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, StoredOperation>>
    /** Returns numbers by descending id. */
    resources(
      environmentId: string,
      connectionId: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<StoredResource>>
    /** Returns one number. */
    resource(
      environmentId: string,
      connectionId: string,
      providerNumberId: string
    ): Effect.Effect<StoredResource | undefined>
    /** Returns the next operation of a connection, by the connection's id alone. */
    next(connectionId: string): Effect.Effect<DueOperation | undefined>
    /**
     * Returns the secret that signs the provider's calls; undefined for an unknown connection, null when the connection
     * has none.
     */
    webhookSecret(connectionId: string): Effect.Effect<Redacted.Redacted | null | undefined>
  }
>()("@carteiro/runtime/provider-connections/numprov/NumprovRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const row = sql.literal(`${numprovColumns.list}, webhook_secret is not null as webhook_secret_configured,
        ${numprovInstants.list}`)
      const operation = sql.literal(operationColumns.list)
      const resource = sql.literal(`provider_number_id as id, ${resourceColumns.list}`)
      return NumprovRepo.of({
        find: (environmentId, id) =>
          one(sql<StoredNumprov>`select ${row} from numprov_connections
            where environment_id = ${environmentId} and id = ${id}`),
        list: (environmentId, before, count) =>
          many(sql<StoredNumprov>`select ${row} from numprov_connections
            where environment_id = ${environmentId} and id < ${before ?? "~"} order by id desc limit ${count}`),
        hasLive: (environmentId) =>
          Effect.map(
            one(sql`select 1 as live from numprov_connections
              where environment_id = ${environmentId} and status in ('pending', 'connected')`),
            (found) => found !== undefined
          ),
        operation: (environmentId, connectionId, id) =>
          one(sql<StoredOperation>`select ${operation} from numprov_operations
            where environment_id = ${environmentId} and id = ${id} and numprov_connection_id = ${connectionId}`),
        latest: (environmentId, connectionIds) =>
          Effect.map(
            many(sql<StoredOperation>`select o.* from unnest(${arrayParameter("text", connectionIds)}) c(id)
              cross join lateral (select ${operation} from numprov_operations
                where environment_id = ${environmentId} and numprov_connection_id = c.id order by id desc limit 1) o`),
            (found) => new Map(found.map((one) => [one.numprov_connection_id, one]))
          ),
        resources: (environmentId, connectionId, before, count) =>
          many(sql<StoredResource>`select ${resource} from numprov_resources
            where environment_id = ${environmentId} and numprov_connection_id = ${connectionId}
              and provider_number_id < ${before ?? "~"}
            order by provider_number_id desc limit ${count}`),
        resource: (environmentId, connectionId, providerNumberId) =>
          one(sql<StoredResource>`select ${resource} from numprov_resources
            where environment_id = ${environmentId} and numprov_connection_id = ${connectionId}
              and provider_number_id = ${providerNumberId}`),
        next: (connectionId) =>
          one(
            sql<
              Omit<DueOperation, "key" | "asked"> & DueOperation["asked"] & { readonly present: Uint8Array | null }
            >`select o.environment_id, o.numprov_connection_id, c.environment, c.status, o.id, o.kind, c.account_id,
                o.attempts, o.due_at, o.credential, o.credential_last_four, o.webhook_secret, c.credential as present
              from numprov_operations o join numprov_connections c
                on c.environment_id = o.environment_id and c.id = o.numprov_connection_id
              where o.numprov_connection_id = ${connectionId} and o.due_at is not null order by o.due_at, o.id limit 1`,
            ({ credential, credential_last_four, present, webhook_secret, ...found }): DueOperation => ({
              ...found,
              asked: { credential, credential_last_four, webhook_secret },
              key: openCredential(
                secrets,
                { environment_id: found.environment_id, id: found.numprov_connection_id },
                credential ?? present
              )
            })
          ),
        webhookSecret: (id) =>
          one(
            sql<{ readonly environment_id: string; readonly webhook_secret: Uint8Array | null }>`select environment_id,
                webhook_secret from numprov_connections where id = ${id} and status in ('pending', 'connected')`,
            ({ environment_id, webhook_secret }) =>
              openWebhookSecret(secrets, { environment_id, id }, webhook_secret) ?? null
          )
      })
    })
  )
}

/** Returns connections with a due operation, one page along the index. */
export const dueNumprov: DueOwners["due"] = (now, after, limit) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      many(sql<{ readonly id: string; readonly due: boolean }>`select numprov_connection_id as id,
          min(due_at) <= ${instant(now)} as due from numprov_operations
        where due_at is not null and numprov_connection_id > ${after}
        group by numprov_connection_id order by numprov_connection_id limit ${limit}::int4`),
      (rows) => ({
        ids: rows.filter(({ due }) => due).map(({ id }) => id),
        next: rows.length < limit ? undefined : rows.at(-1)?.id
      })
    )
  )
