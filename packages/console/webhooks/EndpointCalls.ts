import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Effect } from "effect"
import { environmentOf } from "../kit/Environments.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, type Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

/** An endpoint and the environment that it is of. */
export interface FoundEndpoint {
  readonly environment: EnvironmentEntry
  readonly endpoint: WebhookEndpoint
}

/** Returns what finds the endpoint of an address, with its environment; another organization's is not found. */
export const endpointFinder = ({ webhookEndpoints }: Operations["Service"]) =>
  Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundEndpoint, ApiError> {
    const environment = yield* environmentOf(visit)
    const params = { webhook_endpoint_id: visit.request.params.id ?? "" }
    return { environment, endpoint: yield* orNotHere(webhookEndpoints.get(asVisitor(visit, environment), { params })) }
  })

/** Returns what reads all endpoints of an environment, which has few: once for each visit. */
export const endpointReader = ({ webhookEndpoints }: Operations["Service"]) => {
  const reads = new WeakMap<Visit, Effect.Effect<ReadonlyArray<WebhookEndpoint>, ApiError>>()
  return (visit: Visit, environment: EnvironmentEntry): Effect.Effect<ReadonlyArray<WebhookEndpoint>, ApiError> =>
    Effect.suspend(() => {
      const known = reads.get(visit)
      if (known !== undefined) return known
      const read = webhookEndpoints.list(asVisitor(visit, environment), { query: { limit: "100" } })
      return Effect.flatMap(Effect.cached(Effect.map(read, ({ data }) => data)), (cached) => {
        reads.set(visit, cached)
        return cached
      })
    })
}
