import { Schema } from "effect"
import { batch, defineOwner } from "../../platform/owner/Owner.ts"

/** An idempotency key the request holds open, see `IdempotencyClaim`. */
export const Claim = Schema.UndefinedOr(
  Schema.Struct({
    environment_id: Schema.String,
    key_hash: Schema.String,
    fingerprint: Schema.String,
    expires_at: Schema.Number
  })
)

/** A finished answer: made before the commit and stored with it, so that a replay is byte for byte the same. */
export const Answered = Schema.Struct({ status: Schema.Int, body: Schema.String })

/** The caller's environment, which must be the endpoint's, and the request's trace. */
const from = { environment_id: Schema.String, trace_id: Schema.String }

const UpdateItem = Schema.Struct({
  ...from,
  url: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  subscribed_events: Schema.optionalKey(Schema.Array(Schema.String)),
  status: Schema.optionalKey(Schema.Literals(["active", "disabled"]))
})
export type UpdateItem = typeof UpdateItem.Type

const RotateItem = Schema.Struct({ ...from, claim: Claim })
export type RotateItem = typeof RotateItem.Type

/** Ids are minted by the caller: a repeated call makes the same probe. */
const TestItem = Schema.Struct({
  ...from,
  claim: Claim,
  webhook_event_id: Schema.String,
  event_id: Schema.String,
  attempt_id: Schema.String
})
export type TestItem = typeof TestItem.Type

/**
 * One endpoint: whatever moves its health, its secret or its queue happens here, in one order; its due deliveries are
 * sent from here. Architecture, section 2
 */
export const WebhookEndpointEntity = defineOwner("WebhookEndpoint", {
  Update: batch(UpdateItem, Answered),
  Delete: batch(Schema.Struct(from), Answered),
  RotateSecret: batch(RotateItem, Answered),
  /** Counts one test request, replays included, before anything is said of its idempotency key. A-WHT-08, A-WHT-09 */
  AdmitTest: batch(Schema.Struct(from), Schema.Void),
  Test: batch(TestItem, Answered)
})
