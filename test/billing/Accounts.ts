import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Corrections } from "@carteiro/runtime/billing/Billing.ts"
import { LedgerAudit } from "@carteiro/runtime/billing/Operator.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { insertUsage } from "@carteiro/runtime/billing/usage/UsageWrites.ts"
import { Clock, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { testHold, testRelease, testSettle } from "./TestActs.ts"

/** An organization whose wallet holds so much; amounts in 1/10,000 BRL. */
export const seedFunds = Effect.fnUntraced(function* (amount: number) {
  const tenant = yield* seedTenant(`funded-${amount}`, 0)
  yield* correct(tenant.organization_id, "credit", amount)
  return { id: tenant.organization_id, project_id: tenant.project.id, environment_id: tenant.production.id, tenant }
})

export type Funded = Effect.Success<ReturnType<typeof seedFunds>>

/**
 * Goes from timer to timer until it is done: calls to an owner that has lost its shard come again after a while. A
 * statement goes to the database and back between two turns, so that time does not outrun what owners read there.
 */
export const inTime = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) {
    yield* Effect.orDie(sql`select 1`)
    yield* turnBy(50)
  }
  return yield* Fiber.join(fiber)
})

/** Credits or debits an account by hand, until its owner has posted it. */
export const correct = Effect.fnUntraced(function* (accountId: string, type: "credit" | "debit", amount: number) {
  const id = yield* askFor(accountId, type, amount)
  yield* turnBy(10)
  return id
})

/** Asks for a correction. */
export const askFor = Effect.fnUntraced(function* (accountId: string, type: "credit" | "debit", amount: number) {
  const now = yield* Clock.currentTimeMillis
  const asked = { type, amount, source: "manual", reason: "test" } as const
  const id = yield* (yield* Corrections).ask(accountId, asked, now)
  ;(yield* BillingAccountEntity.client).wake(accountId)
  return id ?? ""
})

export const mint = (prefix: "rsv" | "usg" | "ctu" | "inv") =>
  Effect.flatMap(Ids, (ids) => Effect.map(Clock.currentTimeMillis, (now) => ids.mint(prefix, now)))

/** Holds an amount for a payment's fee and answers the reservation's id. */
export const hold = Effect.fnUntraced(function* (account: Funded, amount: number, reservation_id?: string) {
  const id = reservation_id ?? (yield* mint("rsv"))
  const state = yield* (yield* testHold.caller)(account.id, {
    id,
    amount,
    meter_id: "payment.completion",
    source_type: "payment_fee_hold",
    project_id: account.project_id,
    environment_id: account.environment_id,
    trace_id: "trace-hold",
    payment: { object: "payment_request", id: `pay_of_${id}` }
  })
  return { id, state }
})

export const settle = Effect.fnUntraced(function* (account: Funded, reservation_id: string) {
  return yield* (yield* testSettle.caller)(account.id, { id: reservation_id })
})

export const release = Effect.fnUntraced(function* (account: Funded, reservation_id: string) {
  return yield* (yield* testRelease.caller)(account.id, { id: reservation_id })
})

/** Uses something of a meter, as another room's commit appends it. */
export const use = Effect.fnUntraced(function* (account: Funded, meter_id: string, occurred_at?: number) {
  const [id] = yield* useAll([{ account, meter_id }], occurred_at)
  return id ?? ""
})

/** The same for many at once, in one commit and in that order. */
export const useAll = Effect.fnUntraced(function* (
  used: ReadonlyArray<{ readonly account: Funded; readonly meter_id: string }>,
  occurred_at?: number
) {
  const now = occurred_at ?? (yield* Clock.currentTimeMillis)
  const ids = yield* Effect.forEach(used, () => mint("usg"))
  yield* (yield* Commit).write(
    used.map(({ account, meter_id }, n) =>
      insertUsage.row({
        organization_id: account.id,
        id: ids[n] ?? "",
        project_id: account.project_id,
        environment_id: account.environment_id,
        meter_id,
        source_type: "message",
        source_id: `msg_of_${ids[n]}`,
        phone_number_id: null,
        occurred_at: now
      })
    )
  )
  return ids
})

/** What the tables have of an account. */
export const walletOf = (account: Pick<Funded, "id">) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      Effect.orDie(
        sql<{ readonly balance: number; readonly held: number; readonly blocked: boolean }>`
          select w.balance, w.held, o.credit_blocked as blocked from wallets w
          join organizations o on o.id = w.organization_id where w.account_id = ${account.id}`
      ),
      ([row]) => row ?? { balance: 0, held: 0, blocked: false }
    )
  )

/** Entries of an account in the order they were recorded: type, amount, source and meter. */
export const entriesOf = (account: Pick<Funded, "id">) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.orDie(
      sql<{
        readonly id: string
        readonly type: string
        readonly amount: number
        readonly source_type: string
        readonly source_id: string
        readonly meter_id: string | null
        readonly uncollected: number | null
        readonly trace_id: string | null
        readonly environment: string | null
        readonly is_listed: boolean
      }>`select id, type, amount, source_type, source_id, meter_id, uncollected, trace_id, environment, is_listed
        from ledger_entries where account_id = ${account.id} order by id`
    )
  )

/** Invariants that do not hold. */
export const violations = Effect.flatMap(LedgerAudit, ({ verify }) =>
  Effect.map(verify, (findings) => findings.filter(({ broken }) => broken.length > 0))
)
