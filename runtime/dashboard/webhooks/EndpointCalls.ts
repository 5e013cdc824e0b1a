import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Effect } from "effect"
import type { EnvironmentEntry } from "../../access/Access.ts"
import type { WebhookAdmin } from "../../webhooks/Webhooks.ts"
import { environmentOf } from "../kit/Environments.ts"
import type { Visit } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"

/** An endpoint and the environment that it is of. */
export interface FoundEndpoint {
  readonly environment: EnvironmentEntry
  readonly endpoint: WebhookEndpoint
}

/** Returns what finds the endpoint of an address, with its environment; another organization's is not found. A-CONV-21 */
export const endpointFinder = (admin: WebhookAdmin["Service"]) =>
  Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundEndpoint, ApiError> {
    const environment = yield* environmentOf(visit)
    const endpoint = yield* admin.endpoint(environment.id, environment.kind, visit.request.params.id ?? "")
    return { environment, endpoint: endpoint ?? (yield* new NotHere()) }
  })
