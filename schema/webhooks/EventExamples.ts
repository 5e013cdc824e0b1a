import type { EventData } from "../conventions/Event.ts"
import type { MessageSent } from "../messages/MessageEvents.ts"
import type { PaymentPaid } from "../payments/PaymentEvents.ts"
import type { SubscribableEvent, SubscribableEventType } from "./EventCatalog.ts"

const at = "2026-03-02T14:05:09.000Z"
const message_id = "msg_01kjqa8x1v3m7c5d9e2f4g6h8j"
const phone_number_id = "pn_01kjqa8x1v3m7c5d9e2f4g6h8k"
const group_id = "grp_01kjqa8x1v3m7c5d9e2f4g6h8m"
const media_asset_id = "mda_01kjqa8x1v3m7c5d9e2f4g6h8n"
const customer = "+5511912345678"

const progress = {
  message_id,
  to: customer,
  from: "+5511400000000",
  provider_message_id: "up_msg_8812",
  metadata: { order: "A-1042" },
  sender: { profile_name: null },
  occurred_at: at
} satisfies Omit<EventData<typeof MessageSent>, "status">

const referral = { source_type: "ad", source_id: "120226305854810726", headline: "Frete grátis", click_id: "Aff-x" }

const payment = {
  id: "pay_01kjqa8x1v3m7c5d9e2f4g6h8p",
  object: "payment_request",
  payment_request_id: "pay_01kjqa8x1v3m7c5d9e2f4g6h8p",
  amount_brl: "149.9000",
  currency: "BRL",
  description: "Order A-1042",
  customer_name: "Ana Souza",
  customer_phone: customer,
  customer_email: null,
  external_reference: "A-1042",
  metadata: null,
  provider: "pixprov1",
  provider_payment_id: "pix_5531",
  provider_approval_id: null
} as const satisfies Omit<EventData<typeof PaymentPaid>, "status" | "payment_link_url">
const payment_link_url = "https://pay.example.com/A-1042"
const linked = { ...payment, payment_link_url }

const group = {
  group_id,
  phone_number_id,
  subject: "Order A-1042",
  provider_group_id: "up_grp_77",
  invite_link: "https://chat.example.com/join/A1042",
  occurred_at: at
} as const
const failure = {
  code: "group_provider_rejected",
  message: "The provider refused the operation.",
  provider: "upstream"
} as const
const participation = {
  group_id,
  phone_number_id,
  participant: { chat_id: "5511912345678" },
  participant_count: 3,
  occurred_at: at
}

const template = {
  template_id: "tpl_01kjqa8x1v3m7c5d9e2f4g6h8q",
  name: "order_shipped",
  language: "pt_BR",
  rejection_reason: null
}

/** Example `data` of each event type that an endpoint can subscribe to, for readers who choose among them. */
export const eventExamples: { readonly [Type in SubscribableEventType]: EventData<SubscribableEvent<Type>> } = {
  "message.sent": { ...progress, status: "sent" },
  "message.delivered": { ...progress, status: "delivered" },
  "message.read": { ...progress, status: "read" },
  "message.failed": {
    ...progress,
    status: "failed",
    error_code: "queue_expired",
    error_message: "The message waited too long and was not sent."
  },
  "message.received": {
    message_id,
    status: "received",
    channel: "chatapp",
    sender: { type: "phone_e164", id: customer, profile_name: "Ana" },
    recipient: { type: "chatapp_phone_number", id: phone_number_id },
    provider_message_id: "up_msg_8813",
    metadata: null,
    content: { type: "text", text: { body: "Oi, onde está meu pedido?" } },
    context: { reply_to: null, forwarded: false, frequently_forwarded: false, referral },
    referral,
    occurred_at: at
  },
  "message.media_transcribed": {
    media_asset_id,
    text: "Oi, onde está meu pedido?",
    language: "pt",
    duration: 4.2,
    duration_seconds: 4.2,
    provider: "speech",
    model: null,
    sender: { profile_name: "Ana" }
  },
  "message.media_transcription_failed": {
    media_asset_id,
    error_code: "transcription_audio_invalid",
    sender: { profile_name: "Ana" }
  },
  "message.media_stored": {
    message_id,
    media: {
      asset_id: media_asset_id,
      provider_media_id: "up_media_77",
      kind: "image",
      mime_type: "image/jpeg",
      byte_length: 48213,
      filename: null,
      caption: "Comprovante do pedido 123",
      status: "consumed",
      failure: null,
      download: { method: "GET", path: `/v1/media/${media_asset_id}/download-url` }
    }
  },
  "message.echoed": {
    ...progress,
    status: "sent",
    metadata: null,
    content: { type: "text", text: { body: "Seu pedido sai hoje." } }
  },
  "flow.completed": {
    flow_id: "flw_01kjqa8x1v3m7c5d9e2f4g6h8r",
    name: "Booking",
    status: "published",
    provider_flow_id: "up_flow_12",
    rejection_reason: null,
    submission: {
      id: "fls_01kjqa8x1v3m7c5d9e2f4g6h8s",
      provider_token: "booking-1042",
      response: { day: "2026-03-04", people: 2 },
      message_id,
      received_at: at
    }
  },
  "upstream_signup_session.completed": {
    id: "mss_0b6ff1ae-5f5e-4c5e-9d5a-3f1d6c1c2b7e",
    object: "upstream_signup_session",
    status: "completed",
    return_url: "https://app.example.com/connected",
    end_customer_ref: "shop-17",
    project_id: "prj_01kjqa8x1v3m7c5d9e2f4g6h8t",
    environment_id: "env_01kjqa8x1v3m7c5d9e2f4g6h8v",
    environment: "production",
    expires_at: "2026-03-02T15:00:00.000Z",
    completed_at: at,
    provider_connection_id: "pcn_01kjqa8x1v3m7c5d9e2f4g6h8w",
    created_at: "2026-03-02T14:00:00.000Z",
    updated_at: at
  },
  "payment.created": { ...payment, status: "link_pending", payment_link_url: null, operation: "create" },
  "payment.approval_available": { ...linked, status: "link_generated", operation: "link" },
  "payment.link_generated": { ...linked, status: "link_generated", operation: "link" },
  "payment.paid": { ...linked, status: "paid", operation: "provider_outcome" },
  "payment.failed": {
    ...linked,
    status: "failed",
    operation: "provider_outcome",
    error_code: "payment_failed",
    error_message: "The provider reported a failure."
  },
  "payment.expired": { ...linked, status: "expired", operation: "provider_outcome" },
  "payment.cancelled": { ...linked, status: "cancelled", operation: "cancel" },
  "payment.late_outcome": {
    ...linked,
    status: "expired",
    late_outcome: { status: "paid", at },
    operation: "provider_outcome"
  },
  "group.created": { ...group, status: "active", failure: null },
  "group.create_failed": { ...group, status: "failed", provider_group_id: null, invite_link: null, failure },
  "group.deleted": { ...group, status: "deleted", invite_link: null, failure: null },
  "group.delete_failed": { ...group, status: "active", failure },
  "group.invite_link_reset": { ...group, status: "active", failure: null },
  "group.invite_link_reset_failed": { ...group, status: "active", failure },
  "group.participant_joined": participation,
  "group.participant_removed": { ...participation, participant_count: 2, initiated_by: "participant" },
  "template.approved": { ...template, status: "approved" },
  "template.rejected": { ...template, status: "rejected", rejection_reason: "INVALID_FORMAT" },
  "template.paused": { ...template, status: "paused" },
  "template.disabled": { ...template, status: "disabled" },
  "template.category_updated": {
    template_id: template.template_id,
    name: template.name,
    language: template.language,
    category: "marketing",
    previous_category: "utility"
  }
}
