import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { BillingNotice } from "./NoticeRepo.ts"

/** Notices that owners and admins have not acted on yet. gaps-3 E "Failure notification" */
export class Notices extends Context.Service<
  Notices,
  {
    /** Returns notices newest first, at most ten. */
    open(organizationId: string): Effect.Effect<ReadonlyArray<BillingNotice>>
    /** Removes a notice from the dashboard of all members; an unknown notice changes nothing. */
    dismiss(organizationId: string, id: string, memberId: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/notices/Notices") {}
