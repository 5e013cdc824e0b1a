import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { leftAtOf } from "../pacing/PacingTables.ts"
import type { LeasedNumber, LeaseRequest } from "../pacing/PortfolioRules.ts"

/** A portfolio as its owner decides on it. */
export interface StoredPortfolio {
  /** The tier that the platform told last; null before it told one. */
  readonly messaging_tier: string | null
  readonly limit_revision: number
  readonly numbers: ReadonlyArray<LeasedNumber>
}

/** Reads portfolios for their owners: of all environments, because the platform counts them together. Decision 0150 */
export class PortfolioRepo extends Context.Service<
  PortfolioRepo,
  {
    /** Returns the numbers of a portfolio, and those that left it, with their leases and live slots. */
    read(portfolioId: string, now: number): Effect.Effect<StoredPortfolio>
    /** Returns portfolios with requests that are due, in the order of their ids after `after`. */
    readonly due: DueOwners["due"]
  }
>()("@carteiro/runtime/messages/portfolio/PortfolioRepo") {
  static readonly layer = Layer.effect(
    PortfolioRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      PortfolioRepo.of({
        read: (portfolioId, now) =>
          Effect.map(many(sql.unsafe<PortfolioRow>(portfolioSql, [portfolioId, instant(now)])), (rows) => ({
            messaging_tier: rows[0]?.messaging_tier ?? null,
            limit_revision: rows[0]?.limit_revision ?? 0,
            numbers: rows.flatMap(numberOf)
          })),
        due: (now, after, limit) =>
          Effect.map(
            many(
              sql<{ readonly id: string; readonly due: boolean }>`select l.portfolio_id as id,
                min(l.due_at) <= ${instant(now)} as due from portfolio_leases l
                where l.due_at is not null and l.portfolio_id > ${after}
                group by l.portfolio_id order by l.portfolio_id limit ${limit}`
            ),
            (rows) => ({
              ids: rows.filter(({ due }) => due).map(({ id }) => id),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    )
  )
}

const numberOf = (row: PortfolioRow): ReadonlyArray<LeasedNumber> => {
  const { business_id } = row
  if (business_id === null) return []
  const { needed, requested_at, wanted } = row
  return [
    {
      business_id,
      environment_id: row.environment_id,
      is_member: row.is_member,
      quota: row.quota,
      cap: row.cap,
      short_at: row.short_at,
      recalled_at: row.recalled_at,
      left_at: row.left_at,
      live: row.live,
      request:
        row.is_requested && requested_at !== null
          ? { needed, wanted, allowance: row.request_allowance, requested_at }
          : null
    }
  ]
}

// A slot that shares another one's counts there alone. The expression is that of the index of live slots.
const portfolioSql = `with known as materialized (
    select id from phone_numbers where portfolio_id = $1
    union select business_id from portfolio_leases where portfolio_id = $1
  )
  select p.messaging_tier, coalesce(p.limit_revision, 0) as limit_revision, k.id as business_id, n.environment_id,
    coalesce(n.portfolio_id = $1, false) as is_member, coalesce(l.quota, 0) as quota, l.cap, l.short_at, l.recalled_at,
    ${leftAtOf} as left_at, coalesce(l.needed, 0) as needed, coalesce(l.wanted, 0) as wanted,
    coalesce(l.request_allowance, 0) as request_allowance, l.requested_at, l.due_at is not null as is_requested,
    (select count(*)::int4 from allowance_slots s where s.business_id || '' = k.id and s.expires_at > $2
      and s.environment_id = n.environment_id and s.lender_id is null) as live
  from (select $1::text as id) o left join portfolios p on p.id = o.id left join known k on true
  left join phone_numbers n on n.id = k.id
  left join portfolio_leases l on l.portfolio_id = o.id and l.business_id = k.id
  order by k.id`

interface PortfolioRow
  extends Omit<LeasedNumber, "business_id" | "request">,
    Omit<LeaseRequest, "allowance" | "requested_at"> {
  readonly messaging_tier: string | null
  readonly limit_revision: number
  readonly business_id: string | null
  readonly request_allowance: number
  readonly requested_at: number | null
  readonly is_requested: boolean
}
