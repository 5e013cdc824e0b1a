import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { LeasedNumber } from "../pacing/PortfolioRules.ts"

/** A portfolio as its owner decides on it. */
export interface StoredPortfolio {
  /** The tier that the platform told last; null before it told one. */
  readonly messaging_tier: string | null
  readonly numbers: ReadonlyArray<LeasedNumber>
}

/** Reads portfolios for their owners: of all environments, because the platform counts them together. Decision 0150 */
export class PortfolioRepo extends Context.Service<
  PortfolioRepo,
  {
    /** Returns the numbers of a portfolio, and those that left it, with their leases and live slots. */
    read(portfolioId: string, now: number): Effect.Effect<StoredPortfolio>
  }
>()("@carteiro/runtime/messages/portfolio/PortfolioRepo") {
  static readonly layer = Layer.effect(
    PortfolioRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      PortfolioRepo.of({
        read: (portfolioId, now) =>
          Effect.map(many(sql.unsafe<PortfolioRow>(portfolioSql, [portfolioId, instant(now)])), (rows) => ({
            messaging_tier: rows[0]?.messaging_tier ?? null,
            numbers: rows.flatMap(({ business_id, messaging_tier: _, ...row }) =>
              business_id === null ? [] : [{ business_id, ...row }]
            )
          }))
      })
    )
  )
}

// A slot that shares another one's counts there alone. The expression is that of the index of live slots.
const portfolioSql = `with known as materialized (
    select id from phone_numbers where portfolio_id = $1
    union select business_id from portfolio_leases where portfolio_id = $1
  )
  select p.messaging_tier, k.id as business_id, n.environment_id, coalesce(n.portfolio_id = $1, false) as is_member,
    coalesce(l.quota, 0) as quota, l.cap, l.short_at, l.recalled_at, l.left_at,
    (select count(*)::int4 from allowance_slots s where s.business_id || '' = k.id and s.expires_at > $2
      and s.environment_id = n.environment_id and s.lender_id is null) as live
  from (select $1::text as id) o left join portfolios p on p.id = o.id left join known k on true
  left join phone_numbers n on n.id = k.id
  left join portfolio_leases l on l.portfolio_id = o.id and l.business_id = k.id
  order by k.id`

interface PortfolioRow extends Omit<LeasedNumber, "business_id"> {
  readonly messaging_tier: string | null
  readonly business_id: string | null
}
