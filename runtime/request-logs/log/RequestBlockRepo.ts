import { idOfTrace, lowestIdAt, ulidTimeOf } from "@carteiro/owners/Ulid.ts"
import { mostWalkedRows, type Walked } from "@carteiro/tables/BoundedWalk.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { blockSpanMs, type RequestBlock } from "./RequestBlock.ts"
import { type RequestLine, readLines } from "./RequestLines.ts"
import {
  areNarrowed,
  areRefusals,
  matcherOf,
  matchesNothing,
  type RequestLogFilters,
  rangeOf
} from "./RequestLogFilters.ts"
import { blockLineColumns } from "./RequestLogTables.ts"

/** A request in its block. */
export interface BlockedRequest {
  readonly line: RequestLine
  /** Its position among the requests of the block. */
  readonly position: number
  readonly block: Pick<RequestBlock, "environment_id" | "last_id" | "details">
}

/** Reads of `request_blocks`, always within one environment. */
export class RequestBlockRepo extends Context.Service<
  RequestBlockRepo,
  {
    /** Returns the request with an id of a request's form. */
    find(environmentId: string, id: string): Effect.Effect<BlockedRequest | undefined>
    /**
     * Returns requests newest first, before the request `after`; at most `limit`, by a bounded walk. `has_former` is false
     * where the environment has no request that the release before wrote.
     */
    list(
      environmentId: string,
      filters: RequestLogFilters,
      after: string | undefined,
      limit: number
    ): Effect.Effect<Walked<RequestLine> & { readonly has_former: boolean }>
  }
>()("@carteiro/runtime/request-logs/log/RequestBlockRepo") {
  static readonly layer = Layer.effect(
    RequestBlockRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      type BlockLines = SelectedRow<typeof blockLineColumns>
      type ListedBlock = BlockLines & { readonly has_former: boolean }
      const listed = sql.literal(blockLineColumns.list)
      const hasFormer = (environmentId: string) =>
        sql`exists (select 1 from request_logs where environment_id = ${environmentId}) as has_former`

      const find = Effect.fnUntraced(function* (environmentId: string, id: string) {
        const blocks = yield* many(sql<BlockLines & Pick<RequestBlock, "details">>`select ${listed}, details
          from request_blocks where environment_id = ${environmentId}
          and last_id >= ${id} and last_id < ${endOfSpan(id)} and first_id <= ${id} order by last_id`)
        for (const { details, last_id, lines, trace_id } of blocks) {
          const all = readLines(lines, trace_id)
          const position = all.findIndex((line) => line.id === id)
          const line = all[position]
          if (line !== undefined) return { line, position, block: { environment_id: environmentId, last_id, details } }
        }
        return undefined
      })

      /** Returns the line of the request whose own id tells the trace that a list is about. */
      const lineOfTrace = Effect.fnUntraced(function* (environmentId: string, trace: string | undefined) {
        const id = trace === undefined ? undefined : idOfTrace("req", trace)
        return id === undefined ? undefined : (yield* find(environmentId, id))?.line
      })

      const list = Effect.fnUntraced(function* (
        environmentId: string,
        filters: RequestLogFilters,
        after: string | undefined,
        limit: number
      ) {
        if (matchesNothing(filters)) return { rows: [], walked_to: null, has_former: false }
        const range = rangeOf(filters, after)
        const { request_id, trace_id } = filters
        const matches = matcherOf(filters, range)
        const along = [sql`environment_id = ${environmentId}`]
        if (range.from !== undefined) along.push(sql`last_id >= ${range.from}`)
        const to = request_id === undefined ? range.to : `${request_id}~`
        if (to !== undefined) along.push(sql`first_id < ${to}`, sql`last_id < ${endOfSpan(to)}`)
        if (request_id !== undefined) along.push(sql`last_id >= ${request_id}`)
        if (areRefusals(filters)) along.push(sql`refused`)
        if (trace_id !== undefined) along.push(sql`trace_id = ${trace_id}`)

        const own = yield* lineOfTrace(environmentId, trace_id)
        const rows = own !== undefined && matches(own) ? [own] : []
        let walked = 0
        let blocks = 0
        let before: string | undefined
        let has_former = true
        while (true) {
          const wanted = areNarrowed(filters) ? mostWalkedRows - walked : limit - rows.length
          const count = blocks === 0 ? firstBlocks(filters, limit) : blocksFor(wanted, walked, blocks)
          const conditions = before === undefined ? along : [...along, sql`last_id < ${before}`]
          const some = yield* many(sql<ListedBlock>`select ${listed}, ${hasFormer(environmentId)} from request_blocks
            where ${sql.and(conditions)} order by last_id desc limit ${count}`)
          for (const { lines, trace_id } of some) {
            const all = readLines(lines, trace_id)
            walked += all.length
            rows.push(...all.filter(matches))
          }
          rows.sort(newestFirst)
          blocks += some.length
          before = some.at(-1)?.last_id
          has_former = some[0]?.has_former ?? has_former
          if (before === undefined || some.length < count)
            return { rows: rows.slice(0, limit), walked_to: null, has_former }
          // Blocks further on hold only requests that are older than the last block's newest.
          const reached = before
          const whole = rows.filter(({ id }) => id >= reached)
          if (whole.length >= limit) return { rows: whole.slice(0, limit), walked_to: null, has_former }
          if (areNarrowed(filters) && walked >= mostWalkedRows) return { rows: whole, walked_to: reached, has_former }
        }
      })

      return RequestBlockRepo.of({ find, list })
    })
  )
}

/** The fewest and the most blocks that one statement of a walk reads. */
const fewestBlocks = 16
const mostBlocks = 1024

/** The requests that a block is taken to hold before any is read; one may hold a single request, or 256. */
const requestsOfABlock = 16

/** Returns how many blocks a walk begins with: more for the many requests of a file, whose blocks may hold one each. */
const firstBlocks = (filters: RequestLogFilters, limit: number): number =>
  areNarrowed(filters) ? fewestBlocks : Math.max(Math.ceil(limit / requestsOfABlock), fewestBlocks)

/** Returns how many blocks probably hold so many requests, as those of the walk so far did. */
const blocksFor = (wanted: number, walked: number, blocks: number): number =>
  Math.min(Math.max(Math.ceil((wanted * blocks) / walked), fewestBlocks), mostBlocks)

/** Returns the id that no request of a block with that id reaches. */
const endOfSpan = (id: string): string =>
  lowestIdAt("req", (Math.floor(ulidTimeOf(id.slice(0, 30)) / blockSpanMs) + 1) * blockSpanMs)

const newestFirst = (a: RequestLine, b: RequestLine): number => (a.id < b.id ? 1 : -1)
