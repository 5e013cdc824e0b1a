import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageQuery } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** The source of an entry. C-LED-04 */
export const LedgerSource = Schema.Literals(["usage", "credit_topup", "payment_fee_hold"]).annotate({
  description: "Source of the entry: usage, a top-up, or the hold of a payment's completion fee."
})

/** The payment whose fee an entry is. C-LED-10 */
const PaymentFee = Schema.Struct({
  object: Schema.Literals(["payment_request", "agentic_payment"]).annotate({ description: "Kind of payment." }),
  id: Schema.String.annotate({ description: "Id of the payment." }),
  reservation_id: Schema.String.annotate({ description: "Id of the reservation, as the payment's fees name it." })
}).annotate({ description: "The payment whose fee this entry is; null for other sources." })

const nullableText = Schema.NullOr(Schema.String)

/** One movement of credit; never edited or removed. C-LED-01..10, C-LED-17 */
export class LedgerEntry extends Schema.Class<LedgerEntry>("LedgerEntry")({
  id: id("led"),
  object: Schema.Literal("ledger_entry"),
  type: Schema.Literals(["debit", "credit", "hold", "release"]).annotate({
    description: "debit is spend and credit is a top-up. hold and release reserve and return credit, and are not spend."
  }),
  source_type: LedgerSource,
  source_id: Schema.String.annotate({ description: "Id of the usage record, the top-up or the reservation." }),
  meter_id: nullableText.annotate({ description: "The meter of the rate card that was used." }),
  amount_brl: AmountBrl.annotate({ description: "Always positive; type gives the direction." }),
  uncollected_brl: Schema.NullOr(AmountBrl).annotate({
    description: "The part of a debit that the balance did not cover when it was posted."
  }),
  currency: Schema.Literal("brl"),
  environment: Schema.NullOr(EnvironmentKind).annotate({
    description: "Environment of the entry; null for top-ups of the organization."
  }),
  payment_fee: Schema.NullOr(PaymentFee),
  trace_id: nullableText.annotate({ description: "Trace of the request that caused the entry; null for top-ups." }),
  recorded_at: Timestamp
}) {}

/** Query of GET /v1/billing/ledger; refuses unknown parameters. C-LED-11..13 */
export const listLedgerQuery = {
  ...pageQuery(),
  environment: Schema.optionalKey(EnvironmentKind).annotate({
    description:
      "Entries of exactly this environment. By default, entries of production and those without an environment."
  }),
  source_type: Schema.optionalKey(LedgerSource)
}
