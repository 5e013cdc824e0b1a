import { Context, type Effect, type Redacted } from "effect"

/** The account at the vendor of agentic payments, and its address. */
export interface AgenticAccount {
  readonly key: Redacted.Redacted
  /** The account's own base URL; null for the vendor's. */
  readonly base_url: string | null
}

/** Certainly refused: a retry does not help. */
export interface AgenticRefused {
  readonly _tag: "Refused"
  readonly code: string
}

/** The vendor has no thing with this id. */
export interface AgenticAbsent {
  readonly _tag: "Absent"
}

/** No usable response: only a look-up by the product's id tells whether the call arrived. */
export interface AgenticUnknown {
  readonly _tag: "Unknown"
}

/** A bank whose customers can authorize an agent. */
export interface AgenticBank {
  readonly id: string
  readonly name: string
  readonly ispb: string
  readonly logo_url: string | null
  readonly status: "available" | "unavailable"
}

/** A request for an authorization. */
export interface AuthorizationOrder {
  /** The product's id, equal in every try. */
  readonly external_id: string
  readonly participant_id: string | null
  readonly agent_id: string | null
  readonly bank_id: string
  readonly customer: { readonly name: string; readonly tax_id: string }
  /** Maximum amount of one payment, in centavos. */
  readonly max_amount_centavos: number
  /** Epoch milliseconds. */
  readonly expires_at: number
  readonly return_url: string | null
}

/** An authorization at the vendor. */
export interface VendorAuthorization {
  readonly _tag: "Authorization"
  readonly id: string
  readonly external_id: string
  readonly status: "pending" | "authorized" | "rejected" | "revoked" | "expired"
  readonly authorization_url: string | null
}

/** A payment to make under an authorization. */
export interface AgenticPaymentOrder {
  /** The product's id, equal in every try. */
  readonly external_id: string
  /** The vendor's id of the authorization. */
  readonly authorization_id: string
  readonly amount_centavos: number
  readonly description: string | null
}

/** A payment at the vendor. */
export interface VendorAgenticPayment {
  readonly _tag: "Payment"
  readonly id: string
  readonly external_id: string
  readonly status: "processing" | "paid" | "failed"
  /** Null if the vendor does not report it. */
  readonly amount_centavos: number | null
  readonly error: { readonly code: string; readonly message: string } | null
}

type Made<A> = Effect.Effect<A | AgenticRefused | AgenticUnknown>
type Read<A> = Effect.Effect<A | AgenticRefused | AgenticAbsent | AgenticUnknown>

/** Port to the vendor of agentic payments. vendor-wires "pixprov1, agentic payments" */
export interface AgenticProvider {
  readonly banks: (
    account: AgenticAccount
  ) => Made<{ readonly _tag: "Banks"; readonly banks: ReadonlyArray<AgenticBank> }>
  readonly authorize: (account: AgenticAccount, order: AuthorizationOrder) => Made<VendorAuthorization>
  readonly authorization: (account: AgenticAccount, id: string) => Read<VendorAuthorization>
  /** Returns the authorization with the product's id. */
  readonly authorizationOf: (account: AgenticAccount, externalId: string) => Read<VendorAuthorization>
  readonly revoke: (account: AgenticAccount, id: string) => Read<VendorAuthorization>
  readonly pay: (account: AgenticAccount, order: AgenticPaymentOrder) => Made<VendorAgenticPayment>
  readonly payment: (account: AgenticAccount, id: string) => Read<VendorAgenticPayment>
  /** Returns the payment with the product's id. */
  readonly paymentOf: (account: AgenticAccount, externalId: string) => Read<VendorAgenticPayment>
}

/** The vendor of this installation; undefined when none is set up. */
export const AgenticPlatform = Context.Reference<AgenticProvider | undefined>(
  "@carteiro/provider/payments/AgenticPlatform",
  {
    defaultValue: () => undefined
  }
)
