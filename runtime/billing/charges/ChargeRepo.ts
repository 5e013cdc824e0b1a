import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Charge } from "./Charge.ts"
import { chargeColumns, requestedColumns } from "./ChargeTables.ts"

/** A charge whose answer a repeated request with its idempotency key may wait for. */
export interface RequestedCharge extends SelectedRow<typeof requestedColumns> {
  readonly request_key: string
  readonly request_fingerprint: string
}

/** Rows of `charges`. */
export class ChargeRepo extends Context.Service<
  ChargeRepo,
  {
    /** Returns the charges that are due, longest due first, and when the next becomes due (epoch milliseconds). */
    due(
      accountId: string,
      now: number,
      count: number
    ): Effect.Effect<{ readonly charges: ReadonlyArray<Charge>; readonly next: number | undefined }>
    find(accountId: string, id: string): Effect.Effect<Charge | undefined>
    /** Returns the ids of charges that are still polled. */
    open(accountId: string): Effect.Effect<ReadonlyArray<string>>
    /**
     * Returns charges of organizations that were sent to the provider and have ended since an instant, newest first, of
     * all accounts.
     */
    ended(
      rail: Charge["rail"],
      since: number,
      count: number
    ): Effect.Effect<ReadonlyArray<Charge & { readonly account_id: string }>>
    /** Returns the charges that requests with these keys made since an instant. */
    requested(
      accountId: string,
      keys: ReadonlyArray<string>,
      since: number
    ): Effect.Effect<ReadonlyArray<RequestedCharge>>
    /** Returns the account of a charge, among all accounts; undefined when it does not exist. */
    accountOf(id: string): Effect.Effect<string | undefined>
    /** Returns the charge with a provider's id, among all accounts. */
    atProvider(
      rail: Charge["rail"],
      providerChargeId: string
    ): Effect.Effect<{ readonly account_id: string; readonly id: string } | undefined>
  }
>()("@carteiro/runtime/billing/charges/ChargeRepo") {
  static readonly layer = Layer.effect(
    ChargeRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const columns = sql.literal(chargeColumns.list)
      const toCharge = ({ account_id, client_secret, due_at: _, ...row }: ChargeRow): Charge => ({
        ...row,
        client_secret:
          client_secret === null
            ? null
            : (secrets.open("client_secret", client_secret, boundTo(account_id, row.id)) ?? null)
      })
      return ChargeRepo.of({
        due: Effect.fnUntraced(function* (accountId, now, count) {
          const rows = yield* many(sql<ChargeRow & { readonly due_at: number }>`select ${columns} from charges
            where account_id = ${accountId} and due_at is not null order by due_at, id limit ${count + 1}`)
          return {
            charges: rows
              .filter(({ due_at }) => due_at <= now)
              .slice(0, count)
              .map(toCharge),
            next: rows.find(({ due_at }) => due_at > now)?.due_at
          }
        }),
        find: (accountId, id) =>
          Effect.map(
            one(sql<ChargeRow>`select ${columns} from charges where account_id = ${accountId} and id = ${id}`),
            (row) => row && toCharge(row)
          ),
        open: (accountId) =>
          Effect.map(
            many(sql<{ readonly id: string }>`select id from charges
              where account_id = ${accountId} and due_at is not null`),
            (rows) => rows.map(({ id }) => id)
          ),
        // An audit reads the whole table.
        ended: (rail, since, count) =>
          Effect.map(
            many(sql<ChargeRow>`select ${columns} from charges
              where ended_at >= ${instant(since)} and rail = ${rail} and called_at is not null
                and account_id like 'org\\_%'
              order by ended_at desc limit ${count}`),
            (rows) => rows.map((row) => ({ ...toCharge(row), account_id: row.account_id }))
          ),
        requested: (accountId, keys, since) =>
          keys.length === 0
            ? Effect.succeed([])
            : many(sql<RequestedCharge>`select ${sql.literal(requestedColumns.list)} from charges
                where account_id = ${accountId} and request_key = any(${arrayParameter("text", keys)})
                  and created_at > ${instant(since)} order by created_at, id`),
        accountOf: (id) =>
          Effect.map(
            one(sql<{ readonly account_id: string }>`select account_id from charges where id = ${id}`),
            (row) => row?.account_id
          ),
        atProvider: (rail, providerChargeId) =>
          one(sql<{ readonly account_id: string; readonly id: string }>`select account_id, id from charges
            where provider_charge_id = ${providerChargeId} and rail = ${rail} order by created_at desc limit 1`)
      })
    })
  )
}

/** A charge as stored. */
type ChargeRow = SelectedRow<typeof chargeColumns>

/** Returns the value to which an encrypted secret is bound: it decrypts for no other charge. */
export const boundTo = (accountId: string, id: string): string => `${accountId}/${id}`

const waitingCharges = "select account_id as owner, due_at from charges where due_at is not null"

/** Returns accounts with a due charge, for the sweeper and for the clock of a sandbox. */
export const chargedAccounts: Pick<DueOwners, "due" | "ofTenant"> = {
  due: walkOwners(waitingCharges),
  ofTenant: ownersOfTenant("select $1::text as id", waitingCharges)
}
