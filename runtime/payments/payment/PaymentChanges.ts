import { parseId } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { hintReportedPayment } from "./PaymentWorkWrites.ts"

/** Changes of payments on which other rooms decide. Each returns a row for the commit of the deciding owner. */
export const paymentChanges = {
  /**
   * Has the payment of this id looked up at its provider, after a report of another party; undefined for a text that is no
   * payment's id. An unknown payment changes nothing. `at` in epoch milliseconds. U-STA-03
   */
  reported: (environment_id: string, id: string, at: number): Row | undefined =>
    parseId("pay", id) ? hintReportedPayment.row({ environment_id, id, at }) : undefined
} as const
