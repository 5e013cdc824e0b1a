import type { Message, MessageReferral } from "@carteiro/schema/messages/Message.ts"
import { html, type Piece } from "../kit/Html.ts"

/** Returns the source, the product and the forwarding of a customer's message, as marks above its content. U-INB-04 */
export const messageMarks = ({ context }: Pick<Message, "context">): Piece =>
  context && [
    context.referral && html`<p class="muted">From an advertisement or post: ${nameOf(context.referral)}</p>`,
    context.referred_product && html`<p class="muted">About the product ${context.referred_product.retailer_id}</p>`,
    (context.forwarded || context.frequently_forwarded) && html`<p class="muted">Forwarded</p>`
  ]

const nameOf = ({ body, headline, source_id, source_url }: MessageReferral): string =>
  headline ?? body ?? source_id ?? source_url ?? ""
