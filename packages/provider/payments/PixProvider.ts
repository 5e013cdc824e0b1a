import { Context, type Effect, type Redacted } from "effect"
import type { PixBounds, PixMode } from "./PixBounds.ts"
import type { PixCharge, PixNoCharge, PixOrder } from "./PixCharges.ts"
import type { PixNotices } from "./PixNotices.ts"

/** Vendors that take Pix payments for a merchant. */
export type PixVendor = "pixprov1" | "pixprov2"

/** The wires behind Pix provider 2: a vendor of one's own, a payment institution of that name, or the standard of the central bank. */
export type PixDriver = "bridge" | "mercadopago" | "pix-api"

/** Returns the wire of accounts that have one key, where the service's own account speaks this one. */
export const keyedDriverOf = (driver: PixDriver): PixDriver => (driver === "pix-api" ? "bridge" : driver)

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
  /** What the vendor takes; undefined where it takes all that the contract allows. */
  readonly bounds?: PixBounds
  /** Undefined where the vendor's notices follow the bridge's protocol. */
  readonly notices?: PixNotices
  /**
   * Asks the vendor whether a credential is good, without any effect there. Undefined where the vendor has no such
   * question; `Unknown` says nothing about the credential. Without `dials` only what can be seen from here is judged.
   */
  readonly prove?: (key: Redacted.Redacted, dials: boolean) => Effect.Effect<PixCredentialAnswer>
}

/** A vendor that cancels and approves. */
export type ApprovingPix = PixProvider & Required<Pick<PixProvider, "cancel" | "requestApproval">>

/** The result of a question about a credential; `field` is the member of the entered credentials that is wrong. */
export type PixCredentialAnswer =
  | { readonly _tag: "Good" }
  | { readonly _tag: "Bad"; readonly field: string; readonly message: string }
  | { readonly _tag: "Unknown" }

/** The Pix vendors of this installation: pixprov1, and pixprov2 by its drivers, of which `pixprov2` is the bridge. */
export interface PixVendors {
  readonly pixprov1?: PixProvider
  readonly pixprov2?: PixProvider
  readonly mercadopago?: PixProvider
  readonly "pix-api"?: PixProvider
}

/** The Pix vendors of this installation. */
export const PixProviders = Context.Reference<PixVendors>("@carteiro/provider/payments/PixProviders", {
  defaultValue: () => ({})
})

/** Returns the vendor of an account; undefined when this installation is not set up for it. */
export const pixProviderOf = (
  vendors: PixVendors,
  { driver, provider }: { readonly provider: PixVendor; readonly driver: PixDriver | null }
): PixProvider | undefined =>
  vendors[provider === "pixprov1" || driver === null || driver === "bridge" ? provider : driver]
