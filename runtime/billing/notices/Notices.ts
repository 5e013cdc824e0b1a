import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { BillingNotice } from "./NoticeRepo.ts"

/** Notices that owners and admins have not acted on yet. gaps-3 E "Failure notification" */
export class Notices extends Context.Service<
  Notices,
  {
    /** Newest first, ten at most. */
    open(organizationId: string): Effect.Effect<ReadonlyArray<BillingNotice>>
    /** Takes a notice off the dashboard for everybody; one that is gone changes nothing. */
    dismiss(organizationId: string, id: string, memberId: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/notices/Notices") {}
