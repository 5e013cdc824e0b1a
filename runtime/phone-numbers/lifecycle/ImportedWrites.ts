import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { phoneNumbersTable } from "../number/NumberTables.ts"

/**
 * Makes an imported number due when the platform can reach it; its owner then verifies it again. gaps-2 K "State
 * machine"
 */
export const verifyNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.verify",
  set: ["updated_at"],
  values: { status: "'verifying'", due_at: "r.updated_at" },
  guard: "t.status = 'provisioned' and t.source = 'byon'",
  target: rowOf("phone_numbers", "id")
})
