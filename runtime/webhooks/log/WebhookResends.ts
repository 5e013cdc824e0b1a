import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { BulkResend } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../../platform/http/contract/Reply.ts"
import type { WebhookCall } from "../endpoint/WebhookRegistry.ts"

/** Sends events again on request; no two callers take one attempt number. A-WHV-17..23, gaps-1 K "Resend", "Bulk resend" */
export class WebhookResends extends Context.Service<
  WebhookResends,
  {
    /** Answers 202 with the attempt. */
    one(call: WebhookCall, id: string): Effect.Effect<Reply, ApiError>
    /** Answers 202 with counts and attempts; what cannot be sent again is skipped. */
    many(call: WebhookCall, body: BulkResend): Effect.Effect<Reply, ApiError>
  }
>()("@carteiro/runtime/webhooks/log/WebhookResends") {}
