import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { CreateWebhookEndpoint, WebhookEndpointWithSecret } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { WebhookEndpointLimitReached } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { newHealth } from "./EndpointHealth.ts"
import { readEndpoint } from "./EndpointRead.ts"
import { mintSecrets } from "./EndpointSecrets.ts"
import { collapse } from "./EventFilter.ts"
import { type StoredEndpoint, WebhookEndpointRepo } from "./WebhookEndpointRepo.ts"

/** The parts of the caller that actions of the room use. */
export type WebhookCall = ApiCall<"environment_id" | "environment">

/** Registers receivers: the limit of an environment is decided where the row is written. A-WHE-13, A-WHE-14, A-WHE-23 */
export class WebhookRegistry extends Context.Service<
  WebhookRegistry,
  {
    /** Answers 201 with both secrets; the URL must already be checked. */
    register(call: WebhookCall, body: CreateWebhookEndpoint): OperationReply<WebhookEndpointWithSecret>
  }
>()("@carteiro/runtime/webhooks/endpoint/WebhookRegistry") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* WebhookEndpointRepo
      const commit = yield* Commit
      const secrets = yield* Secrets
      const ids = yield* Ids
      return WebhookRegistry.of({
        register: Effect.fnUntraced(function* (call, body) {
          const { environment_id, environment } = call.caller
          const id = ids.mint("we", call.now)
          const { sealed, shown } = mintSecrets(secrets, ids, { environment_id, id })
          const endpoint: StoredEndpoint = {
            environment_id,
            id,
            environment,
            url: body.url,
            description: body.description === undefined ? null : clean(body.description),
            subscribed_events: collapse(body.subscribed_events),
            ...sealed,
            previous_standard_webhooks_secret: null,
            previous_standard_webhooks_secret_until: null,
            health: newHealth,
            revision: 0,
            stopped_at: null,
            created_at: call.now,
            updated_at: call.now
          }
          const answer = reply(call, 201, { ...readEndpoint(endpoint, environment), ...shown })
          const keys = yield* commit.write([repo.insert(endpoint)], { claim: call.claim, response: answer })
          if (!keys("webhook_endpoints.insert").has(id)) return yield* new WebhookEndpointLimitReached()
          return answer
        })
      })
    })
  )
}
