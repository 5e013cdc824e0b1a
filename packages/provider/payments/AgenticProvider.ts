import { Context, type Effect, type Redacted } from "effect"

/** The account at the vendor of payments that agents make, and where it is reached. */
export interface AgenticAccount {
  readonly key: Redacted.Redacted
  /** Null for the vendor's own. */
  readonly base_url: string | null
}

/** Definitely not done: another try changes nothing. */
export interface AgenticRefused {
  readonly _tag: "Refused"
  readonly code: string
}

/** The vendor has none of this id. */
export interface AgenticAbsent {
  readonly _tag: "Absent"
}

/** No usable answer: whether the call arrived, only a look by our id says. */
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

/** An authorization to be asked for. */
export interface AuthorizationOrder {
  /** Ours, the same for every try. */
  readonly external_id: string
  readonly participant_id: string | null
  readonly agent_id: string | null
  readonly bank_id: string
  readonly customer: { readonly name: string; readonly tax_id: string }
  /** The most that one payment may take. */
  readonly max_amount_centavos: number
  /** Epoch milliseconds. */
  readonly expires_at: number
  readonly return_url: string | null
}

/** An authorization as the vendor has it. */
export interface VendorAuthorization {
  readonly _tag: "Authorization"
  readonly id: string
  readonly external_id: string
  readonly status: "pending" | "authorized" | "rejected" | "revoked" | "expired"
  readonly authorization_url: string | null
}

/** A payment to be made by an authorization. */
export interface AgenticPaymentOrder {
  /** Ours, the same for every try. */
  readonly external_id: string
  /** The vendor's id of it. */
  readonly authorization_id: string
  readonly amount_centavos: number
  readonly description: string | null
}

/** A payment as the vendor has it. */
export interface VendorAgenticPayment {
  readonly _tag: "Payment"
  readonly id: string
  readonly external_id: string
  readonly status: "processing" | "paid" | "failed"
  /** Null where the vendor does not say. */
  readonly amount_centavos: number | null
  readonly error: { readonly code: string; readonly message: string } | null
}

type Made<A> = Effect.Effect<A | AgenticRefused | AgenticUnknown>
type Read<A> = Effect.Effect<A | AgenticRefused | AgenticAbsent | AgenticUnknown>

/** Port to the vendor of payments that agents make for people. vendor-wires "pixprov1, agentic payments" */
export interface AgenticProvider {
  readonly banks: (
    account: AgenticAccount
  ) => Made<{ readonly _tag: "Banks"; readonly banks: ReadonlyArray<AgenticBank> }>
  readonly authorize: (account: AgenticAccount, order: AuthorizationOrder) => Made<VendorAuthorization>
  readonly authorization: (account: AgenticAccount, id: string) => Read<VendorAuthorization>
  /** The authorization of our id. */
  readonly authorizationOf: (account: AgenticAccount, externalId: string) => Read<VendorAuthorization>
  readonly revoke: (account: AgenticAccount, id: string) => Read<VendorAuthorization>
  readonly pay: (account: AgenticAccount, order: AgenticPaymentOrder) => Made<VendorAgenticPayment>
  readonly payment: (account: AgenticAccount, id: string) => Read<VendorAgenticPayment>
  /** The payment of our id. */
  readonly paymentOf: (account: AgenticAccount, externalId: string) => Read<VendorAgenticPayment>
}

/** The vendor of this installation; undefined when none is set up. */
export const AgenticPlatform = Context.Reference<AgenticProvider | undefined>(
  "@carteiro/provider/payments/AgenticPlatform",
  {
    defaultValue: () => undefined
  }
)
