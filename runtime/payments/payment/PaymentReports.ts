import { parseId } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context } from "effect"
import { hintReportedPayment } from "./PaymentWorkWrites.ts"

/** Takes reports about payments from parties other than their providers. */
export const PaymentReports = Context.Reference<{
  /**
   * Returns the row that has the payment of this id looked up at its provider; undefined for a text that is no payment's
   * id. An unknown payment changes nothing. `at` in epoch milliseconds. U-STA-03
   */
  readonly notice: (environmentId: string, paymentId: string, at: number) => Row | undefined
}>("@carteiro/runtime/payments/payment/PaymentReports", {
  defaultValue: () => ({
    notice: (environment_id, id, at) =>
      parseId("pay", id) ? hintReportedPayment.row({ environment_id, id, at }) : undefined
  })
})
