import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { WalletRow } from "../wallet/WalletRepo.ts"
import type { FeePrices, PaymentFeeFacts } from "./PaymentFee.ts"

/** Reads the prices of payments, and the caps of projects. */
export class FeeFacts extends Context.Service<
  FeeFacts,
  {
    read(account: WalletRow, projectIds: ReadonlyArray<string>, now: number): Effect.Effect<PaymentFeeFacts>
  }
>()("@carteiro/runtime/billing/fees/FeeFacts") {
  static readonly layer = Layer.effect(
    FeeFacts,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const prices = (now: number) =>
        Effect.map(
          many(sql<PriceRow>`select c.id, e.meter_id, e.unit_price, e.rate
            from rate_cards c join rate_card_entries e on e.rate_card_id = c.id
            where tstzrange(c.effective_from, c.effective_to) @> ${instant(now)}
              and e.meter_id in ('payment.initiation', 'payment.completion')`),
          pricesOf
        ).pipe(
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("prices of payments cannot be read", defect), undefined)
          )
        )
      const caps = (organizationId: string, projectIds: ReadonlyArray<string>) =>
        Effect.map(
          many(sql<CapRow>`select id, monthly_spend_cap as cap from projects
            where organization_id = ${organizationId} and id = any(${arrayParameter("text", projectIds)})
              and monthly_spend_cap is not null`),
          (rows) => new Map(rows.map(({ cap, id }) => [id, cap]))
        )
      return FeeFacts.of({
        read: ({ environment, organization_id }, projectIds, now) =>
          Effect.all({
            prices: prices(now),
            caps: environment === "sandbox" ? Effect.succeed(new Map()) : caps(organization_id, projectIds)
          })
      })
    })
  )
}

interface PriceRow {
  readonly id: string
  readonly meter_id: string
  readonly unit_price: number | null
  readonly rate: number | null
}

interface CapRow {
  readonly id: string
  readonly cap: number
}

const pricesOf = (rows: ReadonlyArray<PriceRow>): FeePrices | undefined => {
  const initiation = rows.find(({ meter_id }) => meter_id === "payment.initiation")
  const completion = rows.find(({ meter_id }) => meter_id === "payment.completion")
  if (initiation?.unit_price == null || completion?.rate == null) return undefined
  return { rate_card_id: initiation.id, initiation: initiation.unit_price, completion_rate: completion.rate }
}
