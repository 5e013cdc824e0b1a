import { type OperationReply, type Reply, rawReply, readReply } from "@carteiro/http-edge/Reply.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import type { TargetVerdict } from "@carteiro/outbound/Targets.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookTest
} from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import {
  InvalidWebhookEndpointRequest,
  UnsafeWebhookUrl,
  WebhookEndpointNotFound
} from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Context, Effect, Layer } from "effect"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { type WebhookCall, WebhookRegistry } from "../endpoint/WebhookRegistry.ts"
import { WebhookRecoveries } from "../recovery/WebhookRecoveries.ts"
import { WebhookEndpointEntity } from "./WebhookEndpointEntity.ts"

/**
 * Registers, changes, tests and deletes receivers, for the routes and for the dashboard, with the responses of the
 * routes. A-WHE, A-WHT
 */
export class WebhookEndpointCommands extends Context.Service<
  WebhookEndpointCommands,
  {
    /** Returns why a URL is refused by its text, before its name is resolved. A-WHE-18..21 */
    refusedUrl(url: string | undefined): ApiError | undefined
    /** Answers 201 with both secrets. Refuses a URL whose name resolves to an unsafe address now. A-WHE-13, A-WHE-20 */
    create(call: WebhookCall, body: CreateWebhookEndpoint): OperationReply<WebhookEndpointWithSecret>
    /** Refuses a new URL as `create` does. A-WHE-17 */
    update(call: WebhookCall, id: string, body: UpdateWebhookEndpoint): OperationReply
    remove(call: WebhookCall, id: string): OperationReply
    /** Answers the endpoint with its new secrets. A-WHE-35 */
    rotateSecret(call: WebhookCall, id: string): OperationReply<WebhookEndpointWithSecret>
    /** Counts one test request of an existing endpoint. Refuses the sixth within a minute. A-WHT-08, A-WHT-09 */
    admitTest(call: WebhookCall, id: string): Effect.Effect<void, ApiError>
    /**
     * Queues one test delivery, after `admitTest`. Refuses an endpoint that was disabled by hand. A-WHT-01, A-WHT-12
     */
    sendTest(call: WebhookCall, id: string): Effect.Effect<Reply<typeof WebhookTest.Type>, ApiError>
    /**
     * Tests the endpoint, enables it when the test succeeds, and delivers its missed events; a worker runs it. A
     * recovery under way continues instead. Refuses when the endpoint was tested too often.
     */
    recover(call: WebhookCall, id: string): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/webhooks/owner/WebhookEndpointCommands") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const registry = yield* WebhookRegistry
      const recoveries = yield* WebhookRecoveries
      const repo = yield* WebhookEndpointRepo
      const owners = yield* WebhookEndpointEntity.client
      const outbound = yield* Outbound
      const ids = yield* Ids

      const vet = (url: string | undefined): Effect.Effect<void, ApiError> =>
        url === undefined
          ? Effect.void
          : Effect.flatMap(outbound.vet(url), (verdict) => {
              const refusal = refusalOf(verdict, url)
              return refusal === undefined ? Effect.void : Effect.fail(refusal)
            })

      /** Refuses an unknown endpoint without a call to an owner. A-WHE-33 */
      const requireEndpoint = ({ caller }: WebhookCall, id: string) =>
        Effect.flatMap(parseId("we", id) ? repo.find(caller.environment_id, id) : Effect.undefined, (endpoint) =>
          endpoint === undefined ? Effect.fail(new WebhookEndpointNotFound()) : Effect.void
        )

      const sendTest = (call: WebhookCall, id: string, isRecovery: boolean) =>
        Effect.map(
          owners.Test(id, {
            ...from(call),
            claim: call.claim,
            is_recovery: isRecovery,
            webhook_event_id: ids.mint("whe", call.now),
            event_id: ids.mint("evt", call.now),
            attempt_id: ids.mint("att", call.now)
          }),
          answered<typeof WebhookTest.Type>
        )

      const admitTest = (call: WebhookCall, id: string) =>
        Effect.andThen(requireEndpoint(call, id), owners.AdmitTest(id, from(call)))

      return WebhookEndpointCommands.of({
        refusedUrl: (url) => (url === undefined ? undefined : refusalOf(outbound.check(url), url)),
        create: (call, body) => Effect.andThen(vet(body.url), registry.register(call, body)),
        update: Effect.fnUntraced(function* (call, id, body) {
          yield* vet(body.url)
          yield* requireEndpoint(call, id)
          return answered(yield* owners.Update(id, { ...from(call), ...body }))
        }),
        remove: Effect.fnUntraced(function* (call, id) {
          yield* requireEndpoint(call, id)
          return answered(yield* owners.Delete(id, from(call)))
        }),
        rotateSecret: Effect.fnUntraced(function* (call, id) {
          yield* requireEndpoint(call, id)
          return answered<WebhookEndpointWithSecret>(
            yield* owners.RotateSecret(id, { ...from(call), claim: call.claim })
          )
        }),
        admitTest,
        sendTest: (call, id) => sendTest(call, id, false),
        recover: Effect.fnUntraced(function* (call, id) {
          if ((yield* recoveries.latest(call.caller.environment_id, id))?.status === "running") return
          yield* admitTest(call, id)
          const { webhook_event_id } = readReply(yield* sendTest(call, id, true))
          yield* recoveries.begin(call, id, webhook_event_id)
        })
      })
    })
  )
}

const from = ({ caller, traceId }: WebhookCall) => ({ environment_id: caller.environment_id, trace_id: traceId })

const answered = <A = unknown>({ status, body }: { readonly status: number; readonly body: string }) =>
  rawReply<A>(status, body)

/** A-WHE-18..21, gaps-1 J "url and description bounds" */
const refusalOf = (verdict: TargetVerdict, url: string): ApiError | undefined => {
  if (verdict === "ok") return undefined
  return verdict === "unsafe"
    ? new UnsafeWebhookUrl({ param: "url", ...(isThisMachine(url) ? { message: forThisMachine } : {}) })
    : new InvalidWebhookEndpointRequest({ param: "url" })
}

/** True for a URL by which a program names the machine that it runs on. */
const isThisMachine = (url: string): boolean => {
  const { hostname } = URL.parse(url) ?? { hostname: "" }
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}

const forThisMachine =
  "The webhook URL must be https, public and free of credentials. Events reach a program on your machine by `carteiro listen --forward-to`."
