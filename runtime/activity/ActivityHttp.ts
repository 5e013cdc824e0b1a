import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ActivityApi, type ActivitySeries } from "@carteiro/schema/activity/ActivityApi.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { hourMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { type ActivityHour, ActivityReads } from "./ActivityReads.ts"

/** Operations of people about what happened by hour. Decisions 0068, 0155 */
export const ActivityHttp = Routes.group(
  ActivityApi,
  Effect.map(ActivityReads, (reads) =>
    Routes.handlers(ActivityApi, {
      ofEnvironment: ({ caller, query, traceId }) =>
        Effect.map(reads.since(caller.environment_id, instantOf(query)), answer(traceId)),

      ofEndpoint: ({ caller, params, query, traceId }) =>
        Effect.map(
          reads.ofEndpoint(caller.environment_id, params.webhook_endpoint_id, instantOf(query)),
          answer(traceId)
        ),

      ofNumber: ({ caller, params, query, traceId }) =>
        Effect.map(reads.ofNumber(caller.environment_id, params.phone_number_id, instantOf(query)), answer(traceId)),

      spend: ({ caller, query, traceId }) =>
        Effect.map(reads.spend(caller.organization_id, instantOf(query)), (amount) =>
          reply({ traceId }, 200, { object: "spend", amount_brl: formatBrl(amount) })
        )
    })
  )
)

// The contract has already validated it.
const instantOf = ({ from }: { readonly from: string }): number => parseTimestamp(from) ?? 0

const answer = (traceId: string) => (hours: ReadonlyArray<ActivityHour>) =>
  reply({ traceId }, 200, { object: "activity", series: seriesOf(hours) })

const seriesOf = (hours: ReadonlyArray<ActivityHour>): ReadonlyArray<ActivitySeries> => {
  const series = new Map<ActivityHour["measure"], Array<readonly [number, number, number]>>()
  for (const { amount, count, hour, measure } of hours) {
    const known = series.get(measure) ?? []
    known.push([hour / hourMs, count, amount])
    series.set(measure, known)
  }
  return [...series].map(([measure, points]) => ({ measure, hours: points }))
}
