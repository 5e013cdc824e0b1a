import { clean } from "@carteiro/schema/conventions/Text.ts"
import { FeedbackReportNotFound, ReportStatusConflict } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { parseId, ulidTimeOf } from "../../platform/ids/Ids.ts"
import { mayMove } from "../report/ReportStatus.ts"
import { ReportAdmin } from "./ReportAdmin.ts"
import { moveReport, ReportAdminRepo } from "./ReportAdminRepo.ts"

export const ReportAdminLayer = Layer.effect(
  ReportAdmin,
  Effect.gen(function* () {
    const repo = yield* ReportAdminRepo
    const commit = yield* Commit
    const findAnywhere = (id: string) =>
      parseId("fbk", id)
        ? Effect.map(repo.select({ id, created_at: ulidTimeOf(id) }, 1), ([report]) => report)
        : Effect.undefined
    return ReportAdmin.of({
      find: (environmentId, id) =>
        Effect.map(repo.select({ environment_id: environmentId, id }, 1), ([found]) => found),
      list: (environmentId, after, count) => repo.select({ environment_id: environmentId, before: after }, count),
      findAnywhere,
      listEverywhere: (wanted, count) => repo.select(wanted, count),
      move: Effect.fnUntraced(function* (id, to, resolution, now) {
        const report = yield* findAnywhere(id)
        if (report === undefined) return yield* new FeedbackReportNotFound()
        if (!mayMove(report.status, to)) {
          return yield* new ReportStatusConflict({ message: `A report that is ${report.status} cannot become ${to}.` })
        }
        const published = resolution && {
          disposition: resolution.disposition,
          public_summary: clean(resolution.public_summary),
          published_at: now
        }
        const rows = [repo.move(report, to, now), ...(published === undefined ? [] : [repo.resolve(report, published)])]
        const written = yield* commit.write(rows)
        const after = yield* findAnywhere(id)
        if (!written(moveReport.name).has(id) || after === undefined) return yield* new ReportStatusConflict()
        return after
      })
    })
  })
)
