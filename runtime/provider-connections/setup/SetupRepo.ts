import { one } from "@carteiro/tables/Read.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoredSetup } from "./SetupState.ts"
import { credentialSetupSessionsTable, setupColumns } from "./SetupTables.ts"

/** Rows of `credential_setup_sessions`. */
export class SetupRepo extends Context.Service<
  SetupRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredSetup | undefined>
    /** Returns a session for a member of the organization, by its id. */
    ofOrganization(organizationId: string, id: string): Effect.Effect<StoredSetup | undefined>
  }
>()("@carteiro/runtime/provider-connections/setup/SetupRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const row = sql.literal(setupColumns.list)
      return SetupRepo.of({
        find: (environmentId, id) =>
          one(sql<StoredSetup>`select ${row} from credential_setup_sessions
            where environment_id = ${environmentId} and id = ${id}`),
        ofOrganization: (organizationId, id) =>
          one(sql<StoredSetup>`select ${row} from credential_setup_sessions
            where id = ${id} and organization_id = ${organizationId}`)
      })
    })
  )
}

/** Inserts a session. */
export const insertSetup = insertInto(credentialSetupSessionsTable, {
  columns: [
    "environment_id",
    "id",
    "organization_id",
    "project_id",
    "environment",
    "target",
    "expires_at",
    "created_at"
  ],
  values: { status: "'pending'", updated_at: "r.created_at" }
})

const isOpen = (at: string) => `t.status = 'pending' and t.expires_at > r.${at}`

/** Completes a session, in the commit that stores its credentials. */
export const completeSetup = updateOf(credentialSetupSessionsTable, {
  name: "credential_setup_sessions.complete",
  set: ["provider_connection_id", "completed_stt_provider", "completed_by_role", "completed_at"],
  values: { status: "'completed'", updated_at: "r.completed_at" },
  guard: isOpen("completed_at"),
  returning: "t.id"
})

/** Denies a session. */
export const denySetup = updateOf(credentialSetupSessionsTable, {
  name: "credential_setup_sessions.deny",
  set: ["denied_at"],
  values: { status: "'denied'", updated_at: "r.denied_at" },
  guard: isOpen("denied_at"),
  returning: "t.id"
})
