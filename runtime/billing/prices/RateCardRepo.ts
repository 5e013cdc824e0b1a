import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { priceColumns, rateCardColumns } from "./RateCardTables.ts"

/** A rate card with its prices; instants in epoch milliseconds. */
export interface RateCardRow extends SelectedRow<typeof rateCardColumns> {
  readonly entries: ReadonlyArray<RateCardEntryRow>
}

/** The price of one meter. */
export type RateCardEntryRow = SelectedRow<typeof priceColumns>

/** Rows of `rate_cards`, which are common to all organizations. */
export class RateCardRepo extends Context.Service<
  RateCardRepo,
  {
    /** Returns cards newest first; those before the card that begins at `before` (epoch milliseconds) when given. */
    list(before: number | undefined, count: number): Effect.Effect<ReadonlyArray<RateCardRow>>
    /** Returns the card in effect at an instant. */
    at(instant: number): Effect.Effect<RateCardRow | undefined>
  }
>()("@carteiro/runtime/billing/prices/RateCardRepo") {
  static readonly layer = Layer.effect(
    RateCardRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(rateCardColumns.list)
      const withEntries = Effect.fnUntraced(function* (cards: ReadonlyArray<SelectedRow<typeof rateCardColumns>>) {
        const ids = cards.map(({ id }) => id)
        const entries =
          yield* many(sql<RateCardEntryRow>`select ${sql.literal(priceColumns.list)} from rate_card_entries
          where rate_card_id = any(${arrayParameter("text", ids)}) order by rate_card_id, meter_id`)
        return cards.map(
          (card): RateCardRow => ({
            ...card,
            entries: entries.filter(({ rate_card_id }) => rate_card_id === card.id)
          })
        )
      })
      return RateCardRepo.of({
        list: (before, count) =>
          Effect.flatMap(
            many(sql<SelectedRow<typeof rateCardColumns>>`select ${columns} from rate_cards
              where ${before === undefined ? sql`true` : sql`effective_from < ${instant(before)}`}
              order by effective_from desc limit ${count}`),
            withEntries
          ),
        at: (now) =>
          Effect.flatMap(
            one(sql<SelectedRow<typeof rateCardColumns>>`select ${columns} from rate_cards
              where tstzrange(effective_from, effective_to) @> ${instant(now)} limit 1`),
            (card) => (card === undefined ? Effect.succeed(undefined) : Effect.map(withEntries([card]), ([row]) => row))
          )
      })
    })
  )
}
