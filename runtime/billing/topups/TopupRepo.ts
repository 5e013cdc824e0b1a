import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { boundTo } from "../charges/ChargeRepo.ts"
import type { OpenPackage } from "./PackageQuota.ts"
import type { OfferedPackage, TopupView } from "./TopupRead.ts"
import { packageColumns } from "./TopupTables.ts"

/** Rows of `credit_topups` with their charges, and of `package_offerings`. */
export class TopupRepo extends Context.Service<
  TopupRepo,
  {
    /** Returns top-ups of an account, newest first, after an id. */
    list(
      accountId: string,
      status: TopupView["status"] | undefined,
      after: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<TopupView>>
    /** Returns a top-up with the secret of its charge, when that has one. */
    find(accountId: string, id: string): Effect.Effect<TopupView | undefined>
    /** Returns the packages with messages left, the oldest first. */
    openPackages(accountId: string): Effect.Effect<ReadonlyArray<OpenPackage>>
    /** The packages on offer, by price. */
    readonly offerings: Effect.Effect<ReadonlyArray<OfferedPackage>>
  }
>()("@carteiro/runtime/billing/topups/TopupRepo") {
  static readonly layer = Layer.effect(
    TopupRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const columns = sql.literal(`t.id, t.kind, t.status, t.amount, t.payment_method, t.provider, t.package_code,
        t.quota_messages, t.quota_remaining, t.created_at, t.completed_at, c.rail, c.provider_charge_id, c.client_secret,
        c.pix_copy_paste, c.pix_qr_code_base64, c.pix_expires_at, c.decline_code`)
      const joined = sql.literal("left join charges c on c.account_id = t.account_id and c.id = t.id")
      return TopupRepo.of({
        list: (accountId, status, after, count) =>
          Effect.map(
            many(sql<SealedView>`select ${columns} from credit_topups t ${joined}
              where t.account_id = ${accountId} and ${after === undefined ? sql`true` : sql`t.id < ${after}`}
                and ${status === undefined ? sql`true` : sql`t.status = ${status}`}
              order by t.id desc limit ${count}`),
            (rows) => rows.map((row): TopupView => ({ ...row, client_secret: null }))
          ),
        find: (accountId, id) =>
          Effect.map(
            one(sql<SealedView>`select ${columns} from credit_topups t ${joined}
              where t.account_id = ${accountId} and t.id = ${id}`),
            (row) => {
              if (row === undefined) return undefined
              const sealed = row.client_secret
              const client_secret =
                sealed === null ? null : (secrets.open("client_secret", sealed, boundTo(accountId, id)) ?? null)
              return { ...row, client_secret }
            }
          ),
        openPackages: (accountId) =>
          many(sql<OpenPackage>`select id, unit_price, quota_remaining, completed_at from credit_topups
            where account_id = ${accountId} and status = 'succeeded' and quota_remaining > 0 order by id`),
        offerings: many(
          sql<OfferedPackage>`select ${sql.literal(packageColumns.list)} from package_offerings order by price`
        )
      })
    })
  )
}

type SealedView = Omit<TopupView, "client_secret"> & { readonly client_secret: Uint8Array | null }
