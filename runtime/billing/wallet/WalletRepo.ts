import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { MonthSpending } from "./Spending.ts"
import type { PaymentReference, Reservation } from "./Wallet.ts"
import { walletColumns } from "./WalletTables.ts"

/** A wallet with its account. */
export type WalletRow = SelectedRow<typeof walletColumns>

/** A look-up of reservations of one account. */
interface AskedReservations {
  readonly accountId: string
  readonly ids: ReadonlyArray<string>
}

/** Rows of `wallets` and `reservations`. */
export class WalletRepo extends Context.Service<
  WalletRepo,
  {
    /**
     * Returns the wallet of an account (`org_…` or `env_…`) and creates it when it is missing; undefined when the
     * account does not exist.
     */
    open(accountId: string, now: number): Effect.Effect<WalletRow | undefined>
    /** Returns the spending of an account's projects from a month on; a sandbox account has none. */
    spending(account: WalletRow, from: string): Effect.Effect<ReadonlyArray<MonthSpending>>
    /** Returns reservations of an account by their ids; concurrent look-ups of several accounts share a statement. */
    reservations(accountId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Reservation>>
  }
>()("@carteiro/runtime/billing/wallet/WalletRepo") {
  static readonly layer = Layer.effect(
    WalletRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reservations = yield* readTogether(
        (asks: ReadonlyArray<AskedReservations>) => {
          const sought = asks.flatMap(({ accountId, ids }, ask) => ids.map((id) => ({ accountId, ask, id })))
          const accounts = arrayParameter(
            "text",
            sought.map(({ accountId }) => accountId)
          )
          const ids = arrayParameter(
            "text",
            sought.map(({ id }) => id)
          )
          const places = arrayParameter(
            "int4",
            sought.map(({ ask }) => ask)
          )
          const rows = many(sql.unsafe<AskedReservation>(reservationsSql, [accounts, ids, places]))
          return Effect.map(rows, (found) => {
            const answers = asks.map((): Array<Reservation> => [])
            for (const { ask, ...row } of found) answers[ask]?.push(toReservation(row))
            return answers
          })
        },
        { sizeOf: ({ ids }) => ids.length }
      )
      return WalletRepo.of({
        open: Effect.fnUntraced(function* (accountId, now) {
          const read = one(sql<WalletRow>`select ${sql.literal(walletColumns.list)} from wallets
            where account_id = ${accountId}`)
          const found = yield* read
          if (found !== undefined) return found
          yield* many(sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
            select id, id, 'production', ${instant(now)}, ${instant(now)} from organizations where id = ${accountId}
            union all
            select id, organization_id, 'sandbox', ${instant(now)}, ${instant(now)} from environments
            where id = ${accountId} and kind = 'sandbox'
            on conflict (account_id) do nothing`)
          return yield* read
        }),
        spending: ({ environment, organization_id }, from) =>
          environment === "sandbox"
            ? Effect.succeed([])
            : many(sql<MonthSpending>`select project_id, month, spent from project_spending
                where organization_id = ${organization_id} and month >= ${from}`),
        reservations: (accountId, ids) => (ids.length === 0 ? Effect.succeed([]) : reservations({ accountId, ids }))
      })
    })
  )
}

const reservationsSql = `select k.ask, r.id, r.state, r.amount, r.meter_id, r.source_type, r.project_id, r.environment_id,
    r.trace_id, r.payment_object, r.payment_id
  from unnest($1::text[], $2::text[], $3::int4[]) as k(account_id, id, ask)
  join reservations r on r.account_id = k.account_id and r.id = k.id`

interface ReservationRow extends Omit<Reservation, "payment"> {
  readonly payment_object: PaymentReference["object"] | null
  readonly payment_id: string | null
}

interface AskedReservation extends ReservationRow {
  /** The position among the look-ups, from 0. */
  readonly ask: number
}

const toReservation = ({ payment_id, payment_object, ...row }: ReservationRow): Reservation => ({
  ...row,
  payment: payment_object === null || payment_id === null ? null : { object: payment_object, id: payment_id }
})
