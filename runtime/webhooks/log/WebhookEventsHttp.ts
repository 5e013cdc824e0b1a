import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { WebhookEventNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { WebhookEventsApi } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { wantedTypes } from "../endpoint/EventFilter.ts"
import { openEvents, openPage } from "./OpenedEvents.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { WebhookEventRepo } from "./WebhookEventRepo.ts"
import { WebhookResends } from "./WebhookResends.ts"

/** Routes of the delivery log under `/v1/webhook-events`. A-WHV */
export const WebhookEventsHttp = Routes.group(
  WebhookEventsApi,
  Effect.gen(function* () {
    const repo = yield* WebhookEventRepo
    const bodies = yield* EventBodies
    const resends = yield* WebhookResends
    const cursors = yield* Cursors

    return Routes.handlers(WebhookEventsApi, {
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const { webhook_endpoint_id: endpoint_id, status } = query
        const wanted = { types: wantedTypes(query), endpoint_id, status, isPage: true }
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) =>
            Effect.flatMap(repo.walk(scope, { before, ...wanted }, count), ({ rows, walked_to }) =>
              Effect.map(openPage(bodies, rows), (opened) => ({ rows: opened, walked_to }))
            ),
          readWebhookEvent
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const id = params.webhook_event_id
        const [event] = parseId("whe", id) ? yield* repo.select(caller.environment_id, { ids: [id] }, 1) : []
        if (event === undefined) return yield* new WebhookEventNotFound()
        const [opened = event] = yield* openEvents(bodies, [event])
        return reply({ traceId }, 200, readWebhookEvent(opened))
      }),

      resend: (request) => resends.one(request, request.params.webhook_event_id),

      bulkResend: (request) => resends.many(request, request.body)
    })
  })
)
