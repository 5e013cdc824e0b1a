import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { debit } from "@carteiro/runtime/billing/wallet/Wallet.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** What each of an account's numbers costs a month, in 1/10,000 BRL, and how many there are. */
export const rental = 49_9000
export const numbersEach = 2

/** Rents each number for each month, as a room of numbers will. */
export const renting = Layer.effectDiscard(
  Effect.gen(function* () {
    const works = yield* Billing.MonthWorks
    const sql = yield* SqlClient.SqlClient
    yield* works.add({
      job: "month_charge",
      steps: (accountId, month) =>
        Effect.gen(function* () {
          const ids = Array.from({ length: numbersEach }, (_, n) => `number-${n}-${accountId}-${month}`)
          const rows = yield* Effect.orDie(
            sql<{ readonly source_id: string }>`select source_id from ledger_entries where account_id = ${accountId}
              and meter_id = 'phone.rental.month'`
          )
          const done = new Set(rows.map(({ source_id }) => source_id))
          return ids
            .filter((id) => !done.has(id))
            .map(
              (usage_id): Billing.MonthStep =>
                (unit, state) =>
                  unit.move(
                    debit(state.wallet, {
                      usage_id,
                      meter_id: "phone.rental.month",
                      amount: rental,
                      environment_id: null,
                      trace_id: null
                    }),
                    null
                  )
            )
        })
    })
  })
)
