import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { arrayParameter, instant } from "../../platform/sql/Parameters.ts"
import { many, one } from "../../platform/sql/Read.ts"
import type { PaymentReference, Reservation, Wallet } from "./Wallet.ts"

/** A wallet and whose it is. */
export interface WalletRow extends Wallet {
  readonly account_id: string
  readonly organization_id: string
  readonly environment: EnvironmentKind
}

/** Rows of `wallets` and `reservations`. */
export class WalletRepo extends Context.Service<
  WalletRepo,
  {
    /** The wallet of an account (`org_…` or `env_…`), opened when it was never used; undefined when nobody has that id. */
    open(accountId: string, now: number): Effect.Effect<WalletRow | undefined>
    /** Reservations of an account by their ids. */
    reservations(accountId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Reservation>>
  }
>()("@carteiro/runtime/billing/account/WalletRepo") {
  static readonly layer = Layer.effect(
    WalletRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WalletRepo.of({
        open: Effect.fnUntraced(function* (accountId, now) {
          const read = one(sql<WalletRow>`select account_id, organization_id, environment, balance, held from wallets
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
        reservations: (accountId, ids) =>
          many(
            sql<ReservationRow>`select id, state, amount, meter_id, source_type, project_id, environment_id, trace_id,
              payment_object, payment_id from reservations
              where account_id = ${accountId} and id = any(${arrayParameter("text", ids)})`,
            toReservation
          )
      })
    )
  )
}

interface ReservationRow extends Omit<Reservation, "payment"> {
  readonly payment_object: PaymentReference["object"] | null
  readonly payment_id: string | null
}

const toReservation = ({ payment_id, payment_object, ...row }: ReservationRow): Reservation => ({
  ...row,
  payment: payment_object === null || payment_id === null ? null : { object: payment_object, id: payment_id }
})
