import { one } from "@carteiro/tables/Read.ts"
import type { TableRow } from "@carteiro/tables/Table.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoredSignup } from "./SignupState.ts"
import { signupColumns, upstreamSignupSessionsTable } from "./SignupTables.ts"

/** A session as the launch page reads it. */
export type LaunchedSignup = StoredSignup & TableRow<typeof upstreamSignupSessionsTable, "launch_hash">

/** Rows of `upstream_signup_sessions`. */
export class SignupRepo extends Context.Service<
  SignupRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<StoredSignup | undefined>
    /** Returns a session for the launch page, which has only the id and the token. */
    launched(id: string): Effect.Effect<LaunchedSignup | undefined>
  }
>()("@carteiro/runtime/provider-connections/signup/SignupRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const row = sql.literal(signupColumns.list)
      return SignupRepo.of({
        find: (environmentId, id) =>
          one(sql<StoredSignup>`select ${row} from upstream_signup_sessions
            where environment_id = ${environmentId} and id = ${id}`),
        launched: (id) =>
          one(sql<LaunchedSignup>`select ${row}, launch_hash from upstream_signup_sessions where id = ${id}`)
      })
    })
  )
}

/** Inserts a session. */
export const insertSignup = insertInto(upstreamSignupSessionsTable, {
  columns: [
    "environment_id",
    "id",
    "organization_id",
    "project_id",
    "environment",
    "api_key_id",
    "launch_hash",
    "return_url",
    "end_customer_ref",
    "expires_at",
    "created_at"
  ],
  values: { status: "'pending'", updated_at: "r.created_at" }
})

/** Begins a completion, unless another one is under way whose node is alive. */
export const beginSignup = updateOf(upstreamSignupSessionsTable, {
  name: "upstream_signup_sessions.begin",
  beside: { stale_before: "timestamptz" },
  set: ["processing_since"],
  values: { status: "'processing'", updated_at: "r.processing_since" },
  guard: `(t.status = 'pending' or (t.status = 'processing' and t.processing_since <= r.stale_before))
    and t.expires_at > r.processing_since`,
  returning: "t.id"
})

/** Ends a failed completion, so that another one may begin. */
export const abandonSignup = updateOf(upstreamSignupSessionsTable, {
  name: "upstream_signup_sessions.abandon",
  set: ["processing_since"],
  values: { status: "'pending'", processing_since: "null" },
  where: "t.status = 'processing' and t.processing_since = r.processing_since"
})

/**
 * Completes a session, in the commit of its connection; `processing_since` names the completion, null the one of the
 * API.
 */
export const completeSignup = updateOf(upstreamSignupSessionsTable, {
  name: "upstream_signup_sessions.complete",
  beside: { begun: "timestamptz" },
  set: ["provider_connection_id", "completed_at"],
  values: { status: "'completed'", processing_since: "null", updated_at: "r.completed_at" },
  guard: "t.status <> 'completed' and t.processing_since is not distinct from r.begun",
  returning: "t.id"
})
