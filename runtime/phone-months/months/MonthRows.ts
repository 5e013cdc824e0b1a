import type { Row } from "@carteiro/tables/Write.ts"
import type { MonthAccount } from "../../billing/Billing.ts"
import { type ManagedNumber, numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { type MonthsOf, type NumberMonth, suspendedFrom } from "./Coverage.ts"
import { insertPhoneMonth, type PhoneMonth } from "./PhoneMonthRepo.ts"

/** The account, the number and the month of a decision. */
interface MonthPlace {
  readonly account_id: string
  readonly number: { readonly id: string; readonly environment_id: string }
  readonly month: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Returns the row of a decision about a number's month. */
export const monthRow = (
  { account_id, month, now, number }: MonthPlace,
  step: PhoneMonth["step"],
  amount: number | null
): Row =>
  insertPhoneMonth.row({
    phone_number_id: number.id,
    month,
    step,
    account_id,
    environment_id: number.environment_id,
    amount,
    decided_at: now
  })

/** Returns the rows that let a number send as long as it is covered; none when it may already. C-PMGT-10 */
export const coverageRows = (
  number: ManagedNumber,
  account: MonthAccount,
  months: MonthsOf,
  now: number
): ReadonlyArray<Row> => {
  const suspended_at = suspendedFrom(number, account, months, now)
  return suspended_at === number.suspended_at
    ? []
    : [numberChanges.suspend({ environment_id: number.environment_id, id: number.id, suspended_at })]
}

/** Returns a number's months with one more decision. */
export const decided =
  (months: MonthsOf, month: string, change: Partial<NumberMonth>): MonthsOf =>
  (asked) =>
    asked === month ? { ...months(asked), ...change } : months(asked)
