import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { FeedbackReportNotFound, ReportStatusConflict } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Context, Effect, Layer } from "effect"
import { moveReport, ReportAdminRepo, type ReportEntry } from "./ReportAdminRepo.ts"
import { type Disposition, mayMove, type ReportStatus } from "./ReportStatus.ts"

/** Reads and answers reports for operators; no route of the API changes them. gaps-1 H "Status and disposition values" */
export class ReportAdmin extends Context.Service<
  ReportAdmin,
  {
    /** Returns a report by id alone. */
    findAnywhere(id: string): Effect.Effect<ReportEntry | undefined>
    /** Returns reports of every organization or of one, newest first. */
    listEverywhere(
      wanted: { readonly status?: ReportStatus | undefined; readonly organization_id?: string | undefined },
      count: number
    ): Effect.Effect<ReadonlyArray<ReportEntry>>
    /** Changes a report's status, and publishes a resolution when one is given. */
    move(
      id: string,
      to: ReportStatus,
      resolution: { readonly disposition: Disposition; readonly public_summary: string } | undefined,
      now: number
    ): Effect.Effect<ReportEntry, ApiError>
  }
>()("@carteiro/runtime/feedback/report/ReportAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReportAdminRepo
      const commit = yield* Commit
      const findAnywhere = (id: string) =>
        parseId("fbk", id)
          ? Effect.map(repo.select({ id, created_at: ulidTimeOf(id) }, 1), ([report]) => report)
          : Effect.undefined
      return ReportAdmin.of({
        findAnywhere,
        listEverywhere: (wanted, count) => repo.select(wanted, count),
        move: Effect.fnUntraced(function* (id, to, resolution, now) {
          const report = yield* findAnywhere(id)
          if (report === undefined) return yield* new FeedbackReportNotFound()
          if (!mayMove(report.status, to)) {
            return yield* new ReportStatusConflict({
              message: `A report that is ${report.status} cannot become ${to}.`
            })
          }
          const published = resolution && {
            disposition: resolution.disposition,
            public_summary: clean(resolution.public_summary),
            published_at: now
          }
          const rows = [
            repo.move(report, to, now),
            ...(published === undefined ? [] : [repo.resolve(report, published)])
          ]
          const written = yield* commit.write(rows)
          const after = yield* findAnywhere(id)
          if (!written(moveReport.name).has(id) || after === undefined) return yield* new ReportStatusConflict()
          return after
        })
      })
    })
  )
}
