import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { WebhookEvent, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Context, type Effect } from "effect"

/** Receivers, deliveries and attempts as people look at them, within one environment. A-WHE-01..11, A-WHV-01..10 */
export class WebhookAdmin extends Context.Service<
  WebhookAdmin,
  {
    /** All of them, newest first; an environment holds few. */
    endpoints(environmentId: string, kind: EnvironmentKind): Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    endpoint(environmentId: string, kind: EnvironmentKind, id: string): Effect.Effect<WebhookEndpoint | undefined>
    /** Newest first, before the row with that id. */
    deliveries(
      environmentId: string,
      wanted: {
        readonly endpoint_id?: string | undefined
        readonly status?: WebhookEventStatus | undefined
        readonly before?: string | undefined
      },
      count: number
    ): Effect.Effect<ReadonlyArray<WebhookEvent>>
    delivery(environmentId: string, id: string): Effect.Effect<WebhookEvent | undefined>
    /** Stops or starts a receiver, as PATCH does. A-WHE-25..27 */
    setStatus(
      environmentId: string,
      id: string,
      status: "active" | "disabled",
      traceId: string
    ): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/webhooks/log/WebhookAdmin") {}
