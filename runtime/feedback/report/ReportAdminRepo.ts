import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { type JsonText, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ReportStatus } from "./ReportStatus.ts"
import { feedbackReportsTable, feedbackResolutionsTable } from "./ReportTables.ts"

/** The answer to a report; instants in milliseconds. */
export interface Resolution {
  readonly disposition: string
  readonly public_summary: string
  readonly published_at: number
}

/** A whole report, as its organization and the operators see it; instants in milliseconds. */
export interface ReportEntry {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly origin: "api" | "dashboard"
  readonly status: string
  readonly message: string
  readonly related_error: Readonly<Record<string, string>> | undefined
  readonly context: Readonly<Record<string, string>> | undefined
  readonly redacted: boolean
  readonly created_at: number
  readonly updated_at: number
  /** Newest first. */
  readonly resolutions: ReadonlyArray<Resolution>
}

const target = rowOf("feedback_reports", "id")

/** Writes the next status, if the report still has the status that was read. */
export const moveReport = updateOf(feedbackReportsTable, {
  name: "feedback_reports.move",
  set: ["status", "updated_at"],
  beside: { seen: "text" },
  guard: "t.status = r.seen",
  returning: "t.id",
  target
})

const insertResolution = insertInto(feedbackResolutionsTable, {
  columns: ["environment_id", "feedback_report_id", "number", "disposition", "public_summary", "published_at"],
  conflict: "ignore"
})

/** The filters of a list; an absent one filters nothing. */
export interface ReportSelection {
  readonly environment_id?: string | undefined
  readonly organization_id?: string | undefined
  readonly id?: string | undefined
  /** The instant in `id`, by which a report is found by its id alone; milliseconds. */
  readonly created_at?: number | undefined
  readonly before?: string | undefined
  readonly status?: ReportStatus | undefined
}

/** Whole reports with every resolution. */
export class ReportAdminRepo extends Context.Service<
  ReportAdminRepo,
  {
    /** Returns reports newest first. */
    select(wanted: ReportSelection, count: number): Effect.Effect<ReadonlyArray<ReportEntry>>
    /**
     * Returns the row of a status change; `feedback_reports.move` returns the id when the report still had its status.
     */
    move(report: ReportEntry, to: ReportStatus, at: number): Row
    resolve(report: ReportEntry, resolution: Resolution): Row
  }
>()("@carteiro/runtime/feedback/report/ReportAdminRepo") {
  static readonly layer = Layer.effect(
    ReportAdminRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ReportAdminRepo.of({
        select: (wanted, count) => {
          const conditions = [
            wanted.environment_id === undefined ? undefined : sql`f.environment_id = ${wanted.environment_id}`,
            wanted.organization_id === undefined ? undefined : sql`f.organization_id = ${wanted.organization_id}`,
            wanted.id === undefined ? undefined : sql`f.id = ${wanted.id}`,
            wanted.created_at === undefined ? undefined : sql`f.created_at = ${instant(wanted.created_at)}`,
            wanted.before === undefined ? undefined : sql`f.id < ${wanted.before}`,
            wanted.status === undefined ? undefined : sql`f.status = ${wanted.status}`
          ].filter((condition) => condition !== undefined)
          // Within an environment the primary key is walked backwards; across all environments the index by age.
          const order = wanted.environment_id === undefined ? "f.created_at desc, f.id desc" : "f.id desc"
          return many(
            sql<ReportRow>`select f.*, (
                select coalesce(json_agg(json_build_object('disposition', r.disposition,
                  'public_summary', r.public_summary,
                  'published_at', (extract(epoch from r.published_at) * 1000)::int8) order by r.number desc), '[]')
                from feedback_resolutions r
                where r.environment_id = f.environment_id and r.feedback_report_id = f.id
              )::text as resolutions
              from feedback_reports f where ${conditions.length === 0 ? sql.literal("true") : sql.and(conditions)}
              order by ${sql.literal(order)} limit ${count}`,
            fromRow
          )
        },
        move: ({ environment_id, id, status }, to, at) =>
          moveReport.row({ environment_id, id, seen: status, status: to, updated_at: at }),
        resolve: ({ environment_id, id, resolutions }, { disposition, public_summary, published_at }) =>
          insertResolution.row({
            environment_id,
            feedback_report_id: id,
            number: resolutions.length + 1,
            disposition,
            public_summary,
            published_at
          })
      })
    )
  )
}

interface ReportRow extends Omit<ReportEntry, "related_error" | "context" | "resolutions"> {
  readonly related_error: JsonText<Readonly<Record<string, string>>> | null
  readonly context: JsonText<Readonly<Record<string, string>>> | null
  readonly resolutions: JsonText<ReadonlyArray<Resolution>>
}

const fromRow = (row: ReportRow): ReportEntry => ({
  id: row.id,
  organization_id: row.organization_id,
  project_id: row.project_id,
  environment_id: row.environment_id,
  origin: row.origin,
  status: row.status,
  message: row.message,
  related_error: readJsonOrNull(row.related_error) ?? undefined,
  context: readJsonOrNull(row.context) ?? undefined,
  redacted: row.redacted,
  created_at: row.created_at,
  updated_at: row.updated_at,
  resolutions: readJson(row.resolutions)
})
