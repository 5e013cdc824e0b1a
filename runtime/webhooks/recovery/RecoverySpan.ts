import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidWebhookEndpointRequest } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { RecoverWebhookEndpoint } from "@carteiro/schema/webhooks/WebhookRecovery.ts"
import { Result } from "effect"

/** A time span that includes both ends; epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the span of a request, up to now; refuses one that begins in the future or ends before it begins. */
export const askedSpan = (
  body: RecoverWebhookEndpoint,
  now: number
): Result.Result<Span, InvalidWebhookEndpointRequest> => {
  const from = parseTimestamp(body.from) ?? 0
  const to = body.to === undefined ? now : (parseTimestamp(body.to) ?? now)
  if (from > now) return refused("from", "from must not be in the future.")
  if (to < from) return refused("to", "to must not be before from.")
  return Result.succeed({ from, to: Math.min(to, now) })
}

/** Returns the part of a span in which the endpoint was registered, because it missed no earlier event. */
export const sinceRegistered = ({ from, to }: Span, registered_at: number): Span => ({
  from: Math.max(from, Math.min(registered_at, to + 1)),
  to
})

/**
 * Splits the span into the part that is still kept and the older one; `older` ends where the kept part begins. A span
 * that is older as a whole keeps a part that begins after its end.
 */
export const keptSpan = (
  requested: Span,
  oldest: number
): { readonly kept: Span; readonly older: Span | undefined } => {
  if (requested.from >= oldest) return { kept: requested, older: undefined }
  const cut = Math.min(oldest, requested.to + 1)
  return { kept: { from: cut, to: requested.to }, older: { from: requested.from, to: Math.min(cut, requested.to) } }
}

/** Returns the refusal of a span, before an idempotency key is looked up. */
export const spanOffence = (
  { from, to }: Partial<RecoverWebhookEndpoint>,
  now: number
): InvalidWebhookEndpointRequest | undefined => {
  if (from === undefined) return undefined
  const asked = askedSpan({ from, ...(to === undefined ? {} : { to }) }, now)
  return Result.isFailure(asked) ? asked.failure : undefined
}

const refused = (param: string, message: string) => Result.fail(new InvalidWebhookEndpointRequest({ param, message }))
