import type { NumberNotice } from "@carteiro/provider/ChatNotices.ts"
import { Result } from "effect"
import type { Row } from "../../platform/commit/Write.ts"
import { accountOf, type NumberFacts } from "../facts/SendingFacts.ts"
import { resumeMarketing, stopMarketing } from "../guards/GuardWrites.ts"
import { readPhone } from "../message/Recipient.ts"

/** A customer stopped, or resumed, marketing of the number's business account. M-GRD-09, M-GRD-10 */
export const preferenceRows = (
  notice: NumberNotice,
  number: NumberFacts,
  business_id: string,
  now: number
): ReadonlyArray<Row> => {
  if (notice.kind !== "preference") return []
  const customer = readPhone(notice.from, "from")
  if (Result.isFailure(customer)) return []
  const stop = { account_id: accountOf(number, business_id), customer_key: customer.success.key }
  return notice.value === "resume"
    ? [resumeMarketing.row(stop)]
    : [stopMarketing.row({ ...stop, environment_id: number.environment_id, stopped_at: notice.at ?? now })]
}
