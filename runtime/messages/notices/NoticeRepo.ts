import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dueColumns, dueJoins } from "../facts/DueRepo.ts"
import type { NoticedMessage } from "./NoticedMessage.ts"

/** The messages that the calls about one number name. */
interface AskedNotices {
  readonly environment_id: string
  readonly id: string
  readonly providerIds: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
}

/**
 * Finds messages of a number by the provider's ids, and by our ids that it returned. Concurrent passes of many numbers
 * share one statement.
 */
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
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = yield* readTogether(
        (asks: ReadonlyArray<AskedNotices>) =>
          Effect.map(many(sql.unsafe<NoticedRow>(noticedSql, asked(asks))), (rows) => {
            const found = asks.map((): Array<NoticedMessage> => [])
            for (const row of rows) found[row.ask - 1]?.push(row)
            return found
          }),
        { sizeOf: ({ ids, providerIds }) => ids.length + providerIds.length }
      )
      return NoticeRepo.of({
        find: ({ environment_id, id }, providerIds, ids) =>
          providerIds.length + ids.length === 0 ? Effect.succeed([]) : find({ environment_id, id, providerIds, ids })
      })
    })
  )
}

const asked = (asks: ReadonlyArray<AskedNotices>): ReadonlyArray<unknown> => {
  const texts = (values: ReadonlyArray<string>) => arrayParameter("text", values)
  const listed = (list: (ask: AskedNotices) => ReadonlyArray<string>) => [
    arrayParameter(
      "int4",
      asks.flatMap((ask, n) => list(ask).map(() => n + 1))
    ),
    texts(asks.flatMap(list))
  ]
  return [
    texts(asks.map(({ environment_id }) => environment_id)),
    texts(asks.map(({ id }) => id)),
    ...listed(({ providerIds }) => providerIds),
    ...listed(({ ids }) => ids)
  ]
}

// Written so that the planner looks up each id by its index. Our own ids find only messages that none of the provider's
// ids finds, so that no message is found twice and whole rows need no comparison.
const noticedSql = `with asked as materialized (
    select k.ask::int4 as ask, k.environment_id, k.business_id
    from unnest($1::text[], $2::text[]) with ordinality as k(environment_id, business_id, ask)
  ), named as materialized (select k.ask, k.id from unnest($3::int4[], $4::text[]) as k(ask, id)),
  noticed as (
    select n.ask, m.* from named k join asked n on n.ask = k.ask cross join lateral (select * from messages m
      where m.provider_message_id = k.id and m.provider = 'upstream' and m.business_id = n.business_id limit 2) m
    union all
    select n.ask, m.* from unnest($5::int4[], $6::text[]) as k(ask, id) join asked n on n.ask = k.ask
    cross join lateral (select * from messages m where m.environment_id = n.environment_id and m.id = k.id
      and m.business_id = n.business_id and m.direction = 'outbound' limit 1) m
    where m.provider_message_id is null or (n.ask, m.provider_message_id) not in (select p.ask, p.id from named p)
  )
  select m.ask, ${dueColumns}, m.environment_id, m.direction from noticed m ${dueJoins}`

interface NoticedRow extends NoticedMessage {
  /** The position of the number among the reads, from 1. */
  readonly ask: number
}
