import { dayMs, formatTimestamp, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { many } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** How many notices of a field an account got that have no meaning here. */
export interface IgnoredField {
  readonly biz_account_id: string
  /** The environments that are connected to the account, joined by commas. */
  readonly environments: string
  readonly field: string
  readonly count: number
  readonly last_at: string
  /** The newest one as JSON; null where its field may speak of customers. */
  readonly content: string | null
}

/** Fields that speak of the account alone; all others may name customers, and are counted without their content. */
const ofAccounts: ReadonlySet<string> = new Set(["account_alerts", "security", "payment_configuration_update"])

/** The longest field and content that are kept, in characters, and the most fields of an account and day. */
const longestField = 64
const longestContent = 2048
const mostFields = 50

const countNotice = defineWrite({
  name: "ignored_notices.count",
  columns: {
    biz_account_id: "text",
    field: "text",
    count: "int4",
    at: "timestamptz",
    call: "text",
    content: "text"
  },
  // A call that is worked on again is counted once. Beyond the bound, only fields that the day knows are counted.
  sql: (source) => `insert into ignored_notices as n (biz_account_id, field, day, count, last_at, last_call, content)
    select r.biz_account_id, r.field, (r.at at time zone 'UTC')::date, sum(r.count), max(r.at), max(r.call), max(r.content)
    from ${source} r
    where exists (select 1 from ignored_notices k where k.biz_account_id = r.biz_account_id and k.field = r.field
        and k.day = (r.at at time zone 'UTC')::date)
      or (select count(*) from ignored_notices k where k.biz_account_id = r.biz_account_id
        and k.day = (r.at at time zone 'UTC')::date) < ${mostFields}
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (biz_account_id, field, day) do update set
      count = n.count + excluded.count, last_at = greatest(n.last_at, excluded.last_at),
      last_call = excluded.last_call, content = coalesce(excluded.content, n.content)
      where n.last_call < excluded.last_call`,
  target: ({ biz_account_id, field }) => `${biz_account_id} ${field}`
})

/** Returns the rows that count the ignored notices of one call about an account; `at` in epoch milliseconds. U-ACC-02 */
export const ignoredRows = (
  biz_account_id: string,
  notices: ReadonlyArray<{ readonly field: string; readonly value: unknown }>,
  call: { readonly id: string; readonly at: number }
): ReadonlyArray<Row> => {
  const fields = new Map<string, { count: number; content: string | null }>()
  for (const { field, value } of notices) {
    const name = field.slice(0, longestField).toWellFormed()
    const known = fields.get(name)
    if (known === undefined && fields.size === mostFields) continue
    fields.set(name, { count: (known?.count ?? 0) + 1, content: contentOf(field, value) })
  }
  return [...fields].map(([field, counted]) =>
    countNotice.row({ biz_account_id, field, ...counted, at: call.at, call: call.id })
  )
}

const contentOf = (field: string, value: unknown): string | null => {
  if (!ofAccounts.has(field)) return null
  const text = JSON.stringify(value) ?? ""
  return text.length > longestContent || text.includes("\\u0000") ? null : text
}

/** Reads what is ignored, for operators. */
export class IgnoredNotices extends Context.Service<
  IgnoredNotices,
  {
    /** Returns the fields of the last seven days by account, those that came last first. */
    list(account: string | undefined, limit: number): Effect.Effect<ReadonlyArray<IgnoredField>>
  }
>()("@carteiro/runtime/provider-connections/account/IgnoredNotices") {
  static readonly layer = Layer.effect(
    IgnoredNotices,
    Effect.map(SqlClient.SqlClient, (sql) =>
      IgnoredNotices.of({
        list: (account, limit) =>
          many(
            sql<Omit<IgnoredField, "last_at"> & { readonly last_at: number }>`select n.biz_account_id, n.field,
                sum(n.count)::int4 as count, max(n.last_at) as last_at,
                (array_agg(n.content order by n.last_at desc) filter (where n.content is not null))[1] as content,
                coalesce((select string_agg(distinct c.environment_id, ',') from provider_connections c
                  where c.biz_account_id = n.biz_account_id and c.provider = 'upstream'
                    and c.status in ('connected', 'suspended')), '') as environments
              from ignored_notices n where ${account ?? null}::text is null or n.biz_account_id = ${account ?? null}::text
              group by n.biz_account_id, n.field order by max(n.last_at) desc, n.biz_account_id, n.field limit ${limit}`,
            (row): IgnoredField => ({ ...row, last_at: formatTimestamp(row.last_at) })
          )
      })
    )
  )
}

/** How long counts and contents are kept, in milliseconds. U-ACC-02 */
const keptMs = 7 * dayMs

/** Deletes what was ignored more than seven days ago. */
export const ignoredNoticesJob: Job = {
  name: "ignored notices",
  everyMs: hourMs,
  run: Effect.gen(function* () {
    yield* deleteUpTo("ignored_notices", "last_at", (yield* Clock.currentTimeMillis) - keptMs)
  })
}
