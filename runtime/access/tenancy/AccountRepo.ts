import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ApiKeyRow } from "../keys/ApiKeyRead.ts"
import { keyColumns, keyInstants } from "../keys/ApiKeyTables.ts"
import type { AccountRow } from "./AccountRead.ts"

/** The facts of one read for the profile of a key. */
export interface AccountFound {
  readonly account: AccountRow
  readonly key: ApiKeyRow
}

/** Reads the organization, project and environment of a key. */
export class AccountRepo extends Context.Service<
  AccountRepo,
  {
    /** Returns the key of one environment with its tenancy and the active owner who was created first. */
    find(environmentId: string, apiKeyId: string): Effect.Effect<AccountFound | undefined>
  }
>()("@carteiro/runtime/access/tenancy/AccountRepo") {
  static readonly layer = Layer.effect(
    AccountRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AccountRepo.of({
        find: (environmentId, apiKeyId) =>
          Effect.map(
            one(sql<AccountRow & ApiKeyRow>`select ${sql.literal(`${keyColumns.of("k")}, ${keyInstants.of("k")}`)},
                e.kind as environment,
                e.id as environment_id, o.id as organization_id, o.name as organization_name,
                o.created_at as organization_created_at, p.id as project_id, p.name as project_name,
                p.slug as project_slug, p.default_language as project_default_language,
                p.default_region as project_default_region,
                m.name as owner_name, m.email as owner_email
              from api_keys k
              join environments e on e.id = k.environment_id
              join projects p on p.organization_id = e.organization_id and p.id = e.project_id
              join organizations o on o.id = e.organization_id
              left join lateral (
                select name, email from members
                where organization_id = o.id and role = 'owner' and active
                order by created_at, id limit 1
              ) m on true
              where k.environment_id = ${environmentId} and k.id = ${apiKeyId}`),
            (row) => (row === undefined ? undefined : { account: row, key: row })
          )
      })
    )
  )
}
