import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"

/** Where a marketing message stands after a step, as far as its guards go. Instants are epoch milliseconds. */
export interface GuardedStep {
  /** The status it was found in, and the one it is in now. */
  readonly from: MessageStatus
  readonly status: MessageStatus
  readonly error_code: string | null
  /** The upstream's number for a refusal; null without one. */
  readonly provider_code: number | null
  readonly provider_spoke: boolean
  /** When the call began; null before any. */
  readonly called_at: number | null
  /** The provider was called for it before and refused for now. */
  readonly refused_before: boolean
}

/** What a step means for the claim on the content, and for the attempts of sender and recipient. */
export interface GuardOutcome {
  readonly claim: "keep" | "attempted" | "released"
  readonly attempt: { readonly at: number; readonly code: number | null } | undefined
  /** The recipient stopped marketing upstream: 131050. */
  readonly stops: boolean
}

/** Failures after the reservation that name no refusal of a provider, though one may have it. gaps-2 J "Scenario names" */
const attemptCodes: ReadonlySet<string> = new Set([
  "sandbox_delivery_failure",
  "provider_send_result_missing",
  "phone_number_rate_limit_exhausted"
])

/**
 * A call that was taken, definitely refused or left ambiguous is an attempt; guard skips, cancels and local failures are
 * none. A later report of failure changes what the attempt is remembered by. gaps-2 C "What counts as an attempt",
 * M-GRD-25..27
 */
export const guardOutcome = (step: GuardedStep): GuardOutcome => {
  const { called_at, from, provider_code, status } = step
  const stops = status === "failed" && step.error_code === "upstream_marketing_opted_out"
  const attempt = called_at === null ? undefined : { at: called_at, code: provider_code }
  switch (status) {
    case "queued":
      // Sent back by a provider that was reached: the content stays claimed for the next try.
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
