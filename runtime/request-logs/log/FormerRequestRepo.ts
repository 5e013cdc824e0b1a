import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { one } from "@carteiro/tables/Read.ts"
import type { SelectedRow, TableRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { RequestLine } from "./RequestLines.ts"
import { areRefusals, matchesNothing, type RequestLogFilters, rangeOf, statusesOf } from "./RequestLogFilters.ts"
import { requestColumns, type requestLogsTable } from "./RequestLogTables.ts"

/** A row of `request_logs`; instants are epoch milliseconds. */
export type FormerRequestRow = SelectedRow<typeof requestColumns> & TableRow<typeof requestLogsTable, "details">

/**
 * Rows of `request_logs`, a row for each request, as nodes of the release before write them. They are read until their
 * retention ends, always within one environment.
 */
export class FormerRequestRepo extends Context.Service<
  FormerRequestRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<FormerRequestRow | undefined>
    /** Returns rows newest first, before the request `after`; at most `limit` rows, by a bounded walk. */
    list(
      environmentId: string,
      filters: RequestLogFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<RequestLine>>
  }
>()("@carteiro/runtime/request-logs/log/FormerRequestRepo") {
  static readonly layer = Layer.effect(
    FormerRequestRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const listed = sql.literal(requestColumns.list)
      return FormerRequestRepo.of({
        find: (environmentId, id) =>
          one(sql<FormerRequestRow>`select ${listed}, details from request_logs
            where environment_id = ${environmentId} and id = ${id}`),
        list: (environmentId, filters, after, limit) => {
          const { request_id, status, trace_id } = filters
          const { from, to } = rangeOf(filters, after)
          const along = [sql`environment_id = ${environmentId}`]
          if (matchesNothing(filters)) along.push(sql`false`)
          else if (request_id !== undefined) along.push(sql`id = ${request_id}`)
          if (to !== undefined) along.push(sql`id < ${to}`)
          if (from !== undefined) along.push(sql`id >= ${from}`)
          if (trace_id !== undefined) along.push(sql`trace_id = ${trace_id}`)
          if (areRefusals(filters)) along.push(sql`status >= 400`)
          const narrowed = (["code", "method", "route", "api_key_id"] as const).flatMap((name) => {
            const value = filters[name]
            return value === undefined || matchesNothing(filters) ? [] : [sql`${sql(name)} = ${value}`]
          })
          if (status !== undefined) {
            const [least, most] = statusesOf(status)
            narrowed.push(sql`status between ${least} and ${most}`)
          }
          return walk<SelectedRow<typeof requestColumns>>(sql, {
            table: "request_logs",
            along,
            narrowed,
            page: (conditions) =>
              sql`select ${listed} from request_logs where ${sql.and(conditions)} order by id desc limit ${limit}`
          })
        }
      })
    })
  )
}
