import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { lentSlot } from "../guards/LentSlotSql.ts"
import { serviceWindowMs } from "../message/ServiceWindow.ts"
import {
  type AllowedNumber,
  allowanceOf,
  estimatePacing,
  type PacingEstimate,
  portfolioAllowance
} from "./Allowance.ts"
import type { StoredLease } from "./Lease.ts"
import { leftAtOf } from "./PacingTables.ts"
import type { StoredSlots } from "./SlotLedger.ts"

/** Reads slots and holds of numbers, for their owners and other rooms. */
export class PacingRepo extends Context.Service<
  PacingRepo,
  {
    /** Returns the slots, holds, releases and leases of a number for its owner. */
    readSlots(number: NumberInEnvironment, now: number): Effect.Effect<StoredSlots & Leased>
    /**
     * Returns the held and released messages of a number, some of which others may have cancelled, and its leases, which
     * its portfolio may have recalled.
     */
    readHeld(number: NumberInEnvironment): Effect.Effect<Pick<StoredSlots, "held" | "released"> & Leased>
    /** Returns the new recipients of the last 24 hours, by number. */
    countRecipients(
      environmentId: string,
      numberIds: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<ReadonlyMap<string, number>>
    /**
     * Returns the new recipients of the last 24 hours of all numbers of portfolios, by portfolio: of all environments,
     * because they share one allowance.
     */
    countPortfolios(portfolioIds: ReadonlyArray<string>, now: number): Effect.Effect<ReadonlyMap<string, number>>
    /**
     * Returns `pacing` of a new batch to these recipients, by their match keys; null when there is no estimate.
     */
    estimateBatch(
      number: NumberInEnvironment,
      keys: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<PacingEstimate | null>
  }
>()("@carteiro/runtime/messages/pacing/PacingRepo") {
  static readonly layer = Layer.effect(
    PacingRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const first = <A extends object>(text: string, parameters: ReadonlyArray<unknown>) =>
        Effect.map(many(sql.unsafe<A>(text, parameters)), ([row]) => row)
      return PacingRepo.of({
        readSlots: (number, now) =>
          Effect.map(first<SlotsRow>(slotsSql, [number.environment_id, number.id, instant(now)]), (row) => ({
            expiries: readJsonOrNull(row?.expiries ?? null) ?? [],
            ...heldOf(row)
          })),
        readHeld: (number) => Effect.map(first<HeldRow>(heldSql, [number.environment_id, number.id]), heldOf),
        countRecipients: (environmentId, numberIds, now) =>
          Effect.map(
            many(
              sql.unsafe<{ readonly id: string; readonly used: number }>(recipientsSql, [
                environmentId,
                arrayParameter("text", numberIds),
                instant(now)
              ])
            ),
            (rows) => new Map(rows.map(({ id, used }) => [id, used]))
          ),
        countPortfolios: (portfolioIds, now) =>
          portfolioIds.length === 0
            ? Effect.succeed(new Map<string, number>())
            : Effect.map(
                many(
                  sql.unsafe<{ readonly id: string; readonly used: number }>(portfoliosSql, [
                    arrayParameter("text", portfolioIds),
                    instant(now)
                  ])
                ),
                (rows) => new Map(rows.map(({ id, used }) => [id, used]))
              ),
        estimateBatch: (number, keys, now) =>
          Effect.map(
            first<EstimateRow>(estimateSql, [
              number.environment_id,
              number.id,
              arrayParameter("text", keys),
              instant(now),
              instant(now - serviceWindowMs)
            ]),
            (row) =>
              row === undefined || row.status !== "active"
                ? null
                : estimatePacing({
                    allowance: allowanceOf(row.messaging_tier, row.quality_rating),
                    used: usedOf(row),
                    held: row.held,
                    newRecipients: row.needing
                  })
          )
      })
    })
  )
}

/** The leases of a number in its portfolio, and in former ones. */
interface Leased {
  readonly leases: ReadonlyArray<StoredLease>
}

/** A number within its environment. */
export interface NumberInEnvironment {
  readonly environment_id: string
  readonly id: string
}

const isHeld = `m.business_id = $2 and m.environment_id = $1 and m.status = 'queued'
  and m.status_reason = 'messaging_limit_pacing' and m.due_at is null`
const heldColumns = `(select json_agg(json_build_array(h.customer_key, h.count))::text from (
    select m.customer_key, count(*)::int4 as count from messages m where ${isHeld} group by m.customer_key) h) as held,
  (select json_agg(json_build_array(m.id, m.customer_key))::text from messages m where m.business_id = $2
    and m.environment_id = $1 and m.due_at is not null and m.status = 'queued' and m.status_reason is null
    and m.released_at is not null and m.type = 'template') as released,
  (select json_agg(json_build_object('portfolio_id', l.portfolio_id, 'quota', l.quota, 'allowance', l.allowance,
      'limit_revision', l.limit_revision, 'cap', l.cap, 'short_at', (extract(epoch from l.short_at) * 1000)::int8,
      'left_at',
      (extract(epoch from ${leftAtOf}) * 1000)::int8, 'is_recalled', l.is_recalled, 'is_requested', l.due_at is not null))::text
    from portfolio_leases l left join phone_numbers n on n.environment_id = $1 and n.id = l.business_id
    where l.business_id = $2) as leases`
const heldSql = `select ${heldColumns}`

const slotsSql = `select ${heldColumns},
  (select json_agg((extract(epoch from s.expires_at) * 1000)::int8 order by s.expires_at)::text
    from allowance_slots s where s.business_id || '' = $2 and s.expires_at > $3 and s.environment_id = $1
      and s.lender_id is null) as expiries`

const liveCount = (number: string, environment: string, now: string): string =>
  `(select count(*)::int4 from allowance_slots s where s.business_id || '' = ${number} and s.expires_at > ${now}
    and s.environment_id = ${environment})`

const recipientsSql = `select k.id, ${liveCount("k.id", "$1", "$3")} as used from unnest($2::text[]) as k(id)`

/** SQL: the slots of all numbers of a portfolio; one that shares another's counts there alone. */
const portfolioCount = (portfolio: string, now: string): string =>
  `(select coalesce(sum(c.used), 0)::int4 from phone_numbers o cross join lateral (select count(*) as used
      from allowance_slots s where s.business_id || '' = o.id and s.expires_at > ${now}
        and s.environment_id = o.environment_id and s.lender_id is null) c where o.portfolio_id = ${portfolio})`

const portfoliosSql = `select k.id, ${portfolioCount("k.id", "$2")} as used from unnest($1::text[]) as k(id)`

// Written so that ten thousand keys are looked up one by one, because a planner that takes the tables for small would
// choose a join that does not end. Ends are compared outside the look-ups, because the planner would use the index of
// all live slots for a range.
const estimateSql = `select n.status, n.messaging_tier, n.quality_rating, ${liveCount("$2", "$1", "$4")} as used,
  case when n.portfolio_id is not null then ${portfolioCount("n.portfolio_id", "$4")} end as shared_used,
  (select count(distinct m.customer_key)::int4 from messages m where ${isHeld}) as held,
  (select count(distinct k.key)::int4 from unnest($3::text[]) as k(key)
    where coalesce((select s.expires_at from allowance_slots s where s.environment_id = $1 and s.business_id = $2
        and s.customer_key = k.key) <= $4, true)
      and not exists (${lentSlot({
        environment_id: "$1",
        business_id: "$2",
        portfolio_id: "n.portfolio_id",
        customer_key: "k.key",
        at: "$4"
      })})
      and coalesce((select w.latest_inbound_at from service_windows w where w.environment_id = $1
        and w.channel = 'chatapp' and w.business_id = $2 and w.customer_key = k.key) <= $5, true)) as needing
  from phone_numbers n where n.environment_id = $1 and n.id = $2`

/** Returns the slots that count against a number's allowance: where other numbers left less, that counts. */
const usedOf = ({ messaging_tier, quality_rating, shared_used, used }: EstimateRow): number => {
  const own = allowanceOf(messaging_tier, quality_rating)
  const shared = portfolioAllowance(messaging_tier)
  if (own === undefined || shared === undefined || shared_used === null) return used
  return Math.max(used, own - Math.max(0, shared - shared_used))
}

interface HeldRow {
  readonly held: JsonText<StoredSlots["held"]> | null
  readonly released: JsonText<StoredSlots["released"]> | null
  readonly leases: JsonText<ReadonlyArray<StoredLease>> | null
}

interface SlotsRow extends HeldRow {
  readonly expiries: JsonText<StoredSlots["expiries"]> | null
}

interface EstimateRow extends AllowedNumber {
  readonly used: number
  /** The slots of all numbers of its portfolio; null while that is unknown. */
  readonly shared_used: number | null
  readonly held: number
  readonly needing: number
}

const heldOf = (row: HeldRow | undefined): Pick<StoredSlots, "held" | "released"> & Leased => ({
  held: readJsonOrNull(row?.held ?? null) ?? [],
  released: readJsonOrNull(row?.released ?? null) ?? [],
  leases: readJsonOrNull(row?.leases ?? null) ?? []
})
