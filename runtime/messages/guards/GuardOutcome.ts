import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"

/** A marketing message after a step, with the parts that its guards need. Instants are epoch milliseconds. */
export interface GuardedStep {
  /** The status before the step, and after it. */
  readonly from: MessageStatus
  readonly status: MessageStatus
  readonly error_code: string | null
  /** The upstream's number of a refusal; null without one. */
  readonly provider_code: number | null
  readonly provider_spoke: boolean
  /** When the call began; null before any. */
  readonly called_at: number | null
  /** True when the provider was called before and refused temporarily. */
  readonly refused_before: boolean
}

/** The effect of a step on the content's claim, and on the attempts of sender and recipient. */
export interface GuardOutcome {
  readonly claim: "keep" | "attempted" | "released"
  readonly attempt: { readonly at: number; readonly code: number | null } | undefined
  /** True when the recipient stopped marketing upstream: 131050. */
  readonly stops: boolean
}

/**
 * Failures after the reservation that name no provider's refusal, although there may have been one. gaps-2 J "Scenario
 * names"
 */
const attemptCodes: ReadonlySet<string> = new Set([
  "sandbox_delivery_failure",
  "provider_send_result_missing",
  "phone_number_rate_limit_exhausted"
])

/**
 * Returns the effect of a step. A call that was accepted, definitely refused or left ambiguous is an attempt; guard
 * refusals, cancels and local failures are none. A later report of failure changes the recorded code of the attempt.
 * gaps-2 C "What counts as an attempt", M-GRD-25..27
 */
export const guardOutcome = (step: GuardedStep): GuardOutcome => {
  const { called_at, from, provider_code, status } = step
  const stops = status === "failed" && step.error_code === "upstream_marketing_opted_out"
  const attempt = called_at === null ? undefined : { at: called_at, code: provider_code }
  switch (status) {
    case "queued":
      // The provider was reached and refused temporarily: the content stays claimed for the next attempt.
      return { claim: "keep", attempt: step.provider_spoke ? attempt : undefined, stops }
    case "sending":
      return { claim: "keep", attempt: undefined, stops }
    case "cancelled":
      return { claim: step.refused_before ? "attempted" : "released", attempt: undefined, stops }
    case "failed":
      if (wasTried(step)) return { claim: "attempted", attempt, stops }
      return { claim: step.refused_before ? "attempted" : "released", attempt: undefined, stops }
    default:
      return from === "queued" || from === "sending"
        ? { claim: "attempted", attempt, stops }
        : { claim: "keep", attempt: undefined, stops }
  }
}

const wasTried = ({ called_at, error_code, from, provider_spoke }: GuardedStep): boolean =>
  called_at !== null &&
  (provider_spoke ||
    from === "sent" ||
    from === "delivered" ||
    error_code?.startsWith("upstream_") === true ||
    attemptCodes.has(error_code ?? ""))
