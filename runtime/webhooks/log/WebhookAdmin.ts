import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { WebhookEvent, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Context, Effect, Layer } from "effect"
import { parseId } from "../../platform/ids/Ids.ts"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import { maxEndpoints, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { WebhookEndpointEntity } from "../owner/WebhookEndpointEntity.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { WebhookEventRepo } from "./WebhookEventRepo.ts"

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
>()("@carteiro/runtime/webhooks/log/WebhookAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpointRepo
      const events = yield* WebhookEventRepo
      const owners = yield* WebhookEndpointEntity.client
      const found = (environmentId: string, id: string) =>
        parseId("we", id) ? endpoints.find(environmentId, id) : Effect.undefined
      return WebhookAdmin.of({
        endpoints: (environmentId, kind) =>
          Effect.map(endpoints.list(environmentId, undefined, maxEndpoints), (rows) =>
            rows.map((row) => readEndpoint(row, kind))
          ),
        endpoint: (environmentId, kind, id) =>
          Effect.map(found(environmentId, id), (row) => (row === undefined ? undefined : readEndpoint(row, kind))),
        deliveries: (environmentId, wanted, count) =>
          Effect.map(events.select(environmentId, wanted, count), (rows) => rows.map(readWebhookEvent)),
        delivery: (environmentId, id) =>
          parseId("whe", id)
            ? Effect.map(events.select(environmentId, { ids: [id] }, 1), (rows) => rows.map(readWebhookEvent)[0])
            : Effect.undefined,
        setStatus: Effect.fnUntraced(function* (environment_id, id, status, trace_id) {
          if ((yield* found(environment_id, id)) === undefined) return yield* new WebhookEndpointNotFound()
          yield* owners.Update(id, { environment_id, trace_id, status })
        })
      })
    })
  )
}
