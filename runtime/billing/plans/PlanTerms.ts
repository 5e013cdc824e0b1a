import { whole } from "../prices/Price.ts"

/** The terms of a plan. gaps-3 E "Plan catalog" */
export interface PlanTerms {
  readonly plan_offering_id: string | null
  readonly display_name: string | null
  readonly throughput_tier: "starter" | "growth" | "scale"
  /** The most numbers of the account; null for no limit. C-PLAN-08 */
  readonly max_phones: number | null
  /** The multiplier of platform fees, in ten-thousandths. C-PLAN-09 */
  readonly multiplier: number
  /** True when numbers may be imported from the caller's own account at a number provider. M-IMP-08 */
  readonly numprov_byok_enabled: boolean
}

/** The terms of an account without a plan, whose status is `none` or `canceled`. C-PLAN-04, gaps-3 E "Plan catalog" */
export const freeTier: PlanTerms = {
  plan_offering_id: null,
  display_name: null,
  throughput_tier: "starter",
  max_phones: 1,
  multiplier: whole,
  numprov_byok_enabled: false
}
