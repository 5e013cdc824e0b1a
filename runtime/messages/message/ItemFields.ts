import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { JsonTextOf } from "@carteiro/tables/StoredJson.ts"
import { Schema } from "effect"

/** The fields of any message, sent or captured, that the edge passes to the number's owner. */
export const itemFields = {
  /** Minted at the edge with `created_at`, so that a repeated call has one effect. */
  id: Schema.String,
  environment_id: Schema.String,
  environment: EnvironmentKind,
  channel: Channel,
  type: MessageType,
  /** The customer as shown, and the key that conversations compare. */
  customer_id: Schema.String,
  customer_key: Schema.String,
  metadata: Schema.NullOr(JsonTextOf<Metadata>()),
  trace_id: Schema.String,
  /** Epoch milliseconds. */
  created_at: Schema.Number,
  claim: Schema.UndefinedOr(Claim)
}
