import { Schema } from "effect"
import { type AnyEvent, typesOf } from "../conventions/Event.ts"
import { FlowCompleted } from "../flows/FlowEvents.ts"
import * as Groups from "../groups/GroupEvents.ts"
import { MessageMediaStored, MessageMediaTranscribed, MessageMediaTranscriptionFailed } from "../media/MediaEvents.ts"
import * as Messages from "../messages/MessageEvents.ts"
import * as Payments from "../payments/PaymentEvents.ts"
import { UpstreamSignupSessionCompleted } from "../provider-connections/ProviderConnectionEvents.ts"
import * as Templates from "../templates/TemplateEvents.ts"
import { WebhookTestEvent } from "./WebhookEvents.ts"

/**
 * The events that an endpoint can subscribe to, in the documented order. `message.created` is never raised, and
 * batches raise no events. A-SIG-14..18, gaps-1 K "Event catalog"
 */
const subscribable = [
  Messages.MessageSent,
  Messages.MessageDelivered,
  Messages.MessageRead,
  Messages.MessageFailed,
  Messages.MessageReceived,
  MessageMediaTranscribed,
  MessageMediaTranscriptionFailed,
  MessageMediaStored,
  Messages.MessageEchoed,
  FlowCompleted,
  UpstreamSignupSessionCompleted,
  Payments.PaymentCreated,
  Payments.PaymentApprovalAvailable,
  Payments.PaymentLinkGenerated,
  Payments.PaymentPaid,
  Payments.PaymentFailed,
  Payments.PaymentExpired,
  Payments.PaymentCancelled,
  Payments.PaymentLateOutcome,
  Groups.GroupCreated,
  Groups.GroupCreateFailed,
  Groups.GroupDeleted,
  Groups.GroupDeleteFailed,
  Groups.GroupInviteLinkReset,
  Groups.GroupInviteLinkResetFailed,
  Groups.GroupParticipantJoined,
  Groups.GroupParticipantRemoved,
  Templates.TemplateApproved,
  Templates.TemplateRejected,
  Templates.TemplatePaused,
  Templates.TemplateDisabled,
  Templates.TemplateCategoryUpdated
] as const

/** The types an endpoint can subscribe to. */
export const SubscribableEventType = Schema.Literals(typesOf(subscribable)).annotate({
  identifier: "SubscribableEventType",
  description: "A type of event that an endpoint can subscribe to."
})
export type SubscribableEventType = typeof SubscribableEventType.Type

/** The declaration of the event of a type. */
export type SubscribableEvent<Type extends SubscribableEventType> = Extract<
  (typeof subscribable)[number],
  { readonly type: Type }
>

/** Every event that an endpoint can subscribe to, in the documented order. */
export const subscribableEvents: ReadonlyArray<AnyEvent> = subscribable

/** The type of a test event. gaps-1 K "Event catalog" */
export const webhookTestEvent = WebhookTestEvent.type

/** Every event a delivery can carry. gaps-1 K "Event catalog" */
export const eventCatalog: ReadonlyArray<AnyEvent> = [...subscribable, WebhookTestEvent]

/** Every type a delivery can carry. gaps-1 K "Event catalog" */
export const EventType = Schema.Literals([...SubscribableEventType.literals, webhookTestEvent]).annotate({
  identifier: "EventType"
})
export type EventType = typeof EventType.Type
