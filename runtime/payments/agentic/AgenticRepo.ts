import type { AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { TableRow } from "@carteiro/tables/Table.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openColumn } from "../sealing/SealedColumns.ts"
import {
  type AgenticPaymentRow,
  agenticPaymentColumns,
  agenticTaskColumns,
  type PaymentTask
} from "./AgenticPayment.ts"
import type { agenticAuthorizationsTable } from "./AgenticTables.ts"
import {
  type AuthorizationRow,
  type AuthorizationTask,
  authorizationColumns,
  authorizationTaskColumns
} from "./Authorization.ts"

/** The due tasks of one kind in an environment; `next` is when more become due, epoch milliseconds. */
interface DueTasks<Task> {
  readonly tasks: ReadonlyArray<Task>
  readonly next: number | undefined
}

/** A row as stored: its tax id is encrypted, or in plain text when an earlier release wrote it. */
type Sealed<Row extends AuthorizationRow> = Row & TableRow<typeof agenticAuthorizationsTable, "customer_tax_id_sealed">

/** Rows of `agentic_authorizations` and `agentic_payments`; every tenant read stays within one environment. */
export class AgenticRepo extends Context.Service<
  AgenticRepo,
  {
    authorization(environmentId: string, id: string): Effect.Effect<AuthorizationRow | undefined>
    /** Returns authorizations by their ids, in any environments of one account. */
    authorizations(
      places: ReadonlyArray<{ readonly environment_id: string; readonly authorization_id: string }>
    ): Effect.Effect<ReadonlyArray<AuthorizationRow>>
    /** Returns authorizations newest first, after `before` when given. */
    listAuthorizations(
      environmentId: string,
      status: AuthorizationStatus | undefined,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<AuthorizationRow>>
    payment(environmentId: string, id: string): Effect.Effect<AgenticPaymentRow | undefined>
    /** Returns payments of an account by their ids. */
    payments(accountId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<AgenticPaymentRow>>
    listPayments(
      environmentId: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<AgenticPaymentRow>>
    /** Returns payments of one authorization newest first, after `before` when given. */
    paymentsBy(
      environmentId: string,
      authorizationId: string,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<AgenticPaymentRow>>
    dueAuthorizations(environmentId: string, now: number, count: number): Effect.Effect<DueTasks<AuthorizationTask>>
    duePayments(environmentId: string, now: number, count: number): Effect.Effect<DueTasks<PaymentTask>>
  }
>()("@carteiro/runtime/payments/agentic/AgenticRepo") {
  static readonly layer = Layer.effect(
    AgenticRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const opened = <R extends AuthorizationRow>(row: Sealed<R>): R => {
        const stored = { plain: row.customer_tax_id, sealed: row.customer_tax_id_sealed }
        return { ...row, customer_tax_id: openColumn(secrets, row, "customer_tax_id", stored) ?? "" }
      }
      const authorization = sql.literal(`${authorizationColumns.list}, customer_tax_id_sealed`)
      const authorizationTask = sql.literal(`${authorizationTaskColumns.list}, customer_tax_id_sealed`)
      const payment = sql.literal(agenticPaymentColumns.list)
      const split = <Task extends { readonly due_at: number }>(
        waiting: ReadonlyArray<Task>,
        now: number,
        count: number
      ) => ({
        tasks: waiting.filter(({ due_at }) => due_at <= now).slice(0, count),
        next: waiting.find(({ due_at }) => due_at > now)?.due_at
      })
      return AgenticRepo.of({
        authorization: (environmentId, id) =>
          one(
            sql<Sealed<AuthorizationRow>>`select ${authorization} from agentic_authorizations
              where environment_id = ${environmentId} and id = ${id}`,
            opened
          ),
        authorizations: (places) =>
          many(
            sql<Sealed<AuthorizationRow>>`select ${authorization} from agentic_authorizations
              where (environment_id, id) in (select * from unnest(
                ${arrayParameter(
                  "text",
                  places.map(({ environment_id }) => environment_id)
                )},
                ${arrayParameter(
                  "text",
                  places.map(({ authorization_id }) => authorization_id)
                )}))`,
            opened
          ),
        listAuthorizations: (environmentId, status, before, count) =>
          many(
            sql<Sealed<AuthorizationRow>>`select ${authorization} from agentic_authorizations
              where environment_id = ${environmentId} and id < ${before ?? "~"}
                and ${status === undefined ? sql`true` : sql`status = ${status}`}
              order by id desc limit ${count}`,
            opened
          ),
        payment: (environmentId, id) =>
          one(sql<AgenticPaymentRow>`select ${payment} from agentic_payments
            where environment_id = ${environmentId} and id = ${id}`),
        payments: (accountId, ids) =>
          many(sql<AgenticPaymentRow>`select ${payment} from agentic_payments
            where id = any(${arrayParameter("text", ids)}) and account_id = ${accountId}`),
        listPayments: (environmentId, before, count) =>
          many(sql<AgenticPaymentRow>`select ${payment} from agentic_payments
            where environment_id = ${environmentId} and id < ${before ?? "~"} order by id desc limit ${count}`),
        paymentsBy: (environmentId, authorizationId, before, count) =>
          many(sql<AgenticPaymentRow>`select ${payment} from agentic_payments
            where environment_id = ${environmentId} and authorization_id = ${authorizationId}
              and id < ${before ?? "~"} order by id desc limit ${count}`),
        dueAuthorizations: (environmentId, now, count) =>
          Effect.map(
            many(
              sql<
                Sealed<AuthorizationTask>
              >`select ${authorizationTask} from agentic_authorizations where environment_id = ${environmentId} and due_at is not null
                order by due_at, id limit ${count + 1}`,
              opened
            ),
            (waiting) => split(waiting, now, count)
          ),
        duePayments: (environmentId, now, count) =>
          Effect.map(
            many(sql<PaymentTask>`select ${sql.literal(agenticTaskColumns.list)} from agentic_payments where environment_id = ${environmentId} and due_at is not null
              order by due_at, id limit ${count + 1}`),
            (waiting) => split(waiting, now, count)
          )
      })
    })
  )
}
