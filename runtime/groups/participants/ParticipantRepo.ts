import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { GroupPlace } from "../group/GroupState.ts"
import { groupParticipationsTable } from "./ParticipantTables.ts"
import type { Membership, ToldParticipation } from "./Participation.ts"

/** A participant as stored before a report about them. */
export interface KnownParticipant {
  readonly membership: Membership | undefined
  /** True when this action of this participant at this second was reported before. */
  readonly isRepeated: boolean
}

/** Participants of groups, and every distinct join and removal. */
export class ParticipantRepo extends Context.Service<
  ParticipantRepo,
  {
    known(group: GroupPlace, participation: ToldParticipation): Effect.Effect<KnownParticipant>
    /** Returns distinct joins and removals of a group, the latest first. */
    latest(
      group: GroupPlace,
      count: number
    ): Effect.Effect<ReadonlyArray<Pick<ToldParticipation, "action" | "at" | "chat_id">>>
    /** Returns the rows of a new join or removal, and of the resulting membership. */
    rows(group: GroupPlace, participation: ToldParticipation, membership: Membership): ReadonlyArray<Row>
  }
>()("@carteiro/runtime/groups/participants/ParticipantRepo") {
  static readonly layer = Layer.effect(
    ParticipantRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ParticipantRepo.of({
        known: ({ environment_id, id }, { action, at, chat_id }) =>
          Effect.map(
            one(sql<KnownRow>`select p.is_member, p.joined_at, p.latest_at, exists (
                select 1 from group_participations e where e.environment_id = ${environment_id} and e.group_id = ${id}
                  and e.chat_id = ${chat_id} and e.action = ${action} and e.occurred_at = ${instant(at)}) as is_repeated
              from (select 1) here left join group_participants p
                on p.environment_id = ${environment_id} and p.group_id = ${id} and p.chat_id = ${chat_id}`),
            (row): KnownParticipant => ({
              membership:
                row === undefined || row.latest_at === null
                  ? undefined
                  : { is_member: row.is_member === true, joined_at: row.joined_at, latest_at: row.latest_at },
              isRepeated: row?.is_repeated === true
            })
          ),
        latest: ({ environment_id, id }, count) =>
          many(sql<Pick<ToldParticipation, "action" | "at" | "chat_id">>`select chat_id, action, occurred_at as at
            from group_participations where environment_id = ${environment_id} and group_id = ${id}
            order by occurred_at desc, chat_id, action limit ${count}`),
        rows: ({ environment_id, id: group_id }, { action, at, chat_id }, membership) => {
          const place = { environment_id, group_id, chat_id }
          return [
            insertParticipation.row({ ...place, action, occurred_at: at }),
            saveParticipant.row({ ...place, ...membership })
          ]
        }
      })
    )
  )
}

interface KnownRow {
  readonly is_member: boolean | null
  readonly joined_at: number | null
  readonly latest_at: number | null
  readonly is_repeated: boolean
}

const place = { environment_id: "text", group_id: "text", chat_id: "text" } as const

const insertParticipation = insertInto(groupParticipationsTable, {
  columns: ["environment_id", "group_id", "chat_id", "action", "occurred_at"],
  conflict: "ignore"
})

const saveParticipant = defineWrite({
  name: "group_participants.save",
  columns: { ...place, is_member: "bool", joined_at: "timestamptz", latest_at: "timestamptz" },
  target: rowOf("group_participants", "environment_id", "group_id", "chat_id"),
  sql: (source) => `insert into group_participants as t (environment_id, group_id, chat_id, is_member, joined_at,
      joined_told, latest_at)
    select r.environment_id, r.group_id, r.chat_id, r.is_member, r.joined_at,
      case when r.is_member then nextval('group_participants_told') end, r.latest_at
    from ${source} r order by r.environment_id, r.group_id, r.chat_id
    on conflict (environment_id, group_id, chat_id) do update set is_member = excluded.is_member,
      joined_at = excluded.joined_at, latest_at = excluded.latest_at,
      joined_told = case when t.is_member and t.joined_at = excluded.joined_at then t.joined_told
        else excluded.joined_told end`
})
