import { Commit } from "@carteiro/owners/Commit.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PlanPhoneLimitReached } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { AccountPlans, planAccountOf } from "../../billing/Billing.ts"
import { beginRoster, countRoster } from "./NumberWrites.ts"
import { PhoneNumberRepo } from "./PhoneNumberRepo.ts"

/** Whose numbers are counted. */
interface RosterHolder {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/** The plan a number is added under, and the rows that let one of two pass who add the last. */
export interface RosterRoom {
  readonly plan: { readonly throughput_tier: "starter" | "growth" | "scale" }
  readonly rows: ReadonlyArray<Row>
  /** Numbers the account may have; null for as many as it likes. */
  readonly max_phones: number | null
}

/** How many numbers an account may have. gaps-3 E "Phone count for plan_phone_limit_reached" */
export class Rosters extends Context.Service<
  Rosters,
  {
    /** Room for one number more, or the plan's refusal. A sandbox without a plan has no limit. M-PHN-52 */
    room(holder: RosterHolder): Effect.Effect<RosterRoom, ApiError>
  }
>()("@carteiro/runtime/phone-numbers/number/Rosters") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* PhoneNumberRepo
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
}
