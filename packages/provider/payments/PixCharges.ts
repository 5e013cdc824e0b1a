import { Context, type Effect } from "effect"
import type { PixNotices } from "./PixNotices.ts"

/** A request for a Pix payment; amounts in centavos. */
export interface PixOrder {
  /** The product's id, equal in every try, so that one charge is made. */
  readonly external_id: string
  readonly amount_centavos: number
  readonly description: string | null
  /** Seconds until the charge can no longer be paid. */
  readonly expires_in_seconds: number
  /** Where the vendor sends its notices about the charge; null or undefined where its account names one address for all. */
  readonly notice_url?: string | null
}

/** A Pix charge at the provider. gaps-3 G "pixprov1 and pixprov2 calls" */
export interface PixCharge {
  readonly _tag: "Charge"
  readonly id: string
  readonly external_id: string
  /** Null if the provider does not report it. */
  readonly amount_centavos: number | null
  readonly status: "pending" | "approved" | "paid" | "failed" | "expired" | "cancelled"
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  /** Epoch milliseconds. */
  readonly expires_at: number | null
  /** The vendor's code of a failure; undefined while there is none, or where the vendor gives none. */
  readonly failure_code?: string
}

/** The other results of a call: a certain refusal, a certain absence, or an unknown outcome. */
export type PixNoCharge =
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }

/** Port to Pix charges on the service's own account: annual plans and cash top-ups. gaps-3 G "Shape of the adapters" */
export interface PixCharges {
  readonly create: (order: PixOrder) => Effect.Effect<PixCharge | PixNoCharge>
  readonly read: (id: string) => Effect.Effect<PixCharge | PixNoCharge>
  /** Returns the charge with the product's id. */
  readonly lookUp: (externalId: string) => Effect.Effect<PixCharge | PixNoCharge>
  readonly cancel: (id: string) => Effect.Effect<PixCharge | PixNoCharge>
  /** Undefined where the vendor's notices follow the bridge's protocol. */
  readonly notices?: PixAccountNotices
}

/** The notices of a vendor about the service's own account. */
export interface PixAccountNotices extends Pick<PixNotices, "prove" | "url"> {
  /** Returns our ids of the charges that a stored notice is about; undefined while the vendor does not say. */
  readonly about: (body: Uint8Array) => Effect.Effect<ReadonlyArray<string> | undefined>
}

/** The Pix account of this installation; undefined when none is set up. gaps-3 G "Provider selected but setting missing" */
export const PlatformPix = Context.Reference<PixCharges | undefined>("@carteiro/provider/payments/PlatformPix", {
  defaultValue: () => undefined
})
