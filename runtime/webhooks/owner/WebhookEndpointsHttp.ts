import { Admission } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { withClaim } from "@carteiro/http-edge/Pipeline.ts"
import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import type { TargetVerdict } from "@carteiro/outbound/Targets.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { WebhookEndpointsApi } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import {
  InvalidWebhookEndpointRequest,
  UnsafeWebhookUrl,
  WebhookEndpointNotFound
} from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Effect, Result } from "effect"
import { readEndpoint } from "../endpoint/EndpointRead.ts"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { WebhookRegistry } from "../endpoint/WebhookRegistry.ts"
import { spanOffence } from "../recovery/RecoverySpan.ts"
import { WebhookRecoveries } from "../recovery/WebhookRecoveries.ts"
import { WebhookEndpointEntity } from "./WebhookEndpointEntity.ts"

/** Routes of `/v1/webhook-endpoints`. A-WHE, A-WHT */
export const WebhookEndpointsHttp = Routes.group(
  WebhookEndpointsApi,
  Effect.gen(function* () {
    const registry = yield* WebhookRegistry
    const recoveries = yield* WebhookRecoveries
    const repo = yield* WebhookEndpointRepo
    const owners = yield* WebhookEndpointEntity.client
    const admission = yield* Admission
    const outbound = yield* Outbound
    const cursors = yield* Cursors
    const ids = yield* Ids

    /** Refuses an unsafe URL by its text, before any name is resolved. */
    const checkUrl = ({ url }: { readonly url?: string | undefined }) => {
      const refusal = url === undefined ? undefined : refusedUrl(outbound.check(url))
      return refusal === undefined ? undefined : Result.fail(refusal)
    }

    /** Refuses a URL whose name resolves to an unsafe address now. A-WHE-20 */
    const vet = (url: string | undefined): Effect.Effect<void, ApiError> =>
      url === undefined
        ? Effect.void
        : Effect.flatMap(outbound.vet(url), (verdict) => {
            const refusal = refusedUrl(verdict)
            return refusal === undefined ? Effect.void : Effect.fail(refusal)
          })

    /** The caller's endpoint; an owner is asked only for one that exists. A-WHE-33 */
    const requireEndpoint = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const endpoint = parseId("we", id) ? yield* repo.find(environmentId, id) : undefined
      return endpoint ?? (yield* new WebhookEndpointNotFound())
    })

    const answered = ({ status, body }: { readonly status: number; readonly body: string }) => rawReply(status, body)

    const from = (request: { readonly caller: { readonly environment_id: string }; readonly traceId: string }) => ({
      environment_id: request.caller.environment_id,
      trace_id: request.traceId
    })

    return Routes.handlers(WebhookEndpointsApi, {
      create: Routes.checked(checkUrl, (request) =>
        Effect.andThen(vet(request.body.url), registry.register(request, request.body))
      ),

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

      get: ({ caller, params, traceId }) =>
        Effect.map(requireEndpoint(caller.environment_id, params.webhook_endpoint_id), (endpoint) =>
          reply({ traceId }, 200, readEndpoint(endpoint, caller.environment))
        ),

      update: Routes.checked(checkUrl, (request) =>
        Effect.gen(function* () {
          yield* vet(request.body.url)
          const { id } = yield* requireEndpoint(request.caller.environment_id, request.params.webhook_endpoint_id)
          return answered(yield* owners.Update(id, { ...from(request), ...request.body }))
        })
      ),

      delete: Effect.fnUntraced(function* (request) {
        const { id } = yield* requireEndpoint(request.caller.environment_id, request.params.webhook_endpoint_id)
        return answered(yield* owners.Delete(id, from(request)))
      }),

      rotateSecret: Effect.fnUntraced(function* (request) {
        const { id } = yield* requireEndpoint(request.caller.environment_id, request.params.webhook_endpoint_id)
        return answered(yield* owners.RotateSecret(id, { ...from(request), claim: request.claim }))
      }),

      recover: (request) => recoveries.start(request, request.params.webhook_endpoint_id, request.body),

      // The 404 comes first, then the test limit, replays included, then the idempotency key. gaps-1 A "Order of checks in one request"
      test: Effect.fnUntraced(function* (request) {
        const { id } = yield* requireEndpoint(request.caller.environment_id, request.params.webhook_endpoint_id)
        yield* owners.AdmitTest(id, from(request))
        return yield* withClaim(admission, request, (claim) =>
          Effect.map(
            owners.Test(id, {
              ...from(request),
              claim,
              webhook_event_id: ids.mint("whe", request.now),
              event_id: ids.mint("evt", request.now),
              attempt_id: ids.mint("att", request.now)
            }),
            answered
          )
        )
      })
    })
  }),
  { callerChecks: { recover: (body, _caller, now) => spanOffence(body, now) } }
)

/** A-WHE-18..21, gaps-1 J "url and description bounds" */
const refusedUrl = (verdict: TargetVerdict): ApiError | undefined => {
  if (verdict === "ok") return undefined
  return verdict === "unsafe"
    ? new UnsafeWebhookUrl({ param: "url" })
    : new InvalidWebhookEndpointRequest({ param: "url" })
}
