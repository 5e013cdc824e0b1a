import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type {
  MessageContext,
  MessageEventItem,
  MessagePricing,
  ProviderError
} from "@carteiro/schema/messages/Message.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { Channel, Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import {
  defaulted,
  defineTable,
  int4,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import type { Scenario } from "../sandbox/SandboxScenario.ts"
import type { StoredOutbound } from "./StoredContent.ts"

/** Messages in both directions. */
export const messagesTable = defineTable("messages", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    channel: textOf<Channel>(),
    direction: textOf<Direction>(),
    type: textOf<MessageType>(),
    status: textOf<MessageStatus>(),
    status_reason: nullable(text),
    /** The phone number (`pn_`) or connected account of the environment. */
    business_id: text,
    /** Its number in E.164 at acceptance; null when it has none. */
    business_phone: nullable(text),
    /** The customer as shown: `+digits`, an opaque id, or empty when the phone was withheld. */
    customer_id: text,
    /** The key by which conversations, windows and consent compare customers. */
    customer_key: text,
    customer_name: nullable(text),
    provider: nullable(text),
    provider_message_id: nullable(text),
    template_name: nullable(text),
    template_id: nullable(text),
    template_version_id: nullable(text),
    template_version: nullable(int4),
    /** The batch that fed it. */
    batch_id: nullable(text),
    /** Null once redacted. */
    content: nullable(jsonOf<InboundContent | StoredOutbound>()),
    context: nullable(jsonOf<MessageContext>()),
    /** Outbound: the provider's response. Inbound: the provider's raw message. */
    provider_payload: nullable(jsonOf<unknown>()),
    metadata: nullable(jsonOf<Metadata>()),
    error_code: nullable(text),
    error_message: nullable(text),
    provider_error: nullable(jsonOf<ProviderError>()),
    /** Null until a second step follows the acceptance or capture. */
    events: nullable(jsonOf<ReadonlyArray<MessageEventItem>>()),
    trace_id: text,
    scenario: nullable(textOf<Scenario>()),
    due_at: nullable(timestamptz),
    sending_since: nullable(timestamptz),
    released_at: nullable(timestamptz),
    delivery_unconfirmed_at: nullable(timestamptz),
    redacted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    /** The category of the template; null for other messages. */
    template_category: nullable(textOf<"marketing" | "utility" | "authentication">()),
    /** The flow that it opens, and the caller's token of it. */
    flow_id: nullable(text),
    flow_token: nullable(text),
    /** The hash by which marketing templates are compared; null for other messages. */
    marketing_hash: nullable(text),
    refusals: defaulted(int4),
    refused_by: nullable(textOf<"unreached" | "transient" | "throughput" | "pair">()),
    refused_since: nullable(timestamptz),
    /** The platform's id of the customer as the message named it, and their username then. */
    customer_user_id: nullable(text),
    customer_username: nullable(text),
    /** When its author corrected or withdrew it. */
    edited_at: nullable(timestamptz),
    revoked_at: nullable(timestamptz),
    /** The group to which it belongs, by our id and the provider's. */
    group_id: nullable(text),
    provider_group_id: nullable(text),
    /** Where an outbound message was written, if not here. */
    source: nullable(text),
    /** Null while the provider says nothing of its price. */
    pricing: nullable(jsonOf<MessagePricing>())
  }
})

/** The latest inbound message of each conversation. */
export const serviceWindowsTable = defineTable("service_windows", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "channel", "business_id", "customer_key"],
  columns: {
    environment_id: text,
    channel: text,
    business_id: text,
    customer_key: text,
    latest_inbound_at: timestamptz
  }
})

/** The columns of a message that its owner reads. */
export const dueMessageColumns = select(
  messagesTable,
  "id",
  "channel",
  "type",
  "status",
  "status_reason",
  "business_phone",
  "customer_id",
  "customer_key",
  "provider",
  "provider_message_id",
  "provider_payload",
  "content",
  "context",
  "metadata",
  "error_code",
  "error_message",
  "provider_error",
  "events",
  "trace_id",
  "scenario",
  "batch_id",
  "sending_since",
  "released_at",
  "delivery_unconfirmed_at",
  "pricing",
  "marketing_hash",
  "template_category",
  "refusals",
  "refused_by",
  "refused_since",
  "flow_id",
  "flow_token",
  "provider_group_id"
)

/** The instants of a message that its owner reads. */
export const dueMessageInstants = select(messagesTable, "due_at", "created_at")

/** The columns of a message that its reads show. */
export const messageRowColumns = select(
  messagesTable,
  "environment_id",
  "id",
  "channel",
  "direction",
  "type",
  "status",
  "status_reason",
  "business_id",
  "business_phone",
  "customer_id",
  "customer_key",
  "customer_name",
  "customer_user_id",
  "customer_username",
  "provider",
  "provider_message_id",
  "template_name",
  "template_id",
  "template_version_id",
  "template_version",
  "batch_id",
  "content",
  "context",
  "provider_payload",
  "metadata",
  "error_code",
  "error_message",
  "provider_error",
  "events",
  "trace_id",
  "created_at",
  "updated_at",
  "redacted_at",
  "delivery_unconfirmed_at",
  "edited_at",
  "revoked_at",
  "group_id",
  "provider_group_id",
  "source",
  "pricing"
)

/** The columns of a message in the list of a number. */
export const recentColumns = select(messagesTable, "id", "direction", "type", "status", "created_at")

/** The columns that tell whether a message is one with a customer of the chat app. */
export const conversationColumns = select(messagesTable, "id", "channel", "customer_key", "provider_group_id")

/** The columns of a message as a line of a file. */
export const lineColumns = select(
  messagesTable,
  "id",
  "created_at",
  "direction",
  "channel",
  "type",
  "status",
  "business_id",
  "customer_id",
  "template_name",
  "error_code",
  "trace_id",
  "updated_at"
)

/** The columns of a captured message that tell whether its content is held back. */
export const capturedColumns = select(messagesTable, "id", "type", "content", "provider_group_id")
