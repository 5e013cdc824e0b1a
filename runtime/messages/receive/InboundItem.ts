import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { MessageContext } from "@carteiro/schema/messages/Message.ts"
import { JsonTextOf } from "@carteiro/tables/StoredJson.ts"
import { Schema } from "effect"
import { itemFields } from "../message/ItemFields.ts"

/** One captured inbound message. */
export const InboundItem = Schema.Struct({
  ...itemFields,
  content: JsonTextOf<InboundContent>(),
  /** The id of the contact when the customer is new. */
  contact_id: Schema.String,
  profile_name: Schema.NullOr(Schema.String),
  /** The platform's id of the customer and their username; absent when it names none. U-HID-01 */
  user_id: Schema.optional(Schema.String),
  username: Schema.optional(Schema.String),
  provider: Schema.String,
  provider_message_id: Schema.String,
  /** The provider's id of the group in which the customer wrote; absent for a private message. U-INB-06 */
  provider_group_id: Schema.optional(Schema.String),
  /** When the customer wrote by the provider's clock, epoch milliseconds; `created_at` by default. */
  heard_at: Schema.optional(Schema.Number),
  /** Quote and forwarding; absent when they are unknown. M-READ-21, M-READ-22 */
  context: Schema.optional(
    Schema.Struct({
      /** The provider's id of the quoted message. */
      quoted_id: Schema.NullOr(Schema.String),
      forwarded: Schema.Boolean,
      frequently_forwarded: Schema.Boolean,
      referral: MessageContext.fields.referral,
      referred_product: MessageContext.fields.referred_product
    })
  ),
  /** The file of this environment whose bytes a simulated customer sends. */
  source_asset_id: Schema.optional(Schema.String),
  /** The provider's raw message. */
  payload: JsonTextOf<unknown>()
})
export type InboundItem = typeof InboundItem.Type
