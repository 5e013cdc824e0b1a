import { clean } from "@carteiro/schema/conventions/Text.ts"
import { patchHealth, stoppedBy } from "./EndpointHealth.ts"
import type { EndpointRow } from "./EndpointRead.ts"
import { collapse } from "./EventFilter.ts"

/** The members of a PATCH; absent ones do not change. */
export interface EndpointPatch {
  readonly url?: string
  readonly description?: string | null
  readonly subscribed_events?: ReadonlyArray<string>
  readonly status?: "active" | "disabled"
}

/** An endpoint after a PATCH, with the count of its decisions and the instant before which deliveries are void. */
export interface PatchedEndpoint extends EndpointRow {
  readonly revision: number
  readonly stopped_at: number | null
}

/**
 * Returns the endpoint after a PATCH, or the identical object when nothing changes. A-WHE-17, A-WHE-25..28, gaps-1 J
 * "PATCH details"
 */
export const patchEndpoint = <A extends PatchedEndpoint>(endpoint: A, patch: EndpointPatch, now: number): A => {
  const url = patch.url ?? endpoint.url
  const description =
    patch.description === undefined ? endpoint.description : patch.description && clean(patch.description)
  const subscribed_events =
    patch.subscribed_events === undefined ? endpoint.subscribed_events : collapse(patch.subscribed_events)
  const health = patchHealth(endpoint.health, { status: patch.status, urlChanged: url !== endpoint.url })
  const same =
    url === endpoint.url &&
    description === endpoint.description &&
    subscribed_events.join() === endpoint.subscribed_events.join() &&
    health === endpoint.health
  if (same) return endpoint
  return {
    ...endpoint,
    url,
    description,
    subscribed_events,
    health,
    revision: endpoint.revision + 1,
    stopped_at: stoppedBy(endpoint.health, health) === undefined ? endpoint.stopped_at : now,
    updated_at: now
  }
}
