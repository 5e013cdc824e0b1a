import { Effect, Layer } from "effect"
import { MeterPrices, planAccountOf } from "../../billing/Billing.ts"
import { managementMeter } from "./Coverage.ts"
import { coverageBody, summaryOf } from "./CoverageRead.ts"
import { CoverageReads } from "./CoverageReads.ts"
import { MonthFacts } from "./MonthFacts.ts"

export const coverageReadsLayer = Layer.effect(
  CoverageReads,
  Effect.gen(function* () {
    const facts = yield* MonthFacts
    const prices = yield* MeterPrices
    return CoverageReads.of({
      all: Effect.fnUntraced(function* (viewer, now) {
        const { account, monthsOf, numbers } = yield* facts.managedIn(planAccountOf(viewer), viewer.environment_id, now)
        const fees = new Map<number, number | undefined>()
        const read = (number: (typeof numbers)[number]) =>
          coverageBody(number, account, monthsOf(number), now, (at) => fees.get(at))
        if (numbers.length > 0) fees.set(now, yield* prices.unitPrice(managementMeter, now))
        for (const at of new Set(numbers.flatMap((number) => read(number).charge?.at ?? []))) {
          fees.set(at, yield* prices.unitPrice(managementMeter, at))
        }
        const shown = numbers.map((number) => ({ number, ...read(number) }))
        return {
          rows: shown.map(({ body, number }) => ({
            enrolled_at: number.enrolled_at,
            enrollment_id: number.enrollment_id,
            body
          })),
          summary: summaryOf(shown.flatMap(({ charge }) => charge ?? []))
        }
      })
    })
  })
)
