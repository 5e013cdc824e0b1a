import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl, BalanceBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** The prepaid credit of an organization. C-BAL-01..13 */
export class CreditBalance extends Schema.Class<CreditBalance>("CreditBalance")({
  id: id("org"),
  object: Schema.Literal("credit_balance"),
  organization_id: id("org"),
  balance_brl: BalanceBrl.annotate({ description: "Credit that can be spent; held credit is already deducted." }),
  held_brl: AmountBrl.annotate({ description: "Credit reserved by open production holds." }),
  currency: Schema.Literal("brl"),
  production_blocked: Schema.Boolean.annotateKey({
    description:
      "Whether production keys are restricted for lack of credit. Once set, the restriction stays until the balance is above zero."
  }),
  updated_at: Timestamp,
  trace_id: TraceId
}) {}
