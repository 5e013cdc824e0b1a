import { KeyScope, RateClass } from "@carteiro/schema/conventions/Access.ts"
import { Schema } from "effect"
import { batch, defineOwner } from "../../platform/owner/Owner.ts"

const hashed = { key_hash: Schema.String, fingerprint: Schema.String }

/** An idempotency key and its request, hashed under the present master key; `older` under those before it, if any. */
export const ClaimItem = Schema.Struct({
  ...hashed,
  older: Schema.UndefinedOr(Schema.Array(Schema.Struct(hashed)))
})
export type ClaimItem = typeof ClaimItem.Type

/** One request asking to be let in, as the edge sends it to the environment's owner. */
export const AdmitItem = Schema.Struct({
  /** HMAC of the presented secret, base64. */
  secret_hash: Schema.String,
  operation: Schema.String,
  scopes: Schema.Array(KeyScope),
  sandboxOnly: Schema.Boolean,
  restrictedWithoutCredit: Schema.Boolean,
  rate: Schema.UndefinedOr(RateClass),
  rateAfterIdempotency: Schema.Boolean,
  /** The key counts for the credit block only: the handler asks for it by `Claim`. */
  claimInHandler: Schema.Boolean,
  idempotency: Schema.UndefinedOr(ClaimItem)
})
export type AdmitItem = typeof AdmitItem.Type

const claimed = {
  replay: Schema.UndefinedOr(Schema.Struct({ status: Schema.Int, body: Schema.String })),
  claim: Schema.UndefinedOr(
    Schema.Struct({
      environment_id: Schema.String,
      ...hashed,
      expires_at: Schema.Number
    })
  )
}
/** A request let in. */
export const AdmitResult = Schema.Struct({
  caller: Schema.Struct({
    organization_id: Schema.String,
    project_id: Schema.String,
    environment_id: Schema.String,
    environment: Schema.Literals(["sandbox", "production"]),
    api_key_id: Schema.String,
    key_prefix: Schema.String,
    scopes: Schema.Array(KeyScope),
    capabilities_off: Schema.Array(Schema.Literals(["messaging", "groups", "payments", "phone_provisioning"]))
  }),
  ...claimed
})
export type AdmitResult = typeof AdmitResult.Type

export const ClaimResult = Schema.Struct(claimed)
export type ClaimResult = typeof ClaimResult.Type

/**
 * Lets requests of one environment in: keys, tenancy, buckets and open idempotency keys. Many requests travel as one
 * message and cost one read. Architecture, section 2
 */
export const EnvironmentEntity = defineOwner("Environment", {
  Admit: batch(AdmitItem, AdmitResult),
  /** For handlers that ask for their key after checks of their own. */
  Claim: batch(ClaimItem, ClaimResult),
  /** Gives open idempotency keys back after refusals without effect, or after their record was written. */
  Release: batch(Schema.Struct({ key_hash: Schema.String }), Schema.Void)
})
