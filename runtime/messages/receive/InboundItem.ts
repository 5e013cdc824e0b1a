import { Schema } from "effect"
import { itemFields } from "../message/ItemFields.ts"

/** One captured inbound message. */
export const InboundItem = Schema.Struct({
  ...itemFields,
  /** Used when the customer is new. */
  contact_id: Schema.String,
  profile_name: Schema.NullOr(Schema.String),
  provider: Schema.String,
  provider_message_id: Schema.String,
  /** The provider's raw message, JSON text. */
  payload: Schema.String
})
export type InboundItem = typeof InboundItem.Type
