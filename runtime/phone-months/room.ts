import { monthOf } from "@carteiro/spellings/Months.ts"
import { Effect, Layer } from "effect"
import { AccountPlans, MonthWorks, UnpaidMonths } from "../billing/Billing.ts"
import { RentalMonths } from "../phone-numbers/PhoneNumbers.ts"
import { defineRoom } from "../room/Room.ts"
import { chargeMonths } from "./months/ChargeMonths.ts"
import { coverageReadsLayer } from "./months/CoverageReadsLayer.ts"
import { endMonths } from "./months/EndMonths.ts"
import { MonthFacts, rentalsOf } from "./months/MonthFacts.ts"
import { PhoneCoverageHttp } from "./months/PhoneCoverageHttp.ts"
import { PhoneMonthRepo } from "./months/PhoneMonthRepo.ts"
import { PhoneMonthsHttp } from "./months/PhoneMonthsHttp.ts"
import { reviewCoverage } from "./months/ReviewCoverage.ts"

/** Provides the phone-numbers room with the present month's charges of rented numbers. M-PHN-30, M-PHN-36 */
const rentalMonths = Layer.effect(
  RentalMonths,
  Effect.gen(function* () {
    const repo = yield* PhoneMonthRepo
    const unpaid = yield* UnpaidMonths
    const plans = yield* AccountPlans
    return Effect.fnUntraced(function* (organizationId, numberIds, now) {
      const month = monthOf(now)
      const charged = rentalsOf(yield* repo.ofNumbers(numberIds, [month]))
      const isUnpaid = (yield* unpaid.open(organizationId, month)).has("rental")
      const paidPlan = (yield* plans.inForce(organizationId)).plan_offering_id !== null
      return new Map(
        numberIds.map((id) => [id, { charged: charged.get(id) ?? null, unpaid: isUnpaid, paidPlan }] as const)
      )
    })
  })
).pipe(Layer.provide([PhoneMonthRepo.layer, UnpaidMonths.layer, AccountPlans.layer]))

/** Registers the work of this room in the jobs of a month, which accounts execute. */
const works = Layer.effectDiscard(
  Effect.gen(function* () {
    const known = yield* MonthWorks
    yield* known.add(yield* chargeMonths)
    yield* known.add(yield* endMonths)
    yield* known.add(yield* reviewCoverage)
  })
)

/** The phone-months room: monthly charges of numbers, and the end of unpaid numbers. */
export const room = defineRoom({
  name: "phone-months",
  answers: rentalMonths,
  services: Layer.provideMerge(coverageReadsLayer, MonthFacts.layer),
  routes: Layer.merge(PhoneMonthsHttp, PhoneCoverageHttp),
  owners: works
})
