import { countedOfNumbers, type Measure } from "@carteiro/schema/activity/Measures.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** What happened in an hour. */
export interface ActivityHour {
  readonly measure: Measure
  /** The beginning of the hour, in epoch milliseconds. */
  readonly hour: number
  readonly count: number
  /** 1/10,000 BRL of money, milliseconds of deliveries, 0 of everything else. */
  readonly amount: number
}

/** Reads what happened in one environment by hour, some seconds late. */
export class ActivityReads extends Context.Service<
  ActivityReads,
  {
    /** Returns the hours from an instant on, in epoch milliseconds, that have something of a measure. */
    since(environmentId: string, from: number): Effect.Effect<ReadonlyArray<ActivityHour>>
    /** Returns the calls of one webhook endpoint by hour, from an instant on, in epoch milliseconds. */
    ofEndpoint(environmentId: string, endpointId: string, from: number): Effect.Effect<ReadonlyArray<ActivityHour>>
    /** Returns what the production environments of an organization spent since an instant, in 1/10,000 BRL. */
    spend(organizationId: string, from: number): Effect.Effect<number>
    /** Returns the messages of one number by hour, from an instant on, in epoch milliseconds. */
    ofNumber(environmentId: string, numberId: string, from: number): Effect.Effect<ReadonlyArray<ActivityHour>>
  }
>()("@carteiro/runtime/activity/ActivityReads") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ActivityReads.of({
        since: (environmentId, from) =>
          many(
            sql<ActivityHour>`select measure, hour, count, amount from activity_hours
              where environment_id = ${environmentId} and hour >= ${instant(from)} order by hour, measure`
          ),
        ofEndpoint: (environmentId, endpointId, from) =>
          many(
            sql<ActivityHour>`select 'webhook.' || split_part(measure, '.', 2) as measure, hour, count, amount
              from endpoint_activity_hours where environment_id = ${environmentId}
                and measure in (${`${endpointId}.succeeded`}, ${`${endpointId}.failed`}) and hour >= ${instant(from)}
              order by hour, measure`
          ),
        spend: (organizationId, from) =>
          Effect.map(
            one(
              sql<{ readonly amount: number }>`select coalesce(sum(a.amount), 0)::int8 as amount
                from environments e join activity_hours a on a.environment_id = e.id
                where e.organization_id = ${organizationId} and e.kind = 'production'
                  and a.measure = 'spend' and a.hour >= ${instant(from)}`
            ),
            (row) => row?.amount ?? 0
          ),
        ofNumber: (environmentId, numberId, from) =>
          many(
            sql<ActivityHour>`select 'message.' || split_part(measure, '.', 2) as measure, hour, count, amount
              from number_activity_hours where environment_id = ${environmentId}
                and measure = any(${arrayParameter(
                  "text",
                  countedOfNumbers.map((type) => type.replace("message", numberId))
                )}) and hour >= ${instant(from)}
              order by hour, measure`
          )
      })
    )
  )
}
