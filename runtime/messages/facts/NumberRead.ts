import { throughputTierSql } from "../../billing/Billing.ts"
import { forSenders } from "../message/Senders.ts"
import type { NumberFacts } from "./SendingFacts.ts"

const chargedTo = (column: string): string => `case when n.environment = 'production' then (
    select e.${column} from environments e where e.id = n.environment_id) end as ${column}`

/** The columns of `NumberFacts` in the sender's row `n`, with its version as `row_version`. */
export const numberColumns = `n.row_version::text as version, n.environment_id, n.environment, n.phone, n.status,
  n.suspended_at, ${throughputTierSql("n")} as throughput_plan,
  n.upstream_throughput_tier, n.messaging_tier,
  n.quality_rating, n.biz_account_id, n.portfolio_id,
  coalesce((select o.limit_revision from portfolios o where o.id = n.portfolio_id), 0) as limit_revision,
  ${chargedTo("organization_id")}, ${chargedTo("project_id")},
  exists (select 1 from contact_suppressions s where s.environment_id = n.environment_id) as suppresses,
  (select p.due_at from number_pacing p where p.environment_id = n.environment_id and p.business_id = n.id) as pacing_at`

/**
 * Makes a statement about many senders, for each of the two kinds. The statement gets the rows of the ids in `$1`, with
 * the position of each as `ask`; an unknown id has no row. `lateral … limit 1` makes the planner look up each id by its
 * index, whatever table size it estimates.
 */
export const forAskedSenders = (statement: (source: string) => string) =>
  forSenders((source) =>
    statement(`select k.ask::int4 as ask, n.* from unnest($1::text[]) with ordinality as k(id, ask)
    cross join lateral (select n.xmin as row_version, n.* from ${source} where n.id = k.id limit 1) n`)
  )

/** Returns a row of `numberColumns` without its other columns. */
export const numberOf = (row: NumberFacts): NumberFacts => ({
  version: row.version,
  environment_id: row.environment_id,
  environment: row.environment,
  organization_id: row.organization_id,
  project_id: row.project_id,
  phone: row.phone,
  status: row.status,
  suspended_at: row.suspended_at,
  throughput_plan: row.throughput_plan,
  upstream_throughput_tier: row.upstream_throughput_tier,
  messaging_tier: row.messaging_tier,
  quality_rating: row.quality_rating,
  biz_account_id: row.biz_account_id,
  portfolio_id: row.portfolio_id,
  limit_revision: row.limit_revision,
  suppresses: row.suppresses,
  pacing_at: row.pacing_at
})
