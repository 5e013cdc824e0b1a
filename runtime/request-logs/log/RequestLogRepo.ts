import { hourMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { RequestBlock } from "./RequestBlock.ts"
import type { NotKept } from "./RequestBuffer.ts"
import type { RequestLogFilters } from "./RequestLogFilters.ts"
import { requestBlocksTable } from "./RequestLogTables.ts"

/** Writes of `request_blocks`, and rows of `request_log_counts`. */
export class RequestLogRepo extends Context.Service<
  RequestLogRepo,
  {
    /** Writes blocks and counts in one statement; the counts belong to the hour of `at`, epoch milliseconds. */
    write(
      blocks: ReadonlyArray<RequestBlock>,
      notKept: ReadonlyArray<NotKept>,
      at: number
    ): Effect.Effect<ReadonlyArray<unknown>>
    /** Returns the country in which the project of each environment reads phone numbers. */
    regions(environmentIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>>
    /** Returns the sum of the requests not kept in the hours that the time filters touch. */
    notKept(
      environmentId: string,
      filters: Pick<RequestLogFilters, "created_after" | "created_before">
    ): Effect.Effect<Omit<NotKept, "environment_id">>
  }
>()("@carteiro/runtime/request-logs/log/RequestLogRepo") {
  static readonly layer = Layer.effect(
    RequestLogRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      RequestLogRepo.of({
        write: (blocks, notKept, at) => many(sql.unsafe(writeSql, parametersOf(blocks, notKept, at))),
        regions: (environmentIds) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly region: string }>`select e.id, p.default_region as region
              from environments e join projects p on p.organization_id = e.organization_id and p.id = e.project_id
              where e.id = any(${arrayParameter("text", environmentIds)})`),
            (rows) => new Map(rows.map(({ id, region }) => [id, region]))
          ),
        notKept: (environmentId, { created_after, created_before }) =>
          Effect.map(
            one(sql<Omit<NotKept, "environment_id">>`select coalesce(sum(sampled), 0)::int8 as sampled,
              coalesce(sum(dropped), 0)::int8 as dropped from request_log_counts where environment_id = ${environmentId}
              and hour >= ${instant(created_after === undefined ? 0 : hourOf(parseTimestamp(created_after) ?? 0))}
              and hour <= ${instant(created_before === undefined ? Number.POSITIVE_INFINITY : (parseTimestamp(created_before) ?? 0))}`),
            (row) => row ?? { sampled: 0, dropped: 0 }
          )
      })
    )
  )
}

const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs

const names = [
  "environment_id",
  "last_id",
  "first_id",
  "production",
  "refused",
  "trace_id",
  "lines",
  "details",
  "subjects"
] as const
/** Marks of customers arrive as the text of an array, because rows have different numbers of them. */
const typeOf = (name: (typeof names)[number]) =>
  name === "subjects" ? "text" : requestBlocksTable.columns[name].parameter
const types = names.map((name, at) => `$${at + 1}::${typeOf(name)}[]`).join(", ")
const values = names.map((name) => (name === "subjects" ? "r.subjects::int8[]" : `r.${name}`)).join(", ")

// Counts are locked in the order of their keys, so that two nodes cannot deadlock.
const writeSql = `with kept as (
    insert into request_blocks (${names.join(", ")})
    select ${values} from unnest(${types}) as r(${names.join(", ")})
    on conflict do nothing
  )
  insert into request_log_counts as c (environment_id, hour, sampled, dropped)
  select n.environment_id, $${names.length + 4}::timestamptz, n.sampled, n.dropped
  from unnest($${names.length + 1}::text[], $${names.length + 2}::int8[], $${names.length + 3}::int8[])
    as n(environment_id, sampled, dropped)
  order by n.environment_id
  on conflict (environment_id, hour) do update
    set sampled = c.sampled + excluded.sampled, dropped = c.dropped + excluded.dropped`

const parametersOf = (
  blocks: ReadonlyArray<RequestBlock>,
  notKept: ReadonlyArray<NotKept>,
  at: number
): ReadonlyArray<unknown> => [
  ...names.map((name) =>
    arrayParameter<"text">(
      typeOf(name) as "text",
      blocks.map((block) => (name === "subjects" ? marksText(block.subjects) : (block[name] as string | null)))
    )
  ),
  arrayParameter(
    "text",
    notKept.map(({ environment_id }) => environment_id)
  ),
  arrayParameter(
    "int8",
    notKept.map(({ sampled }) => sampled)
  ),
  arrayParameter(
    "int8",
    notKept.map(({ dropped }) => dropped)
  ),
  instant(hourOf(at))
]

/** Returns marks as the text of an array. */
const marksText = (marks: ReadonlyArray<number> | null): string | null => (marks === null ? null : `{${marks.join()}}`)
