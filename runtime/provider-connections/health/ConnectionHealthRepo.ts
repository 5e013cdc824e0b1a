import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountCapability } from "../connection/ConnectionChoice.ts"
import { providerConnectionsTable } from "../connection/ConnectionTables.ts"
import { openCredential } from "../connection/Credentials.ts"

/** The parts of a connection that its health check reads and writes. */
export interface WatchedConnection {
  readonly environment_id: string
  readonly id: string
  readonly biz_account_id: string | null
  /** JSON text. */
  readonly biz_account_send_capabilities: JsonText<ReadonlyArray<AccountCapability>>
  readonly token: Redacted.Redacted | undefined
  /** Epoch milliseconds. */
  readonly token_refused_at: number | null
  readonly attempts: number
  readonly revision: number
  /** Epoch milliseconds. */
  readonly due_at: number
}

/** An active number that the connection covers. */
export interface WatchedNumber {
  readonly id: string
  readonly upstream_phone_number_id: string
  readonly registration_state: string | null
  readonly registration_pin: Uint8Array | null
  /** Epoch milliseconds. */
  readonly registration_tried_at: number | null
}

/** Reads connected production accounts and their numbers. */
export class ConnectionHealthRepo extends Context.Service<
  ConnectionHealthRepo,
  {
    find(id: string): Effect.Effect<WatchedConnection | undefined>
    numbers(environmentId: string, bizAccountId: string): Effect.Effect<ReadonlyArray<WatchedNumber>>
  }
>()("@carteiro/runtime/provider-connections/health/ConnectionHealthRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      return ConnectionHealthRepo.of({
        find: (id) =>
          one(
            sql<
              Omit<WatchedConnection, "token"> & { readonly credential: Uint8Array | null }
            >`select environment_id, id,
                biz_account_id, biz_account_send_capabilities, credential, token_refused_at, health_attempts as attempts,
                revision::float8 as revision, health_due_at as due_at
              from provider_connections where id = ${id} and status = 'connected' and provider = 'upstream'
                and environment = 'production' and health_due_at is not null`,
            ({ credential, ...row }): WatchedConnection => ({ ...row, token: openCredential(secrets, row, credential) })
          ),
        numbers: (environmentId, bizAccountId) =>
          many(sql<WatchedNumber>`select id, upstream_phone_number_id, registration_state,
              registration_pin, registration_tried_at from phone_numbers
            where environment_id = ${environmentId} and biz_account_id = ${bizAccountId} and status = 'active'
              and environment = 'production' and upstream_phone_number_id is not null order by id`)
      })
    })
  )
}

/** Returns connections whose health check is due, one page along the index. */
export const dueConnections: DueOwners["due"] = (now, after, limit) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      many(sql<{ readonly id: string; readonly due: boolean }>`select id, health_due_at <= ${instant(now)}
          and status = 'connected' and environment = 'production' as due from provider_connections
        where health_due_at is not null and id > ${after} order by id limit ${limit}::int4`),
      (rows) => ({
        ids: rows.filter(({ due }) => due).map(({ id }) => id),
        next: rows.length < limit ? undefined : rows.at(-1)?.id
      })
    )
  )

/**
 * Writes the result of a health check, unless another write changed the connection meanwhile; null leaves a column
 * unchanged.
 */
export const recordHealth = updateOf(providerConnectionsTable, {
  name: "provider_connections.record_health",
  beside: { revision: "int8", token_known: "bool", subscription: "text", looked_at: "timestamptz" },
  set: [
    "token_refused_at",
    "biz_account_send_capabilities",
    "account_review_status",
    "health_due_at",
    "health_attempts"
  ],
  values: {
    token_refused_at: "case when r.token_known then r.token_refused_at else t.token_refused_at end",
    biz_account_send_capabilities: "coalesce(r.biz_account_send_capabilities, t.biz_account_send_capabilities)",
    account_review_status: "coalesce(r.account_review_status, t.account_review_status)",
    subscribed_at: `case r.subscription when 'subscribed' then coalesce(t.subscribed_at, r.looked_at)
      when 'refused' then null else t.subscribed_at end`,
    subscription_refused_at: `case r.subscription when 'refused' then coalesce(t.subscription_refused_at, r.looked_at)
      when 'subscribed' then null else t.subscription_refused_at end`
  },
  where: "t.status = 'connected' and t.revision = r.revision"
})
