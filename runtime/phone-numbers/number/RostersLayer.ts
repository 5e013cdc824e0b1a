import { Commit } from "@carteiro/owners/Commit.ts"
import { PlanPhoneLimitReached } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect, Layer } from "effect"
import { AccountPlans, planAccountOf } from "../../billing/Billing.ts"
import { NumberDirectory } from "./NumberDirectory.ts"
import { beginRoster, countRoster } from "./NumberWrites.ts"
import { Rosters } from "./Rosters.ts"

export const rostersLayer = Layer.effect(
  Rosters,
  Effect.gen(function* () {
    const repo = yield* NumberDirectory
    const plans = yield* AccountPlans
    const commit = yield* Commit
    return Rosters.of({
      room: Effect.fnUntraced(function* (holder) {
        const plan = yield* plans.inForce(planAccountOf(holder))
        const unlimited = plan.max_phones === null
        const sandbox = holder.environment === "sandbox"
        if (unlimited || (sandbox && plan.plan_offering_id === null)) return { plan, rows: [], max_phones: null }
        const account_id = planAccountOf(holder)
        let roster = yield* repo.roster(account_id, holder.environment)
        if (roster.version === null) {
          yield* commit.write([beginRoster.row({ account_id })])
          roster = yield* repo.roster(account_id, holder.environment)
        }
        if (roster.count >= (plan.max_phones ?? 0)) return yield* new PlanPhoneLimitReached()
        return {
          plan,
          rows: [countRoster.row({ account_id, version: roster.version ?? 0 })],
          max_phones: plan.max_phones
        }
      })
    })
  })
)
