import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The reasons for which an environment may spend no more. A sandbox has none. */
export interface SpendStanding {
  readonly credit_blocked: boolean
  readonly over_spend_cap: boolean
}

/**
 * Whether the project `p` of the environment `e` has reached its cap; `month` is the parameter of the UTC month (`YYYY-MM`).
 * gaps-1 N "Monthly spend cap"
 */
export const overSpendCapSql = (month: string): string =>
  `case when p.monthly_spend_cap is null or e.kind = 'sandbox' then false else p.monthly_spend_cap <= coalesce((
      select s.spent from project_spending s
      where s.organization_id = p.organization_id and s.project_id = p.id and s.month = ${month}), 0) end`

/**
 * Reads credit and cap as admission does, for work that spends long after its request was admitted.
 * gaps-1 N "Monthly spend cap", gaps-3 D "production_blocked"
 */
export class SpendStandings extends Context.Service<
  SpendStandings,
  { read(environmentId: string): Effect.Effect<SpendStanding> }
>()("@carteiro/runtime/access/admission/SpendStandings") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      SpendStandings.of({
        read: (environmentId) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.map(
              one(sql.unsafe<SpendStanding>(standingSql, [environmentId, formatTimestamp(now).slice(0, 7)])),
              (row) => row ?? { credit_blocked: false, over_spend_cap: false }
            )
          )
      })
    )
  )
}

const standingSql = `select e.kind = 'production' and o.credit_blocked as credit_blocked,
    ${overSpendCapSql("$2::text")} as over_spend_cap
  from environments e
  join projects p on p.organization_id = e.organization_id and p.id = e.project_id
  join organizations o on o.id = e.organization_id
  where e.id = $1`
