import { Admission } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { withClaim } from "@carteiro/http-edge/Pipeline.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { WebhookEndpointsApi } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Effect, Result } from "effect"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { spanOffence } from "../recovery/RecoverySpan.ts"
import { WebhookRecoveries } from "../recovery/WebhookRecoveries.ts"
import { WebhookEndpointCommands } from "./WebhookEndpointCommands.ts"

/** Routes of `/v1/webhook-endpoints`. A-WHE, A-WHT */
export const WebhookEndpointsHttp = Routes.group(
  WebhookEndpointsApi,
  Effect.gen(function* () {
    const commands = yield* WebhookEndpointCommands
    const recoveries = yield* WebhookRecoveries
    const repo = yield* WebhookEndpointRepo
    const admission = yield* Admission
    const cursors = yield* Cursors

    /** Refuses an unsafe URL by its text, before any name is resolved. */
    const checkUrl = ({ url }: { readonly url?: string | undefined }) => {
      const refusal = commands.refusedUrl(url)
      return refusal === undefined ? undefined : Result.fail(refusal)
    }

    return Routes.handlers(WebhookEndpointsApi, {
      create: Routes.checked(checkUrl, (request) => commands.create(request, request.body)),

      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const size = pageSize(query.limit)
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size },
          (before, count) => repo.list(scope, before, count),
          (row) => readEndpoint(row, caller.environment)
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const id = params.webhook_endpoint_id
        const endpoint = parseId("we", id) ? yield* repo.find(caller.environment_id, id) : undefined
        if (endpoint === undefined) return yield* new WebhookEndpointNotFound()
        return reply({ traceId }, 200, readEndpoint(endpoint, caller.environment))
      }),

      update: Routes.checked(checkUrl, (request) =>
        commands.update(request, request.params.webhook_endpoint_id, request.body)
      ),

      delete: (request) => commands.remove(request, request.params.webhook_endpoint_id),

      rotateSecret: (request) => commands.rotateSecret(request, request.params.webhook_endpoint_id),

      recover: (request) => recoveries.start(request, request.params.webhook_endpoint_id, request.body),

      // The 404 comes first, then the test limit, replays included, then the idempotency key. gaps-1 A "Order of checks in one request"
      test: Effect.fnUntraced(function* (request) {
        const id = request.params.webhook_endpoint_id
        yield* commands.admitTest(request, id)
        return yield* withClaim(admission, request, (claim) =>
          commands.sendTest({ ...request, ...(claim && { claim }) }, id)
        )
      })
    })
  }),
  { callerChecks: { recover: (body, _caller, now) => spanOffence(body, now) } }
)
