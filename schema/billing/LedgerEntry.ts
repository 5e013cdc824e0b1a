import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { pageQuery } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** What an entry is of. C-LED-04 */
export const LedgerSource = Schema.Literals(["usage", "credit_topup", "payment_fee_hold"]).annotate({
  description: "What it is of: usage, a top-up, or the hold of a payment's completion fee."
})

/** Whose fee an entry is. C-LED-10 */
const PaymentFee = Schema.Struct({
  object: Schema.Literals(["payment_request", "agentic_payment"]).annotate({ description: "What kind of payment." }),
  id: Schema.String.annotate({ description: "Id of the payment." }),
  reservation_id: Schema.String.annotate({ description: "Id of the reservation, as the payment's fees name it." })
}).annotate({ description: "The payment whose fee it is; null for everything else." })

const nullableText = Schema.NullOr(Schema.String)

/** One movement of credit; never edited or removed. C-LED-01..10, C-LED-17 */
export class LedgerEntry extends Schema.Class<LedgerEntry>("LedgerEntry")({
  id: id("led"),
  object: Schema.Literal("ledger_entry"),
  type: Schema.Literals(["debit", "credit", "hold", "release"]).annotate({
    description: "debit is spend, credit a top-up; hold and release set credit aside and return it, and are no spend."
  }),
  source_type: LedgerSource,
  source_id: Schema.String.annotate({ description: "Id of the usage record, the top-up or the reservation." }),
  meter_id: nullableText.annotate({ description: "What was used, as the rate card names it." }),
  amount_brl: AmountBrl.annotate({ description: "Always positive: type tells the direction." }),
  uncollected_brl: Schema.NullOr(AmountBrl).annotate({
    description: "What of a debit the balance did not cover when it was posted."
  }),
  currency: Schema.Literal("brl"),
  environment: Schema.NullOr(EnvironmentKind).annotate({ description: "Null for top-ups of the organization." }),
  payment_fee: Schema.NullOr(PaymentFee),
  trace_id: nullableText.annotate({ description: "Trace of the request that caused it; null on top-ups." }),
  recorded_at: Timestamp
}) {}

/** Query of GET /v1/billing/ledger; an unknown parameter is refused. C-LED-11..13 */
export const listLedgerQuery = {
  ...pageQuery(),
  environment: Schema.optionalKey(EnvironmentKind).annotate({
    description: "Entries of exactly this environment. Left out: production and what belongs to no environment."
  }),
  source_type: Schema.optionalKey(LedgerSource)
}
