import { Schema } from "effect"

const payment = Schema.NullOr(
  Schema.Struct({ object: Schema.Literals(["payment_request", "agentic_payment"]), id: Schema.String })
)

/** Sets credit aside under an id of the caller's, so that a repeated call is the same call. Amounts in 1/10,000 BRL. */
const Hold = Schema.TaggedStruct("Hold", {
  reservation_id: Schema.String,
  amount: Schema.Int,
  meter_id: Schema.String,
  source_type: Schema.Literals(["payment_fee_hold", "phone_month"]),
  project_id: Schema.NullOr(Schema.String),
  environment_id: Schema.NullOr(Schema.String),
  trace_id: Schema.NullOr(Schema.String),
  payment
})

/** Charges what was set aside, or gives it back. */
const Settle = Schema.TaggedStruct("Settle", { reservation_id: Schema.String, usage_id: Schema.String })
const Release = Schema.TaggedStruct("Release", { reservation_id: Schema.String })

/** What other rooms ask of an account. gaps-3 D "Double-entry model" */
export const AccountOperation = Schema.Union([Hold, Settle, Release])
export type AccountOperation = typeof AccountOperation.Type
export type HoldOperation = typeof Hold.Type

/** How the reservation stands after it. */
export const ReservationState = Schema.Literals(["open", "settled", "released", "unknown"])
export type ReservationState = typeof ReservationState.Type
