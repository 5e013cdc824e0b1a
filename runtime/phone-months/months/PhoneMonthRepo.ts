import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { monthColumns, phoneMonthsTable } from "./PhoneMonthTables.ts"

/** One decision about a number in a month; the amount in 1/10,000 BRL. */
export type PhoneMonth = SelectedRow<typeof monthColumns>

/**
 * Inserts a decision about a number's month; when it exists already, nothing of the unit is written, so that no month
 * is charged twice.
 */
export const insertPhoneMonth = insertInto(phoneMonthsTable, {
  columns: ["phone_number_id", "month", "step", "account_id", "environment_id", "amount", "decided_at"],
  guard: (source) => `select r.unit from ${source} r where not exists (select 1 from phone_months t
    where t.phone_number_id = r.phone_number_id and t.month = r.month and t.step = r.step)`,
  target: rowOf("phone_months", "phone_number_id")
})

/** Rows of `phone_months`. */
export class PhoneMonthRepo extends Context.Service<
  PhoneMonthRepo,
  {
    /** Returns the decisions about numbers in those months, for any account that had the numbers then. */
    ofNumbers(numberIds: ReadonlyArray<string>, months: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<PhoneMonth>>
  }
>()("@carteiro/runtime/phone-months/months/PhoneMonthRepo") {
  static readonly layer = Layer.effect(
    PhoneMonthRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      PhoneMonthRepo.of({
        ofNumbers: (numberIds, months) =>
          many(sql<PhoneMonth>`select ${sql.literal(monthColumns.list)} from phone_months
            where phone_number_id = any(${arrayParameter("text", numberIds)})
              and month = any(${arrayParameter("text", months)})`)
      })
    )
  )
}
