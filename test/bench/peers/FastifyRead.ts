/** A row of the peer's messages. */
export interface Stored {
  readonly id: string
  readonly channel: string
  readonly sender: string
  readonly recipient: string
  readonly body: unknown
  readonly status: string
  readonly trace_id: string
  readonly created_at: Date
}

/** What reads select. */
export const columns = "id, channel, sender, recipient, body, status, trace_id, created_at"

/** A message with the members of the product's contract, so that both sides write as much; most are constants here. */
export const shown = (row: Stored) => {
  const createdAt = row.created_at.toISOString()
  return {
    id: row.id,
    object: "message",
    channel: row.channel,
    direction: "outbound",
    type: "text",
    status: row.status,
    status_reason: null,
    environment: "sandbox",
    sender: { type: "chatapp_phone_number", id: row.sender, profile_name: null },
    recipient: { type: "phone_e164", id: row.recipient },
    provider: null,
    provider_message_id: null,
    template_name: null,
    template_id: null,
    template_version_id: null,
    template_version: null,
    media: null,
    unsupported: null,
    unknown: null,
    metadata: null,
    error_code: null,
    error_message: null,
    provider_error: null,
    trace_id: row.trace_id,
    created_at: createdAt,
    updated_at: createdAt,
    redacted_at: null,
    delivery_unconfirmed_at: null,
    events: [
      {
        id: row.id,
        type: "message.queued",
        status: row.status,
        occurred_at: createdAt,
        error_code: null,
        details: null
      }
    ]
  }
}
