import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** One invariant and the accounts that break it. */
export interface AuditFinding {
  readonly invariant: string
  /** The number of rows that were checked. */
  readonly checked: number
  /** The accounts or entries that break it, at most a hundred; empty when the invariant holds. */
  readonly broken: ReadonlyArray<string>
}

/** Checks the invariants of the ledger against its rows. It reports and repairs nothing. gaps-3 D "Invariants" */
export class LedgerAudit extends Context.Service<
  LedgerAudit,
  {
    readonly verify: Effect.Effect<ReadonlyArray<AuditFinding>>
  }
>()("@carteiro/runtime/billing/ledger/LedgerAudit") {
  static readonly layer = Layer.effect(
    LedgerAudit,
    Effect.map(SqlClient.SqlClient, (sql) =>
      LedgerAudit.of({
        // The audit reads whole tables in one snapshot, without indexes; no request waits for it.
        verify: Effect.orDie(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`set transaction isolation level repeatable read, read only`
              yield* sql`set local enable_seqscan = on`
              yield* sql`set local work_mem = '32MB'`
              yield* sql.unsafe(`set local statement_timeout = ${auditMs}`)
              const rows = yield* many(sql.unsafe<FindingRow>(auditSql))
              return rows.map(({ broken, checked, invariant }) => ({ invariant, checked, broken: broken ?? [] }))
            })
          )
        ).pipe(Effect.provideService(ReadPatience, auditMs + 1000))
      })
    )
  )
}

/** The timeout of an audit, in milliseconds. */
const auditMs = 300_000

interface FindingRow {
  readonly invariant: string
  readonly checked: number
  readonly broken: ReadonlyArray<string> | null
}

// One pass over the entries and one over the reservations; both are compared with the wallet of the same snapshot. A
// charge is compared with its purchase: the credit of its top-up, or its invoice, which is paid, or credited when the
// payment came too late.
const auditSql = `with sums as materialized (
  select account_id, count(*) as entries,
    sum(case when to_account = 'available' then amount else 0 end
      - case when from_account = 'available' then amount else 0 end)::int8 as balance,
    sum(case when to_account = 'held' then amount else 0 end
      - case when from_account = 'held' then amount else 0 end)::int8 as held,
    sum(case when type = 'credit' then amount when type = 'debit' then -amount else 0 end)::int8 as spent,
    count(*) filter (where environment = 'sandbox') as sandboxed
  from ledger_entries group by account_id
), reserved as materialized (
  select account_id, count(*) as reservations, sum(amount) filter (where state = 'open') as open
  from reservations group by account_id
), accounts as materialized (
  select w.account_id, w.environment, w.balance, w.held, coalesce(s.entries, 0) as entries,
    coalesce(s.balance, 0) as entry_balance, coalesce(s.held, 0) as entry_held, coalesce(s.spent, 0) as spent,
    coalesce(s.sandboxed, 0) as sandboxed, coalesce(r.open, 0) as open, coalesce(r.reservations, 0) as reservations
  from wallets w left join sums s using (account_id) left join reserved r using (account_id)
), credited as materialized (
  select account_id, source_id as id, bool_or(funding in ('funding:card', 'funding:pix')) as is_charged,
    count(*) filter (where type = 'credit') as credits,
    coalesce(sum(amount) filter (where type = 'credit'), 0)::int8 as credit,
    coalesce(sum(amount) filter (where type = 'debit'), 0)::int8 as debit
  from (select *, case when type = 'credit' then from_account else to_account end as funding from ledger_entries
    where source_type = 'credit_topup') e
  group by account_id, source_id
), bought as materialized (
  select c.id, c.amount, c.state, coalesce(t.status, i.status) as status, coalesce(t.amount, i.amount) as price,
    coalesce(e.credits, 0) as credits, coalesce(e.credit, 0) as credit, coalesce(e.debit, 0) as debit,
    c.state in ('paid', 'refunded') and (c.purpose = 'topup' or coalesce(i.is_credited, false)) as is_credit
  from charges c
  left join credit_topups t on c.purpose = 'topup' and t.account_id = c.account_id and t.id = c.id
  left join subscription_invoices i on c.purpose = 'invoice' and i.account_id = c.account_id and i.id = c.id
  left join credited e on e.account_id = c.account_id and e.id = c.id
), findings (n, invariant, checked, broken) as (
  select 1, 'the sum of the entries is the balance of the wallet', sum(entries),
    array_agg(account_id) filter (where balance <> entry_balance) from accounts
  union all
  select 2, 'held credit is what the entries hold and the sum of open reservations', sum(reservations),
    array_agg(account_id) filter (where held <> entry_held or held <> open) from accounts
  union all
  select 3, 'balance and held together are credits minus debits', sum(entries),
    array_agg(account_id) filter (where balance + held <> spent) from accounts
  union all
  select 4, 'no entry of a sandbox moves the wallet of an organization', sum(entries),
    array_agg(account_id) filter (where environment = 'production' and sandboxed > 0) from accounts
  union all
  select 5, 'a production wallet at or below zero blocks its organization once it has moved', count(*),
    array_agg(a.account_id) filter (where o.credit_blocked <> (a.balance <= 0))
  from accounts a join organizations o on o.id = a.account_id where a.entries > 0
  union all
  select 6, 'a charge that was paid is one credit of its amount, or has paid its invoice, and goes back whole', count(*),
    array_agg(id) filter (where price is distinct from amount
      or (state = 'paid') <> (status in ('succeeded', 'paid')) or (state = 'refunded') <> (status = 'refunded')
      or credits <> is_credit::int or credit <> case when is_credit then amount else 0 end
      or debit <> case when is_credit and state = 'refunded' then amount else 0 end)
  from bought
  union all
  select 7, 'a credit of a card or a Pix and a paid invoice have a charge that was paid', count(*),
    array_agg(p.id) filter (where b.id is null)
  from (select id from credited where is_charged and credits > 0
    union all select id from subscription_invoices where status in ('paid', 'refunded')) p
  left join bought b on b.id = p.id and b.state in ('paid', 'refunded')
)
select invariant, coalesce(checked, 0)::int8 as checked, broken[1:100] as broken from findings order by n`
