import { Context, type Effect, type Redacted } from "effect"
import type { PixCharge, PixNoCharge, PixOrder } from "./PixCharges.ts"

/** Vendors that take Pix payments for a merchant. */
export type PixVendor = "pixprov1" | "pixprov2"

/** A page of the vendor, or a code to pay in a bank's app. */
export type PixMode = "hosted_checkout" | "transparent_pix"

/** A merchant's request for a payment. */
export interface PixCheckoutOrder extends PixOrder {
  readonly customer: {
    readonly name: string | null
    readonly tax_id: string | null
    readonly phone: string | null
    readonly email: string | null
  } | null
  /** The page or code that the vendor shows; the first vendor only supports its page. */
  readonly mode: PixMode
  readonly success_url: string | null
}

/** A charge at its vendor. */
export interface PixCheckout extends PixCharge {
  readonly payment_url: string | null
}

export type PixAnswer = PixCheckout | PixNoCharge

/** The result of a request for an approval. */
export type PixApprovalAnswer = { readonly _tag: "Requested"; readonly id: string } | PixNoCharge

/** Port to a vendor of Pix payments; `key` is the credential of the merchant's account there. gaps-3 G "Shape of the adapters" */
export interface PixProvider {
  readonly create: (key: Redacted.Redacted, order: PixCheckoutOrder) => Effect.Effect<PixAnswer>
  readonly read: (key: Redacted.Redacted, id: string) => Effect.Effect<PixAnswer>
  /** Returns the charge with the product's id. */
  readonly lookUp: (key: Redacted.Redacted, externalId: string) => Effect.Effect<PixAnswer>
  /**
   * Requests the end of a charge; only a later read tells whether it ended. Undefined if the vendor does not support
   * cancelling.
   */
  readonly cancel?: (key: Redacted.Redacted, id: string) => Effect.Effect<PixAnswer>
  /**
   * Requests an approval; `external_id` is the product's, equal in every try. Undefined if the vendor does not support
   * approvals.
   */
  readonly requestApproval?: (
    key: Redacted.Redacted,
    id: string,
    approval: { readonly external_id: string; readonly note: string | null }
  ) => Effect.Effect<PixApprovalAnswer>
}

/** The Pix vendors of this installation. */
export const PixProviders = Context.Reference<{ readonly [V in PixVendor]?: PixProvider }>(
  "@carteiro/provider/payments/PixProviders",
  { defaultValue: () => ({}) }
)
