import type { Message, MessageReferral } from "@carteiro/schema/messages/Message.ts"
import { html, type Piece } from "../kit/Html.ts"
import { moment } from "../kit/Parts.ts"

/** Returns the marks above a message's content: corrected, withdrawn, its source, product and forwarding. */
export const messageMarks = ({
  context,
  edited_at,
  provider_group_id,
  revoked_at,
  source
}: Pick<Message, "context" | "edited_at" | "provider_group_id" | "revoked_at" | "source">): Piece => [
  source !== undefined && html`<p class="muted">Sent in the phone app</p>`,
  provider_group_id !== undefined && html`<p class="muted">In a group</p>`,
  revoked_at !== undefined && html`<p class="muted">Withdrawn by its author ${moment(revoked_at)}</p>`,
  edited_at !== undefined && html`<p class="muted">Corrected by its author ${moment(edited_at)}</p>`,
  contextMarks(context)
]

const contextMarks = (context: Message["context"]): Piece =>
  context && [
    context.referral && html`<p class="muted">From an advertisement or post: ${nameOf(context.referral)}</p>`,
    context.referred_product && html`<p class="muted">About the product ${context.referred_product.retailer_id}</p>`,
    (context.forwarded || context.frequently_forwarded) && html`<p class="muted">Forwarded</p>`
  ]

const nameOf = ({ body, headline, source_id, source_url }: MessageReferral): string =>
  headline ?? body ?? source_id ?? source_url ?? ""
