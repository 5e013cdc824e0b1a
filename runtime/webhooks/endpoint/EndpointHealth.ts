import type { DisabledDetail, FailureClass } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"

/** The consecutive failed deliveries that disable an endpoint. A-WHE-24 */
const failuresToTrip = 20
/** The consecutive failed deliveries that disable an endpoint on probation. A-WHE-29 */
const failuresToTripOnProbation = 3

/** The breaker's state of one endpoint; instants are epoch milliseconds. A-WHE-02..10 */
export interface EndpointHealth {
  readonly status: "active" | "disabled"
  readonly probation: boolean
  /** True when the breaker tripped without an activation since: the next activation starts probation. gaps-1 J */
  readonly probation_due: boolean
  /** Consecutive failed deliveries; reads never show them. A-WHE-09 */
  readonly failures: number
  readonly disabled_reason: "consecutive_failures" | "manual" | null
  readonly disabled_detail: DisabledDetail | null
  readonly last_failure_at: number | null
  readonly last_success_at: number | null
}

/**
 * The end of one attempt. `failed` ends its delivery and counts; `uncounted` is a failure before a retry or of a
 * cancelled delivery. gaps-1 J "What counts as one failed delivery"
 */
export interface HealthFact {
  readonly outcome: "delivered" | "failed" | "uncounted"
  readonly at: number
  readonly status_code: number | null
  readonly failure_class: FailureClass | null
}

/** The health of a new endpoint. */
export const newHealth: EndpointHealth = {
  status: "active",
  probation: false,
  probation_due: false,
  failures: 0,
  disabled_reason: null,
  disabled_detail: null,
  last_failure_at: null,
  last_success_at: null
}

/**
 * Returns the next state after a real attempt, explicit resends included. Success resets the counter and ends probation
 * in any status; failures of a disabled endpoint are not counted. A-WHE-24, A-WHE-29, A-WHE-30, gaps-1 J
 */
export const recordDelivery = (health: EndpointHealth, fact: HealthFact): EndpointHealth => {
  if (fact.outcome === "delivered") {
    return { ...health, failures: 0, probation: false, last_success_at: latest(health.last_success_at, fact.at) }
  }
  const failed = { ...health, last_failure_at: latest(health.last_failure_at, fact.at) }
  return fact.outcome === "failed" && health.status === "active" ? countFailure(failed, fact) : failed
}

/**
 * Returns the next state after a probe: as after a delivery for a healthy endpoint, unchanged while it is disabled or
 * on probation. The state at completion decides. A-WHE-31, A-WHE-32, gaps-1 J "Probe effect on a healthy endpoint"
 */
export const recordProbe = (health: EndpointHealth, fact: HealthFact): EndpointHealth =>
  health.status === "disabled" || health.probation ? health : recordDelivery(health, fact)

/**
 * Returns the state after PATCH status active: recovery from the breaker starts probation, recovery from a manual stop
 * keeps the earlier state. An active endpoint does not change. A-WHE-26, A-WHE-27, gaps-1 J "Manual disable and enable"
 */
export const activate = (health: EndpointHealth): EndpointHealth =>
  health.status === "active"
    ? health
    : {
        ...health,
        status: "active",
        probation: health.probation || health.probation_due,
        probation_due: false,
        failures: 0,
        disabled_reason: null,
        disabled_detail: null
      }

/**
 * Returns the state after PATCH status disabled: a manual stop, also of an endpoint that the breaker disabled, which
 * keeps its pending probation. A-WHE-25, gaps-1 J "Manual disable and enable"
 */
export const disable = (health: EndpointHealth): EndpointHealth =>
  health.status === "disabled" && health.disabled_reason === "manual"
    ? health
    : { ...health, status: "disabled", disabled_reason: "manual", disabled_detail: null }

/** Returns the state after a change of url: the count restarts, probation stays. gaps-1 J "PATCH details" */
export const changeUrl = (health: EndpointHealth): EndpointHealth =>
  health.failures === 0 ? health : { ...health, failures: 0 }

/** Returns the state after one PATCH with any members. A-WHE-17 */
export const patchHealth = (
  health: EndpointHealth,
  change: { readonly status?: "active" | "disabled" | undefined; readonly urlChanged: boolean }
): EndpointHealth => {
  const counted = change.urlChanged ? changeUrl(health) : health
  if (change.status === undefined) return counted
  return change.status === "active" ? activate(counted) : disable(counted)
}

/**
 * Returns why the endpoint takes no deliveries any more, to decide which ones are cancelled. gaps-1 J "Deliveries
 * waiting when an endpoint is disabled or deleted"
 */
export const stoppedBy = (before: EndpointHealth, after: EndpointHealth): "breaker" | "manual" | undefined =>
  after.status === "active" || before.disabled_reason === after.disabled_reason
    ? undefined
    : after.disabled_reason === "manual"
      ? "manual"
      : "breaker"

const countFailure = (health: EndpointHealth, fact: HealthFact): EndpointHealth => {
  const failures = health.failures + 1
  if (failures < (health.probation ? failuresToTripOnProbation : failuresToTrip)) return { ...health, failures }
  return {
    ...health,
    failures,
    status: "disabled",
    probation_due: true,
    disabled_reason: "consecutive_failures",
    disabled_detail: {
      last_status_code: fact.status_code,
      failure_class: fact.failure_class,
      ...(health.probation ? { probation_retrip: true as const } : {})
    }
  }
}

const latest = (known: number | null, at: number): number => (known === null ? at : Math.max(known, at))
