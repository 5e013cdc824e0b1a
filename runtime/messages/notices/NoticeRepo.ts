import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dueColumns, dueJoins } from "../facts/DueRepo.ts"
import type { NoticedMessage } from "./NoticedMessage.ts"

/** Messages of a number by the provider's ids, and by ours that it gave back. */
export class NoticeRepo extends Context.Service<
  NoticeRepo,
  {
    find(
      number: { readonly environment_id: string; readonly id: string },
      providerIds: ReadonlyArray<string>,
      ids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<NoticedMessage>>
  }
>()("@carteiro/runtime/messages/notices/NoticeRepo") {
  static readonly layer = Layer.effect(
    NoticeRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      NoticeRepo.of({
        find: (number, providerIds, ids) =>
          many(
            sql.unsafe<NoticedMessage>(noticedSql, [
              number.environment_id,
              number.id,
              arrayParameter("text", providerIds),
              arrayParameter("text", ids)
            ])
          )
      })
    )
  )
}

// Each id is looked up by its index, whatever the planner believes about the table. Our own ids find only messages that none
// of the provider's ids finds, so that no message is found twice and whole rows need not be compared.
const noticedSql = `with noticed as (
    select m.* from unnest($3::text[]) as k(id) cross join lateral (select * from messages m
      where m.provider_message_id = k.id and m.provider = 'upstream' and m.business_id = $2 limit 2) m
    union all
    select m.* from unnest($4::text[]) as k(id) cross join lateral (select * from messages m
      where m.environment_id = $1 and m.id = k.id and m.business_id = $2 and m.direction = 'outbound'
        and (m.provider_message_id is null or m.provider_message_id <> all($3::text[])) limit 1) m
  )
  select ${dueColumns}, m.environment_id, m.direction from noticed m ${dueJoins}`
