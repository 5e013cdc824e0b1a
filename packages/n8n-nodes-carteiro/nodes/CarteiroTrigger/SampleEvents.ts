import type { IDataObject } from "n8n-workflow"

/** The 26 characters behind the prefix of an id; the last one tells samples apart. */
const tail = (last: number): string => `01kfj8tq2m0000000000000${String(last).padStart(3, "0")}`
const at = "2026-01-22T13:45:00.000Z"
const customer = "+5511988887777"

const messageId = `msg_${tail(1)}`
const phoneNumberId = `pn_${tail(2)}`
const groupId = `grp_${tail(3)}`
const paymentId = `pay_${tail(4)}`
const mediaId = `mda_${tail(5)}`
const templateId = `tpl_${tail(6)}`
const flowId = `flw_${tail(7)}`

const sender: IDataObject = { profile_name: "Ana Souza" }
const content: IDataObject = { type: "text", text: { body: "Oi! Quero marcar um corte para amanhã." } }

const progress = (status: string, more: IDataObject = {}): IDataObject => ({
  message_id: messageId,
  status,
  to: customer,
  from: "+5511400000000",
  provider_message_id: "wamid.sample",
  metadata: null,
  sender,
  ...more
})

const payment = (status: string, more: IDataObject = {}): IDataObject => ({
  id: paymentId,
  object: "payment_request",
  payment_request_id: paymentId,
  status,
  amount_brl: "60.0000",
  currency: "BRL",
  description: "Corte de cabelo",
  customer_name: "Ana Souza",
  customer_phone: customer,
  customer_email: null,
  external_reference: "pedido-1001",
  metadata: null,
  payment_link_url: "https://pay.example.com/sample",
  provider: "pixprov1",
  provider_payment_id: "sample-payment",
  provider_approval_id: null,
  ...more
})

const group = (status: string, more: IDataObject = {}): IDataObject => ({
  group_id: groupId,
  phone_number_id: phoneNumberId,
  status,
  subject: "Clientes do sábado",
  provider_group_id: "sample-group",
  invite_link: "https://chat.example.com/sample",
  failure: null,
  occurred_at: at,
  ...more
})

const groupFailure: IDataObject = {
  failure: { code: "group_provider_rejected", message: "The provider refused the change.", provider: "upstream" }
}

const participant: IDataObject = {
  group_id: groupId,
  phone_number_id: phoneNumberId,
  participant: { chat_id: "5511988887777" },
  participant_count: 12,
  occurred_at: at
}

const template = (status: string, reason: string | null = null): IDataObject => ({
  template_id: templateId,
  name: "booking_confirmed",
  language: "pt_BR",
  status,
  rejection_reason: reason
})

const dataOf: Readonly<Record<string, IDataObject>> = {
  "message.sent": progress("sent"),
  "message.delivered": progress("delivered"),
  "message.read": progress("read"),
  "message.failed": progress("failed", {
    error_code: "queue_expired",
    error_message: "The message waited in the queue for too long."
  }),
  "message.received": {
    message_id: messageId,
    status: "received",
    channel: "chatapp",
    sender: { type: "phone_e164", id: customer, profile_name: "Ana Souza" },
    recipient: { type: "chatapp_phone_number", id: phoneNumberId },
    provider_message_id: "wamid.sample",
    metadata: null,
    content
  },
  "message.media_transcribed": {
    media_asset_id: mediaId,
    text: "Pode ser amanhã às duas?",
    language: "pt",
    duration: 3.2,
    duration_seconds: 3.2,
    provider: "speechprov1",
    model: "sample-model",
    sender
  },
  "message.media_transcription_failed": {
    media_asset_id: mediaId,
    error_code: "transcription_provider_error",
    sender
  },
  "message.media_stored": {
    message_id: messageId,
    media: {
      asset_id: mediaId,
      provider_media_id: "sample-media",
      kind: "image",
      mime_type: "image/jpeg",
      byte_length: 48213,
      filename: null,
      status: "stored",
      failure: null,
      download: { method: "GET", path: `/v1/media/${mediaId}/download-url` }
    }
  },
  "message.echoed": progress("sent", { content }),
  "flow.completed": {
    flow_id: flowId,
    name: "booking",
    status: "published",
    provider_flow_id: "sample-flow",
    rejection_reason: null,
    submission: {
      id: `fls_${tail(8)}`,
      provider_token: "sample-token",
      response: { day: "2026-01-23", time: "14:00" },
      message_id: messageId,
      received_at: at
    }
  },
  "upstream_signup_session.completed": {
    id: "mss_01234567-89ab-4def-8123-456789abcdef",
    object: "upstream_signup_session",
    status: "completed",
    return_url: "https://example.com/back",
    end_customer_ref: "loja-17",
    project_id: `prj_${tail(9)}`,
    environment_id: `env_${tail(10)}`,
    environment: "production",
    expires_at: "2026-01-22T14:45:00.000Z",
    completed_at: at,
    provider_connection_id: `pcn_${tail(11)}`,
    created_at: at,
    updated_at: at
  },
  "payment.created": payment("link_pending", { payment_link_url: null, provider_payment_id: null }),
  "payment.approval_available": payment("link_generated"),
  "payment.link_generated": payment("link_generated"),
  "payment.paid": payment("paid"),
  "payment.failed": payment("failed"),
  "payment.expired": payment("expired"),
  "payment.cancelled": payment("cancelled"),
  "payment.late_outcome": payment("expired", { late_outcome: { status: "paid", at } }),
  "group.created": group("active"),
  "group.create_failed": group("failed", { provider_group_id: null, invite_link: null, ...groupFailure }),
  "group.deleted": group("deleted", { invite_link: null }),
  "group.delete_failed": group("active", groupFailure),
  "group.invite_link_reset": group("active"),
  "group.invite_link_reset_failed": group("active", groupFailure),
  "group.participant_joined": participant,
  "group.participant_removed": { ...participant, participant_count: 11, initiated_by: "participant" },
  "template.approved": template("approved"),
  "template.rejected": template("rejected", "TAG_CONTENT_MISMATCH"),
  "template.paused": template("paused"),
  "template.disabled": template("disabled"),
  "template.category_updated": {
    template_id: templateId,
    name: "booking_confirmed",
    language: "pt_BR",
    category: "marketing",
    previous_category: "utility"
  }
}

/** The types of events that the trigger can subscribe to, in the order of the API's documentation. */
export const eventTypes: ReadonlyArray<string> = Object.keys(dataOf)

/** Returns an event of a type as the trigger hands it on, with invented values; undefined for an unknown type. */
export const sampleEvent = (type: string): IDataObject | undefined => {
  const data = dataOf[type]
  if (data === undefined) return undefined
  const isPayment = type.startsWith("payment.")
  return {
    id: `evt_${tail(100 + eventTypes.indexOf(type))}`,
    type,
    created_at: at,
    ...(isPayment ? { occurred_at: at } : {}),
    environment: type.startsWith("upstream_") ? "production" : "sandbox",
    trace_id: "trc_sample",
    data
  }
}
