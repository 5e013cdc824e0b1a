import { many, one } from "@carteiro/tables/Read.ts"
import { jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import { insertInto } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { FeedbackReportRow } from "./FeedbackRead.ts"
import type { StorableReport } from "./ReportRules.ts"
import { feedbackReportsTable } from "./ReportTables.ts"

/** The author of a report, from the calling key only. */
export interface ReportAuthor {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly api_key_id: string
}

const insertReport = insertInto(feedbackReportsTable, {
  columns: [
    "environment_id",
    "id",
    "organization_id",
    "project_id",
    "api_key_id",
    "message",
    "related_error",
    "context",
    "redacted",
    "created_at"
  ],
  values: { origin: "'api'", updated_at: "r.created_at" }
})

/** Reports that came through the API, always within one environment. */
export class FeedbackRepo extends Context.Service<
  FeedbackRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<FeedbackReportRow | undefined>
    /** Returns reports newest first, after the report with that id. */
    list(
      environmentId: string,
      after: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<FeedbackReportRow>>
    insert(id: string, author: ReportAuthor, report: StorableReport, at: number): Row
  }
>()("@carteiro/runtime/feedback/report/FeedbackRepo") {
  static readonly layer = Layer.effect(
    FeedbackRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select f.id, f.status, f.message, f.created_at, l.disposition, l.public_summary,
          l.published_at
        from feedback_reports f
        left join lateral (
          select disposition, public_summary, published_at from feedback_resolutions
          where environment_id = f.environment_id and feedback_report_id = f.id
          order by number desc limit 1
        ) l on true`)
      return FeedbackRepo.of({
        find: (environmentId, id) =>
          one(sql<FeedbackReportRow>`${select}
            where f.environment_id = ${environmentId} and f.id = ${id} and f.origin = 'api'`),
        list: (environmentId, after, count) =>
          many(sql<FeedbackReportRow>`${select} where f.environment_id = ${environmentId} and f.origin = 'api'
            ${after === undefined ? sql.literal("") : sql`and f.id < ${after}`}
            order by f.id desc limit ${count}`),
        insert: (id, author, report, at) =>
          insertReport.row({
            environment_id: author.environment_id,
            organization_id: author.organization_id,
            project_id: author.project_id,
            api_key_id: author.api_key_id,
            id,
            message: report.message,
            related_error: jsonTextOrNull(report.related_error),
            context: jsonTextOrNull(report.context),
            redacted: report.redacted,
            created_at: at
          })
      })
    })
  )
}
