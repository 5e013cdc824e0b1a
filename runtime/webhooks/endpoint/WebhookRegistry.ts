import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { CreateWebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../../platform/http/contract/Reply.ts"
import type { ApiCall } from "../../platform/tenancy/ApiCall.ts"

/** What the actions of the room know of their caller. */
export type WebhookCall = ApiCall<"environment_id" | "environment">

/** Registers receivers: the limit of an environment is decided where the row is written. A-WHE-13, A-WHE-14, A-WHE-23 */
export class WebhookRegistry extends Context.Service<
  WebhookRegistry,
  {
    /** Answers 201 with the signing secret; the URL was vetted before. */
    register(call: WebhookCall, body: CreateWebhookEndpoint): Effect.Effect<Reply, ApiError>
  }
>()("@carteiro/runtime/webhooks/endpoint/WebhookRegistry") {}
