import type { NumberNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { accountOf, type NumberFacts } from "../facts/SendingFacts.ts"
import { resumeMarketing, stopMarketing } from "../guards/GuardWrites.ts"

/**
 * Returns the row by which the customer of that key stopped, or resumed, marketing of the number's business account;
 * `received_at` in epoch milliseconds. M-GRD-09, M-GRD-10
 */
export const preferenceRows = (
  notice: NumberNotice,
  customer_key: string | undefined,
  number: NumberFacts,
  business_id: string,
  received_at: number
): ReadonlyArray<Row> => {
  if (notice.kind !== "preference" || customer_key === undefined) return []
  const stop = { account_id: accountOf(number, business_id), customer_key }
  return notice.value === "resume"
    ? [resumeMarketing.row(stop)]
    : [
        stopMarketing.row({
          ...stop,
          environment_id: number.environment_id,
          stopped_at: Math.min(notice.at ?? received_at, received_at)
        })
      ]
}
