import { Schema } from "effect"

/**
 * The 28 event types an endpoint can subscribe to. `message.created` is never emitted and batches raise none.
 * A-SIG-14..18, gaps-1 K "Event catalog"
 */
export const SubscribableEventType = Schema.Literals([
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.received",
  "message.media_transcribed",
  "message.media_transcription_failed",
  "flow.completed",
  "upstream_signup_session.completed",
  "payment.created",
  "payment.approval_available",
  "payment.link_generated",
  "payment.paid",
  "payment.failed",
  "payment.expired",
  "payment.cancelled",
  "group.created",
  "group.create_failed",
  "group.deleted",
  "group.delete_failed",
  "group.invite_link_reset",
  "group.invite_link_reset_failed",
  "group.participant_joined",
  "group.participant_removed",
  "template.approved",
  "template.rejected",
  "template.paused",
  "template.disabled"
]).annotate({ identifier: "SubscribableEventType" })
export type SubscribableEventType = typeof SubscribableEventType.Type

/** The probe's type: delivered on demand, never subscribed to. gaps-1 K "Event catalog" */
export const webhookTestEvent = "webhook.test"

/** Every type a delivery can carry. gaps-1 K "Event catalog" */
export const EventType = Schema.Literals([...SubscribableEventType.literals, webhookTestEvent]).annotate({
  identifier: "EventType"
})
export type EventType = typeof EventType.Type
