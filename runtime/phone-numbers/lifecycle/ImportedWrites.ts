import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

/**
 * Makes an imported number due when the platform can reach it; its owner then verifies it again. gaps-2 K "State
 * machine"
 */
export const verifyNumber = defineUpdate({
  name: "phone_numbers.verify",
  table: "phone_numbers",
  key: { environment_id: "text", id: "text" },
  set: { updated_at: "timestamptz" },
  values: { status: "'verifying'", due_at: "r.updated_at" },
  guard: "t.status = 'provisioned' and t.source = 'byon'",
  target: rowOf("phone_numbers", "id")
})
