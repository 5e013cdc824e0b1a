import { WebhookEventNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { WebhookEventsApi } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect } from "effect"
import { reply } from "../platform/http/Reply.ts"
import { Routes } from "../platform/http/Routes.ts"
import { parseId } from "../platform/ids/Ids.ts"
import { Cursors } from "../platform/paging/Cursors.ts"
import { listPage, pageSize } from "../platform/paging/Page.ts"
import { wantedTypes } from "./EventFilter.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { WebhookEventRepo } from "./WebhookEventRepo.ts"
import { WebhookResends } from "./WebhookResends.ts"

/** Routes of the delivery log under `/v1/webhook-events`. A-WHV */
export const WebhookEventsHttp = Routes.group(
  WebhookEventsApi,
  Effect.gen(function* () {
    const repo = yield* WebhookEventRepo
    const resends = yield* WebhookResends
    const cursors = yield* Cursors

    return Routes.handlers(WebhookEventsApi, {
      list: Effect.fnUntraced(function* ({ caller, query, operation, traceId }) {
        const scope = caller.environment_id
        const after = query.starting_after
        const before = after === undefined ? undefined : (yield* cursors.decode(operation, scope, after))[0]
        const size = pageSize(query.limit)
        const { webhook_endpoint_id: endpoint_id, status } = query
        const rows = yield* repo.select(scope, { before, types: wantedTypes(query), endpoint_id, status }, size + 1)
        const page = listPage(rows, size, readWebhookEvent, (last) => cursors.encode(operation, scope, [last.id]))
        return reply({ traceId }, 200, page)
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const id = params.webhook_event_id
        const [event] = parseId("whe", id) ? yield* repo.select(caller.environment_id, { ids: [id] }, 1) : []
        if (event === undefined) return yield* new WebhookEventNotFound()
        return reply({ traceId }, 200, readWebhookEvent(event))
      }),

      resend: (request) => resends.one(request, request.params.webhook_event_id),

      bulkResend: (request) => resends.many(request, request.body)
    })
  })
)
