import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { EventData } from "@carteiro/schema/conventions/Event.ts"
import { WebhookTestEvent } from "@carteiro/schema/webhooks/WebhookEvents.ts"
import { envelopeText } from "../../outbox/EventText.ts"
import { pendingAttempt } from "./DeliveryState.ts"

/** The ids of a test delivery, which its caller mints. */
interface TestIds {
  readonly webhook_event_id: string
  readonly event_id: string
  readonly attempt_id: string
  readonly trace_id: string
  /** True for the test of a recovery, which is an explicit attempt as a resend is. */
  readonly is_recovery?: boolean
}

/**
 * Returns the event and the one attempt of a test delivery. The event is not in the outbox, so neither fan-out nor a
 * stream sees it. A-WHT-04, A-WHT-05
 */
export const testDelivery = (
  endpoint: { readonly environment_id: string; readonly environment: EnvironmentKind; readonly id: string },
  ids: TestIds,
  now: number
) => {
  const { environment, environment_id, id: endpoint_id } = endpoint
  const { attempt_id, event_id, is_recovery, trace_id, webhook_event_id } = ids
  const { source_type, type } = WebhookTestEvent
  const data: EventData<typeof WebhookTestEvent> = { webhook_endpoint_id: endpoint_id, message: "Test delivery" }
  return {
    place: { environment_id, endpoint_id, webhook_event_id },
    event: {
      environment_id,
      id: webhook_event_id,
      endpoint_id,
      event_id,
      type,
      source_type,
      source_id: endpoint_id,
      trace_id,
      created_at: now,
      payload: envelopeText(event_id, { type, at: now, environment, trace_id, data })
    },
    attempt: pendingAttempt({
      id: attempt_id,
      attempt: 1,
      explicit: is_recovery === true,
      due_at: now,
      created_at: now
    })
  }
}
