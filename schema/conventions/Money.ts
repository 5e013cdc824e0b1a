import { Schema } from "effect"

/** An amount in BRL on the wire: a decimal string with four places. A-CONV-19, A-CONV-20 */
export const AmountBrl = Schema.String.check(Schema.isPattern(/^\d+\.\d{4}$/u)).annotate({
  description: "BRL, a decimal string with four places",
  examples: ["12.5000"]
})
