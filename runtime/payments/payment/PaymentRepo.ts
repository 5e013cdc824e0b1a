import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openColumn, pageHashes } from "../sealing/SealedColumns.ts"
import { type PaymentRow, paymentColumns, type SandboxTask, sandboxTaskColumns } from "./Payment.ts"
import { type MatchingPayment, matchingColumns, paymentsNamed } from "./PaymentSearch.ts"
import { paymentRequestsTable } from "./PaymentTables.ts"
import { type PaymentTask, paymentTaskColumns } from "./PaymentTask.ts"

/** Rows of `payment_requests`; every tenant read stays within one environment. */
export class PaymentRepo extends Context.Service<
  PaymentRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<PaymentRow | undefined>
    /** Returns payments newest first, after `before` when given. */
    list(
      environmentId: string,
      status: PaymentStatus | undefined,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<PaymentRow>>
    /** Returns the payments that are known by this name, newest first, after `before` when given. */
    named(
      environmentId: string,
      name: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<PaymentRow>>
    /** Returns the payments that are known by this name in any of these environments, newest first. */
    matching(
      environmentIds: ReadonlyArray<string>,
      name: string,
      count: number
    ): Effect.Effect<ReadonlyArray<MatchingPayment>>
    /**
     * Returns production payments of all tenants whose fee is held although they are over, or a day after their
     * acceptance.
     */
    unresolved(now: number, count: number): Effect.Effect<ReadonlyArray<PaymentRow>>
    /** Returns payments of an account by their ids. */
    ofAccount(accountId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<PaymentRow>>
    /** Returns the payment of a page of ours, by the token of its address. */
    byPage(token: string): Effect.Effect<PaymentRow | undefined>
    /** Returns the due payments of a sandbox, soonest first; without any, when the next one is due. */
    dueInSandbox(
      environmentId: string,
      now: number,
      count: number
    ): Effect.Effect<{ readonly due: ReadonlyArray<SandboxTask>; readonly next: number | undefined }>
    /** Returns the due payments of production, with their next step at the provider. */
    dueInProduction(
      environmentId: string,
      now: number,
      count: number
    ): Effect.Effect<{ readonly due: ReadonlyArray<PaymentTask>; readonly next: number | undefined }>
  }
>()("@carteiro/runtime/payments/payment/PaymentRepo") {
  static readonly layer = Layer.effect(
    PaymentRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const columns = sql.literal(`${paymentColumns.list}, ${sealedColumns.list}`)
      const sandboxColumns = sql.literal(`${sandboxTaskColumns.list}, ${sealedColumns.list}`)
      const taskColumns = sql.literal(`${paymentTaskColumns.list}, ${sealedColumns.list}`)
      const opened = <R extends PaymentRow>(row: R & SealedMembers): R => {
        const { customer_tax_id: taxId, customer_tax_id_sealed, link_sealed, payment_link_url: link } = row
        return {
          ...row,
          customer_tax_id: openColumn(secrets, row, "customer_tax_id", {
            plain: taxId,
            sealed: customer_tax_id_sealed
          }),
          payment_link_url: openColumn(secrets, row, "payment_link_url", { plain: link, sealed: link_sealed })
        }
      }
      return PaymentRepo.of({
        find: (environmentId, id) =>
          one(
            sql<Sealed<PaymentRow>>`select ${columns} from payment_requests
              where environment_id = ${environmentId} and id = ${id}`,
            opened
          ),
        list: (environmentId, status, before, count) => {
          const along = [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`]
          const narrowed = status === undefined ? [] : [sql`status = ${status}`]
          const found = walk<Sealed<PaymentRow>>(sql, {
            table: "payment_requests",
            along,
            narrowed,
            page: (conditions) =>
              sql`select ${columns} from payment_requests where ${sql.and(conditions)}
                order by id desc limit ${count}`
          })
          return Effect.map(found, ({ rows, walked_to }) => ({ rows: rows.map(opened), walked_to }))
        },
        named: (environmentId, name, before, count) => {
          const search = { environmentIds: [environmentId], name, before, count }
          const named = paymentsNamed(`${paymentColumns.list}, ${sealedColumns.list}`, search)
          return many(sql.unsafe<Sealed<PaymentRow>>(...named), opened)
        },
        matching: (environmentIds, name, count) =>
          many(
            sql.unsafe<MatchingPayment>(
              ...paymentsNamed(matchingColumns.list, { environmentIds, name, before: undefined, count })
            )
          ),
        unresolved: (now, count) =>
          many(
            sql<Sealed<PaymentRow>>`select ${columns} from payment_requests
              where environment = 'production' and due_at is not null and completion_state = 'held'
                and (status in ('paid', 'failed', 'expired', 'cancelled') or created_at <= ${instant(now - dayMs)})
              order by id limit ${count}`,
            opened
          ),
        ofAccount: (accountId, ids) =>
          many(
            sql<Sealed<PaymentRow>>`select ${columns} from payment_requests
              where id = any(${arrayParameter("text", ids)}) and account_id = ${accountId}`,
            opened
          ),
        byPage: (token) =>
          one(
            sql<Sealed<PaymentRow>>`select ${columns} from payment_requests
                where page_hash = any(${arrayParameter("bytea", pageHashes(secrets, token))})
              union all select ${columns} from payment_requests where page_token = ${token}`,
            opened
          ),
        dueInSandbox: Effect.fnUntraced(function* (environmentId, now, count) {
          const waiting = sql`from payment_requests where environment_id = ${environmentId} and due_at is not null
            and environment = 'sandbox'`
          const due = yield* many(
            sql<Sealed<SandboxTask>>`select ${sandboxColumns} ${waiting}
              and due_at <= ${instant(now)} order by due_at, id limit ${count}`,
            opened
          )
          // A sandbox with many links that wait to expire is not read whole for the few that are due.
          if (due.length > 0) return { due, next: undefined }
          const first = yield* one(sql<{ readonly due_at: number }>`select due_at ${waiting}
            order by due_at, id limit 1`)
          return { due, next: first?.due_at }
        }),
        dueInProduction: (environmentId, now, count) =>
          Effect.map(
            many(
              sql<Sealed<PaymentTask>>`select ${taskColumns} from payment_requests
              where environment_id = ${environmentId} and due_at is not null and environment = 'production'
              order by due_at, id limit ${count + 1}`,
              opened
            ),
            (waiting) => split(waiting, now, count)
          )
      })
    })
  )
}

const split = <Task extends { readonly due_at: number }>(
  waiting: ReadonlyArray<Task>,
  now: number,
  count: number
): { readonly due: ReadonlyArray<Task>; readonly next: number | undefined } => ({
  due: waiting.filter(({ due_at }) => due_at <= now).slice(0, count),
  next: waiting.find(({ due_at }) => due_at > now)?.due_at
})

/** Columns that are decrypted when a row is read. */
const sealedColumns = select(paymentRequestsTable, "customer_tax_id_sealed", "link_sealed")

type SealedMembers = SelectedRow<typeof sealedColumns>

type Sealed<Row extends PaymentRow> = Row & SealedMembers
