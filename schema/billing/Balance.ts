import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl, BalanceBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** The prepaid credit of an organization. C-BAL-01..13 */
export class CreditBalance extends Schema.Class<CreditBalance>("CreditBalance")({
  id: id("org"),
  object: Schema.Literal("credit_balance"),
  organization_id: id("org"),
  balance_brl: BalanceBrl.annotate({ description: "What may be spent: held credit is deducted already." }),
  held_brl: AmountBrl.annotate({ description: "Credit set aside by production holds that have not ended." }),
  currency: Schema.Literal("brl"),
  production_blocked: Schema.Boolean.annotateKey({
    description:
      "Whether production keys are restricted for want of credit. Once engaged it stays until the balance is above zero."
  }),
  updated_at: Timestamp,
  trace_id: TraceId
}) {}
