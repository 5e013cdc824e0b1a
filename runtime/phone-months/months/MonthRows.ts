import type { Row } from "@carteiro/tables/Write.ts"
import type { MonthAccount } from "../../billing/Billing.ts"
import { type ManagedNumber, numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { type MonthsOf, type NumberMonth, suspendedFrom } from "../management/Coverage.ts"
import { insertPhoneMonth, type PhoneMonth } from "./PhoneMonthRepo.ts"

/** Who decides of which number, and when. */
interface MonthPlace {
  readonly account_id: string
  readonly number: { readonly id: string; readonly environment_id: string }
  readonly month: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The row that something was decided of a number's month. */
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

/** The number sends from now on as far as it is covered; nothing when it does already. C-PMGT-10 */
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

/** A number's months once one of them is decided. */
export const decided =
  (months: MonthsOf, month: string, change: Partial<NumberMonth>): MonthsOf =>
  (asked) =>
    asked === month ? { ...months(asked), ...change } : months(asked)
