import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Schema } from "effect"
import { batch, defineOwner } from "../../platform/owner/Owner.ts"
import { scenarios } from "../sandbox/SandboxScenario.ts"

const shared = {
  /** Minted at the edge with `created_at`, so that a repeated call is the same call. */
  id: Schema.String,
  environment_id: Schema.String,
  environment: EnvironmentKind,
  channel: Channel,
  type: MessageType,
  /** The customer as shown, and the key conversations compare. */
  customer_id: Schema.String,
  customer_key: Schema.String,
  /** JSON text. */
  content: Schema.String,
  metadata: Schema.NullOr(Schema.String),
  trace_id: Schema.String,
  /** Epoch milliseconds. */
  created_at: Schema.Number,
  idempotency: Schema.UndefinedOr(
    Schema.Struct({
      environment_id: Schema.String,
      key_hash: Schema.String,
      fingerprint: Schema.String,
      expires_at: Schema.Number
    })
  )
}

/** One send as the edge hands it to the number's owner: decoded, admitted, its phone judged. */
export const AcceptItem = Schema.Struct({
  ...shared,
  scenario: Schema.Literals(scenarios),
  reply_to: Schema.UndefinedOr(Schema.String)
})
export type AcceptItem = typeof AcceptItem.Type

/** One captured inbound message. */
export const InboundItem = Schema.Struct({
  ...shared,
  /** Used when the customer is new. */
  contact_id: Schema.String,
  profile_name: Schema.NullOr(Schema.String),
  provider: Schema.String,
  provider_message_id: Schema.String,
  /** The provider's raw message, JSON text. */
  payload: Schema.String
})
export type InboundItem = typeof InboundItem.Type

/**
 * One sending number: whatever must not interleave or exceed its rate. Many sends travel as one message and cost one
 * read and one commit. Architecture, section 2
 */
export const PhoneNumberEntity = defineOwner("PhoneNumber", {
  /** The text of the 202. M-MSG-01 */
  Accept: batch(AcceptItem, Schema.String),
  /** The text of the 202. M-SBX-16 */
  Inbound: batch(InboundItem, Schema.String)
})
