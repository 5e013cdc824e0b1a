import { Commit } from "@carteiro/owners/Commit.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { type BillingNotice, NoticeRepo } from "./NoticeRepo.ts"
import { dismissNotice } from "./NoticeWrites.ts"

/** What owners and admins have not seen to yet. gaps-3 E "Failure notification" */
export class Notices extends Context.Service<
  Notices,
  {
    /** Newest first, ten at most. */
    open(organizationId: string): Effect.Effect<ReadonlyArray<BillingNotice>>
    /** Takes a notice off the dashboard for everybody; one that is gone changes nothing. */
    dismiss(organizationId: string, id: string, memberId: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const repo = yield* NoticeRepo
      const commit = yield* Commit
      return Notices.of({
        open: repo.open,
        dismiss: (organization_id, id, dismissed_by, dismissed_at) =>
          Effect.asVoid(commit.write([dismissNotice.row({ organization_id, id, dismissed_at, dismissed_by })]))
      })
    })
  ).pipe(Layer.provide(NoticeRepo.layer))
}
