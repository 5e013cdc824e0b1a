import { Context, type Effect, type Redacted } from "effect"
import type { PixCharge, PixNoCharge, PixOrder } from "./PixCharges.ts"

/** Vendors that take Pix payments for a merchant. */
export type PixVendor = "pixprov1" | "pixprov2"

/** A page of the vendor's own, or a code to be paid from a bank's app. */
export type PixMode = "hosted_checkout" | "transparent_pix"

/** A payment that a merchant asks for. */
export interface PixCheckoutOrder extends PixOrder {
  readonly customer: {
    readonly name: string | null
    readonly tax_id: string | null
    readonly phone: string | null
    readonly email: string | null
  } | null
  /** The page or code that the vendor shows; the first vendor knows its own page alone. */
  readonly mode: PixMode
  readonly success_url: string | null
}

/** A charge as its vendor has it. */
export interface PixCheckout extends PixCharge {
  readonly payment_url: string | null
}

export type PixAnswer = PixCheckout | PixNoCharge

/** The result of asking for an approval. */
export type PixApprovalAnswer = { readonly _tag: "Requested"; readonly id: string } | PixNoCharge

/** Port to a vendor of Pix payments; `key` is the credential of the merchant's account there. gaps-3 G "Shape of the adapters" */
export interface PixProvider {
  readonly create: (key: Redacted.Redacted, order: PixCheckoutOrder) => Effect.Effect<PixAnswer>
  readonly read: (key: Redacted.Redacted, id: string) => Effect.Effect<PixAnswer>
  /** The charge of our id. */
  readonly lookUp: (key: Redacted.Redacted, externalId: string) => Effect.Effect<PixAnswer>
  /** Asks for its end; only a later read says whether it came. Undefined where the vendor knows no cancelling. */
  readonly cancel?: (key: Redacted.Redacted, id: string) => Effect.Effect<PixAnswer>
  /** Undefined where the vendor knows no approvals; `external_id` is ours, the same for every try. */
  readonly requestApproval?: (
    key: Redacted.Redacted,
    id: string,
    approval: { readonly external_id: string; readonly note: string | null }
  ) => Effect.Effect<PixApprovalAnswer>
}

/** The vendors this installation is set up for. */
export const PixProviders = Context.Reference<{ readonly [V in PixVendor]?: PixProvider }>(
  "@carteiro/provider/payments/PixProviders",
  { defaultValue: () => ({}) }
)
