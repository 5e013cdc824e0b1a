import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { ownersOfTenant } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { throughputTierSql } from "../../billing/Billing.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import { fedColumns } from "../batch/BatchTables.ts"
import type { WaitFacts } from "./BatchWait.ts"

type BatchKey = Pick<BatchRow, "environment_id" | "id">

/** A recipient to be fed. Instants are epoch milliseconds. */
export type FedRecipient = SelectedRow<typeof fedColumns>

/** The facts that one look at a batch finds. */
export interface FeedFacts {
  /** Messages that wait for a token of the number, as far as they were counted. */
  readonly ready: number
  /** Recipients to be tried again, and when the first of them is. */
  readonly retrying: number
  readonly retry_at: number | null
  /** When the number looks at its held messages next; null while it holds none. */
  readonly pacing_at: number | null
  readonly number:
    | {
        readonly status: string
        readonly suspended_at: number | null
        readonly throughput_plan: "starter" | "growth" | "scale"
        readonly upstream_throughput_tier: "1" | "2" | "3" | "4" | "unlimited" | null
      }
    | undefined
  /** Whether the template still has a version to send. */
  readonly template: "usable" | "unapproved" | "gone"
}

/** Messages of a batch that wait for the daily allowance are counted so far: a look at a batch stays short. */
const mostHeld = 10_000

/** Reads recipients, messages and the number for the owner of a batch. */
export class FeedRepo extends Context.Service<
  FeedRepo,
  {
    /** Counts no more than `window` messages that wait. */
    facts(batch: BatchRow, window: number): Effect.Effect<FeedFacts>
    /** What a batch that is processing waits for. */
    waiting(batch: Pick<BatchRow, "environment_id" | "id" | "business_id">): Effect.Effect<WaitFacts>
    /** Recipients of a claim that nothing became of yet. */
    claimed(batch: BatchKey, from: number, to: number): Effect.Effect<ReadonlyArray<FedRecipient>>
    /** Recipients to be tried again by now. */
    retries(batch: BatchKey, now: number, limit: number): Effect.Effect<ReadonlyArray<FedRecipient>>
    /** Those of the ids that are messages. */
    stored(batch: BatchKey, ids: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
    /** Messages of the batch that have not left the queue, held ones included. */
    queued(batch: BatchKey, limit: number): Effect.Effect<ReadonlyArray<string>>
    /** Batches whose owners have something to do. */
    due: DueOwners["due"]
  }
>()("@carteiro/runtime/batches/feed/FeedRepo") {
  static readonly layer = Layer.effect(
    FeedRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const recipient = sql.literal(`select ${fedColumns.list}`)
      return FeedRepo.of({
        facts: (batch, window) =>
          Effect.map(
            one(sql<FactsRow>`select
                (select count(*)::int4 from (select 1 from messages where batch_id = ${batch.id}
                  and environment_id = ${batch.environment_id} and status = 'queued' and status_reason is null
                  limit ${window}) q) as ready,
                (select count(*)::int4 from batch_recipients where batch_id = ${batch.id}
                  and environment_id = ${batch.environment_id} and state = 'retrying') as retrying,
                (select min(retry_at) from batch_recipients where batch_id = ${batch.id}
                  and environment_id = ${batch.environment_id} and state = 'retrying') as retry_at,
                (select p.due_at from number_pacing p where p.environment_id = ${batch.environment_id}
                  and p.business_id = ${batch.business_id}) as pacing_at,
                n.status, n.suspended_at, ${sql.literal(throughputTierSql("n"))} as throughput_plan,
                n.upstream_throughput_tier,
                (select case when t.latest_approved_version_id is null then 'unapproved' else 'usable' end
                  from templates t where t.environment_id = ${batch.environment_id} and t.id = ${batch.template_id}
                    and t.deleted_at is null) as template
              from (select 1) as asked left join phone_numbers n
                on n.environment_id = ${batch.environment_id} and n.id = ${batch.business_id}`),
            readFacts
          ),
        waiting: ({ business_id, environment_id, id }) =>
          Effect.map(
            one(sql<WaitFacts>`select h.held, r.retrying, r.retry_at,
                least(h.due_at, (select p.due_at from number_pacing p where p.environment_id = ${environment_id}
                  and p.business_id = ${business_id})) as pacing_at
              from (select count(*)::int4 as held, min(q.due_at) as due_at from (select due_at from messages
                  where batch_id = ${id} and environment_id = ${environment_id} and status = 'queued'
                    and status_reason = 'messaging_limit_pacing' limit ${mostHeld}) q) h,
                (select count(*)::int4 as retrying, min(retry_at) as retry_at from batch_recipients
                  where batch_id = ${id} and environment_id = ${environment_id} and state = 'retrying') r`),
            (row) => row ?? { held: 0, retrying: 0, retry_at: null, pacing_at: null }
          ),
        claimed: ({ environment_id, id }, from, to) =>
          many(sql<FedRecipient>`${recipient} from batch_recipients where environment_id = ${environment_id}
            and batch_id = ${id} and position >= ${from} and position < ${to} and state = 'waiting' order by position`),
        retries: ({ environment_id, id }, now, limit) =>
          many(sql<FedRecipient>`${recipient} from batch_recipients where environment_id = ${environment_id}
            and batch_id = ${id} and state = 'retrying' and retry_at <= ${instant(now)}
            order by retry_at, position limit ${limit}`),
        stored: ({ environment_id }, ids) =>
          Effect.map(
            many(sql.unsafe<{ readonly id: string }>(storedSql, [environment_id, arrayParameter("text", ids)])),
            (rows) => new Set(rows.map(({ id }) => id))
          ),
        queued: ({ environment_id, id }, limit) =>
          many(
            sql<{ readonly id: string }>`select id from messages where batch_id = ${id}
              and environment_id = ${environment_id} and status = 'queued' limit ${limit}`,
            (row) => row.id
          ),
        due: (now, after, limit) =>
          Effect.map(
            many(sql<{ readonly id: string; readonly is_due: boolean }>`
              select id, due_at <= ${instant(now)} as is_due from batches
              where due_at is not null and id > ${after} order by id limit ${limit}`),
            (rows) => ({
              ids: rows.flatMap(({ id, is_due }) => (is_due ? [id] : [])),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    })
  )
}

/**
 * When batches of an environment are looked at, on its clock. One whose recipients are being fed is due since they were
 * claimed: time does not go on before their messages are there.
 */
export const batchesOfTenant = ownersOfTenant(
  "select id from batches where environment_id = $1 and due_at is not null",
  "select id as owner, coalesce(claimed_at, due_at) as due_at from batches where due_at is not null"
)

const storedSql = `select k.id from unnest($2::text[]) as k(id) cross join lateral (
  select 1 from messages m where m.environment_id = $1 and m.id = k.id limit 1) m`

type NumberColumns = NonNullable<FeedFacts["number"]>

interface FactsRow extends Omit<FeedFacts, "number" | "template"> {
  readonly status: string | null
  readonly suspended_at: number | null
  readonly throughput_plan: NumberColumns["throughput_plan"]
  readonly upstream_throughput_tier: NumberColumns["upstream_throughput_tier"]
  readonly template: "usable" | "unapproved" | null
}

const readFacts = (row: FactsRow | undefined): FeedFacts => ({
  ready: row?.ready ?? 0,
  retrying: row?.retrying ?? 0,
  retry_at: row?.retry_at ?? null,
  pacing_at: row?.pacing_at ?? null,
  number:
    row === undefined || row.status === null
      ? undefined
      : {
          status: row.status,
          suspended_at: row.suspended_at,
          throughput_plan: row.throughput_plan,
          upstream_throughput_tier: row.upstream_throughput_tier
        },
  template: row?.template ?? "gone"
})
