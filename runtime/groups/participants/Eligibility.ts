import type { GroupHostFacts } from "@carteiro/provider/GroupProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { EligibilityStatus, GroupEligibility, Ineligibility } from "@carteiro/schema/groups/GroupEligibility.ts"
import { ineligibilities } from "@carteiro/schema/groups/GroupEligibility.ts"

/** A stored eligibility; instants are epoch milliseconds. */
export interface EligibilityState {
  readonly environment_id: string
  readonly phone_number_id: string
  readonly environment: EnvironmentKind
  readonly status: typeof EligibilityStatus.Type
  readonly reasons: ReadonlyArray<typeof Ineligibility.Type>
  readonly checked_at: number | null
  readonly check_requested_at: number | null
  /** The version of the row that was read; 0 when there is no row. */
  readonly version: number
  readonly check: {
    readonly state: "queued" | "running"
    readonly queued_at: number
    /** The number of the request that a running check answers; null while none runs. */
    readonly answers: number | null
    readonly due_at: number
  } | null
}

/**
 * The time after which an unfinished check ends as `read_failed`, in milliseconds. gaps-3 B "checked_at against
 * check_requested_at"
 */
export const checkLimitMs = 120_000

/** Returns the eligibility before the first check. C-ELIG-09 */
export const unchecked = (
  number: Pick<EligibilityState, "environment_id" | "phone_number_id" | "environment">
): EligibilityState => ({
  ...number,
  status: "not_checked",
  reasons: [],
  checked_at: null,
  check_requested_at: null,
  version: 0,
  check: null
})

/**
 * Returns the eligibility with a requested check; a check that already waits also answers this request. C-ELIG-16,
 * C-ELIG-23
 */
export const checkRequested = (known: EligibilityState, now: number, due_at: number): EligibilityState => ({
  ...known,
  check_requested_at: Math.max(now, known.check_requested_at ?? now),
  check: known.check ?? { state: "queued", queued_at: now, answers: null, due_at }
})

/** Returns the eligibility with a running check, which answers every request up to now. */
export const checkStarted = (known: EligibilityState, until: number): EligibilityState =>
  known.check === null
    ? known
    : {
        ...known,
        check: { ...known.check, state: "running", answers: known.check_requested_at, due_at: until }
      }

/** The result of a check; undefined when the facts could not be read. */
export type CheckResult = Pick<EligibilityState, "status" | "reasons">

export const readFailed: CheckResult = { status: "read_failed", reasons: [] }

/** Returns the eligibility after a check; a request that came while it ran queues another one. C-ELIG-07, C-ELIG-10 */
export const checkEnded = (known: EligibilityState, result: CheckResult, now: number): EligibilityState => {
  const answers = known.check?.answers ?? known.check_requested_at ?? now
  const asked = known.check_requested_at ?? answers
  return {
    ...known,
    ...result,
    checked_at: Math.max(now, answers + 1),
    check: asked > answers ? { state: "queued", queued_at: now, answers: null, due_at: now } : null
  }
}

/**
 * Returns the result for the provider's facts; reasons in their printed order. gaps-3 B "Production eligibility source"
 */
export const judged = (facts: GroupHostFacts): CheckResult => {
  const against: Record<typeof Ineligibility.Type, boolean> = {
    not_cloud_api: facts.platform_type !== null && facts.platform_type !== "cloud_api",
    chatapp_business_app_number: facts.is_business_app === true,
    not_official_business_account: facts.is_official === false,
    missing_messaging_permission: facts.may_message === false
  }
  const reasons = ineligibilities.filter((reason) => against[reason])
  if (reasons.length > 0) return { status: "not_eligible", reasons }
  const isWhole = Object.values(facts).every((fact) => fact !== null)
  return { status: isWhole ? "eligible" : "unknown", reasons: [] }
}

/** Returns the eligibility as reads show it. C-ELIG-01 */
export const readEligibility = (known: EligibilityState): Omit<GroupEligibility, "trace_id"> => ({
  id: known.phone_number_id,
  object: "group_eligibility",
  phone_number_id: known.phone_number_id,
  environment: known.environment,
  status: known.status,
  reasons: known.reasons,
  checked_at: formatTimestampOrNull(known.checked_at),
  check_requested_at: formatTimestampOrNull(known.check_requested_at)
})
