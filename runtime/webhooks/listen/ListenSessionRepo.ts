import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ListenSession } from "./ListenSession.ts"
import type { MadeSession, StoredStatus } from "./ListenSessionOpenings.ts"
import { listenSessionColumns, webhookListenSessionsTable } from "./ListenTables.ts"

/** Rows of `webhook_listen_sessions`, always within one environment. */
export class ListenSessionRepo extends Context.Service<
  ListenSessionRepo,
  {
    /** Returns a session with the known end of its owning key. */
    find(environmentId: string, id: string): Effect.Effect<ListenSession | undefined>
    /** Returns the session stored as active, if any; its time may be over. */
    findActive(environmentId: string): Effect.Effect<ListenSession | undefined>
    /** Returns when these keys end or ended (epoch milliseconds); keys without an end are absent. */
    keyEnds(environmentId: string, apiKeyIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, number>>
    /** Inserts a session and ends the one that it replaces; returns its id. */
    insert(environmentId: string, made: MadeSession): Row
    /** Stores the end of a session. */
    end(environmentId: string, id: string, ended: StoredStatus): Row
  }
>()("@carteiro/runtime/webhooks/listen/ListenSessionRepo") {
  static readonly layer = Layer.effect(
    ListenSessionRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = (where: string, parameters: ReadonlyArray<unknown>) =>
        one(
          sql.unsafe<ListenSession>(
            `select ${listenSessionColumns.of("s")},
                  least(k.revoked_at, k.expires_at) as key_ends_at
                from webhook_listen_sessions s
                left join api_keys k on k.environment_id = s.environment_id and k.id = s.api_key_id
                where ${where}`,
            parameters
          )
        )
      return ListenSessionRepo.of({
        find: (environmentId, id) => select("s.environment_id = $1 and s.id = $2", [environmentId, id]),
        findActive: (environmentId) => select("s.environment_id = $1 and s.status = 'active'", [environmentId]),
        keyEnds: (environmentId, apiKeyIds) =>
          Effect.map(
            many(
              sql.unsafe<{ readonly id: string; readonly ends_at: number }>(
                `select id, least(revoked_at, expires_at) as ends_at from api_keys
                  where environment_id = $1 and id = any($2::text[]) and least(revoked_at, expires_at) is not null`,
                [environmentId, arrayParameter("text", apiKeyIds)]
              )
            ),
            (rows) => new Map(rows.map((row) => [row.id, row.ends_at]))
          ),
        insert: (environmentId, { session, stored, reason, ended }) =>
          insertWrite.row({
            environment_id: environmentId,
            id: session.id,
            api_key_id: session.api_key_id,
            status: stored.status,
            reason,
            trace_id: session.trace_id,
            created_at: session.created_at,
            expires_at: session.expires_at,
            disabled_at: stored.disabled_at,
            window_from: lowestIdAt("evt", session.created_at),
            ended_id: ended?.id ?? null,
            ended_status: ended?.status ?? null,
            ended_at: ended?.disabled_at ?? null
          }),
        end: (environmentId, id, { status, disabled_at }) =>
          endWrite.row({ environment_id: environmentId, id, status, disabled_at })
      })
    })
  )
}

const place = rowOf("webhook_listen_sessions", "environment_id")

/** The name under which inserted ids are returned. */
export const sessionInserted = "webhook_listen_sessions.insert"

// The insert reads the number of rows that the update ended, so that the earlier session ends first.
const insertWrite = defineWrite({
  name: sessionInserted,
  columns: {
    environment_id: "text",
    id: "text",
    api_key_id: "text",
    status: "text",
    reason: "text",
    trace_id: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz",
    disabled_at: "timestamptz",
    window_from: "text",
    ended_id: "text",
    ended_status: "text",
    ended_at: "timestamptz"
  },
  target: place,
  returns: true,
  before: [
    {
      name: "webhook_listen_sessions_ended",
      sql: (source) => `update webhook_listen_sessions s set status = r.ended_status, disabled_at = r.ended_at
        from ${source} r
        where s.environment_id = r.environment_id and s.id = r.ended_id and s.status = 'active'
        returning s.id`
    }
  ],
  sql: (source) => `insert into webhook_listen_sessions
      (environment_id, id, api_key_id, status, reason, trace_id, start_position, created_at, expires_at, disabled_at)
    select r.environment_id, r.id, r.api_key_id, r.status, r.reason, r.trace_id,
      coalesce(
        (select min(o.position) - 1 from outbox_events o
          where o.environment_id = r.environment_id and o.id >= r.window_from),
        (select c.position from outbox_counters c where c.environment_id = r.environment_id),
        0
      ),
      r.created_at, r.expires_at, r.disabled_at
    from ${source} r
    where (select count(*) from webhook_listen_sessions_ended) >= 0
    on conflict do nothing
    returning id as key`
})

const endWrite = updateOf(webhookListenSessionsTable, {
  name: "webhook_listen_sessions.end",
  set: ["status", "disabled_at"],
  where: "t.status = 'active'",
  target: place
})
