import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type {
  MessageContext,
  MessageEventItem,
  MessagePricing,
  ProviderError
} from "@carteiro/schema/messages/Message.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { defaulted, defineTable, int4, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import type { StoredOutbound } from "./StoredContent.ts"

/** Messages in both directions. */
export const messagesTable = defineTable("messages", {
  owner: "messages",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    channel: text,
    direction: text,
    type: text,
    status: text,
    status_reason: nullable(text),
    business_id: text,
    business_phone: nullable(text),
    customer_id: text,
    customer_key: text,
    customer_name: nullable(text),
    provider: nullable(text),
    provider_message_id: nullable(text),
    template_name: nullable(text),
    template_id: nullable(text),
    template_version_id: nullable(text),
    template_version: nullable(int4),
    batch_id: nullable(text),
    content: nullable(jsonOf<InboundContent | StoredOutbound>()),
    context: nullable(jsonOf<MessageContext>()),
    provider_payload: nullable(jsonOf<unknown>()),
    metadata: nullable(jsonOf<Metadata>()),
    error_code: nullable(text),
    error_message: nullable(text),
    provider_error: nullable(jsonOf<ProviderError>()),
    events: nullable(jsonOf<ReadonlyArray<MessageEventItem>>()),
    trace_id: text,
    scenario: nullable(text),
    due_at: nullable(timestamptz),
    sending_since: nullable(timestamptz),
    released_at: nullable(timestamptz),
    delivery_unconfirmed_at: nullable(timestamptz),
    redacted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    template_category: nullable(text),
    flow_id: nullable(text),
    flow_token: nullable(text),
    marketing_hash: nullable(text),
    refusals: defaulted(int4),
    refused_by: nullable(text),
    refused_since: nullable(timestamptz),
    customer_user_id: nullable(text),
    customer_username: nullable(text),
    edited_at: nullable(timestamptz),
    revoked_at: nullable(timestamptz),
    group_id: nullable(text),
    provider_group_id: nullable(text),
    source: nullable(text),
    pricing: nullable(jsonOf<MessagePricing>())
  }
})

/** The latest inbound message of each conversation. gaps-2 B "Service window definition" */
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
