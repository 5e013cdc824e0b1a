import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The reasons for which an environment may spend no more. A sandbox has none. */
export interface SpendStanding {
  readonly credit_blocked: boolean
  readonly over_spend_cap: boolean
}

/**
 * Returns the SQL that tells whether the project `p` of the environment `e` has reached its cap; `month` is SQL for the
 * UTC month (`YYYY-MM`). gaps-1 N "Monthly spend cap"
 */
export const overSpendCapSql = (month: string): string =>
  `case when p.monthly_spend_cap is null or e.kind = 'sandbox' then false else p.monthly_spend_cap <= coalesce((
      select s.spent from project_spending s
      where s.organization_id = p.organization_id and s.project_id = p.id and s.month = ${month}), 0) end`

/**
 * Reads credit and cap as admission does, for work that spends long after its request was admitted. Concurrent reads of
 * several environments share one statement. gaps-1 N "Monthly spend cap", gaps-3 D "production_blocked"
 */
export class SpendStandings extends Context.Service<
  SpendStandings,
  { read(environmentId: string): Effect.Effect<SpendStanding> }
>()("@carteiro/runtime/access/admission/SpendStandings") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = yield* readTogether((asks: ReadonlyArray<AskedStanding>) => {
        const texts = (name: keyof AskedStanding) =>
          arrayParameter(
            "text",
            asks.map((ask) => ask[name])
          )
        return Effect.map(
          many(sql.unsafe<StandingRow>(standingSql, [texts("environment_id"), texts("month")])),
          (rows) => {
            const found = new Map(rows.map(({ ask, ...standing }) => [ask, standing]))
            return asks.map((_, n): SpendStanding => found.get(n + 1) ?? unlimited)
          }
        )
      })
      return SpendStandings.of({
        read: (environment_id) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            read({ environment_id, month: formatTimestamp(now).slice(0, 7) })
          )
      })
    })
  )
}

/** An environment, and the UTC month (`YYYY-MM`) on its clock. */
interface AskedStanding {
  readonly environment_id: string
  readonly month: string
}

interface StandingRow extends SpendStanding {
  /** The position among the requested environments, from 1. */
  readonly ask: number
}

const unlimited: SpendStanding = { credit_blocked: false, over_spend_cap: false }

// `lateral … limit 1` makes the planner look up each row by its index, whatever table sizes it estimates.
const standingSql = `select k.ask::int4 as ask, e.kind = 'production' and o.credit_blocked as credit_blocked,
    ${overSpendCapSql("k.month")} as over_spend_cap
  from unnest($1::text[], $2::text[]) with ordinality as k(environment_id, month, ask)
  cross join lateral (select * from environments e where e.id = k.environment_id limit 1) e
  cross join lateral (select * from projects p where p.organization_id = e.organization_id and p.id = e.project_id limit 1) p
  cross join lateral (select * from organizations o where o.id = e.organization_id limit 1) o`
