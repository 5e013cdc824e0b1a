import { WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Effect, Layer } from "effect"
import { parseId } from "../../platform/ids/Ids.ts"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import { maxEndpoints, WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { WebhookEndpointEntity } from "../owner/WebhookEndpointEntity.ts"
import { WebhookAdmin } from "./WebhookAdmin.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { WebhookEventRepo } from "./WebhookEventRepo.ts"

export const WebhookAdminLayer = Layer.effect(
  WebhookAdmin,
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
