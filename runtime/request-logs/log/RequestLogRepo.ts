import { lowestIdAt, parseId } from "@carteiro/owners/Ids.ts"
import { hourMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { NotKept } from "./RequestBuffer.ts"
import { requestColumns, requestLogsTable } from "./RequestLogTables.ts"
import type { RequestLogRow, SealedRequest } from "./SealedRequest.ts"

/** The decoded filters of a list; an absent one filters nothing. */
export interface RequestLogFilters {
  readonly status?: string | undefined
  readonly code?: string | undefined
  readonly method?: string | undefined
  readonly route?: string | undefined
  readonly api_key_id?: string | undefined
  readonly request_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

/** A row as lists show it. */
export type ListedRequest = Omit<RequestLogRow, "details">

/** Rows of `request_logs` and `request_log_counts`; reads are always within one environment. */
export class RequestLogRepo extends Context.Service<
  RequestLogRepo,
  {
    /** Writes a batch in one statement; the counts belong to the hour of `at`, epoch milliseconds. */
    write(
      rows: ReadonlyArray<SealedRequest>,
      notKept: ReadonlyArray<NotKept>,
      at: number
    ): Effect.Effect<ReadonlyArray<unknown>>
    /** Returns the country in which the project of each environment reads phone numbers. */
    regions(environmentIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>>
    find(environmentId: string, id: string): Effect.Effect<RequestLogRow | undefined>
    /** Returns rows newest first, after the row `after`; at most `limit` rows, by a bounded walk. */
    list(
      environmentId: string,
      filters: RequestLogFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<ListedRequest>>
    /** Returns the sum of the requests not kept in the hours that the time filters touch. */
    notKept(
      environmentId: string,
      filters: Pick<RequestLogFilters, "created_after" | "created_before">
    ): Effect.Effect<Omit<NotKept, "environment_id">>
  }
>()("@carteiro/runtime/request-logs/log/RequestLogRepo") {
  static readonly layer = Layer.effect(
    RequestLogRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const listed = sql.literal(requestColumns.list)
      return RequestLogRepo.of({
        write: (rows, notKept, at) => many(sql.unsafe(writeSql, parametersOf(rows, notKept, at))),
        regions: (environmentIds) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly region: string }>`select e.id, p.default_region as region
              from environments e join projects p on p.organization_id = e.organization_id and p.id = e.project_id
              where e.id = any(${arrayParameter("text", environmentIds)})`),
            (rows) => new Map(rows.map(({ id, region }) => [id, region]))
          ),
        find: (environmentId, id) =>
          one(sql<RequestLogRow>`select ${listed}, details from request_logs
            where environment_id = ${environmentId} and id = ${id}`),
        list: (environmentId, filters, after, limit) => {
          const { api_key_id, code, created_after, created_before, request_id, status, trace_id } = filters
          const along = [sql`environment_id = ${environmentId}`]
          if (after !== undefined) along.push(sql`id < ${after}`)
          if (created_after !== undefined) along.push(sql`id >= ${boundOf(created_after, 1)}`)
          if (created_before !== undefined) along.push(sql`id < ${boundOf(created_before, 0)}`)
          if (request_id !== undefined) along.push(parseId("req", request_id) ? sql`id = ${request_id}` : sql`false`)
          // A text that is not a key's id matches no row and is not sent to the database.
          if (api_key_id !== undefined && !parseId("key", api_key_id)) along.push(sql`false`)
          if (trace_id !== undefined) along.push(sql`trace_id = ${trace_id}`)
          if (code !== undefined || (status ?? "") >= "4") along.push(sql`status >= 400`)
          const narrowed = (["code", "method", "route", "api_key_id"] as const).flatMap((name) => {
            const value = filters[name]
            return value === undefined || (name === "api_key_id" && !parseId("key", value))
              ? []
              : [sql`${sql(name)} = ${value}`]
          })
          if (status !== undefined) {
            const [least, most] = rangeOf(status)
            narrowed.push(sql`status between ${least} and ${most}`)
          }
          return walk<ListedRequest>(sql, {
            table: "request_logs",
            along,
            narrowed,
            page: (conditions) =>
              sql`select ${listed} from request_logs where ${sql.and(conditions)} order by id desc limit ${limit}`
          })
        },
        notKept: (environmentId, { created_after, created_before }) =>
          Effect.map(
            one(sql<Omit<NotKept, "environment_id">>`select coalesce(sum(sampled), 0)::int8 as sampled,
              coalesce(sum(dropped), 0)::int8 as dropped from request_log_counts where environment_id = ${environmentId}
              and hour >= ${instant(created_after === undefined ? 0 : hourOf(parseTimestamp(created_after) ?? 0))}
              and hour <= ${instant(created_before === undefined ? Number.POSITIVE_INFINITY : (parseTimestamp(created_before) ?? 0))}`),
            (row) => row ?? { sampled: 0, dropped: 0 }
          )
      })
    })
  )
}

const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs

const boundOf = (timestamp: string, later: number): string =>
  lowestIdAt("req", (parseTimestamp(timestamp) ?? 0) + later)

/** Returns the range of a status filter: `404`, or `4xx` for its whole class. */
const rangeOf = (status: string): readonly [number, number] => {
  const first = Number(status.replace("xx", "00"))
  return [first, status.endsWith("xx") ? first + 99 : first]
}

const names = [...requestColumns.names, "details", "subjects"] as const
/** Hashes of customers arrive as one text; the statement splits it. */
const typeOf = (name: (typeof names)[number]) =>
  name === "subjects" ? "text" : requestLogsTable.columns[name].parameter
const types = names.map((name, at) => `$${at + 1}::${typeOf(name)}[]`).join(", ")
const values = names.map((name) => (name === "subjects" ? "string_to_array(r.subjects, ',')" : `r.${name}`)).join(", ")

// Counts are locked in the order of their keys, so that two nodes cannot deadlock.
const writeSql = `with kept as (
    insert into request_logs (${names.join(", ")})
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
  rows: ReadonlyArray<SealedRequest>,
  notKept: ReadonlyArray<NotKept>,
  at: number
): ReadonlyArray<unknown> => [
  ...names.map((name) =>
    arrayParameter<"text">(
      typeOf(name) as "text",
      rows.map((row) => row[name] as string | null)
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
