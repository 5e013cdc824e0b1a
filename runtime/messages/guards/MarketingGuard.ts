import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { dayMs, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import {
  RecipientCadencePolicyUnavailable,
  RecipientDuplicateMessage,
  RecipientFrequencyCapped
} from "@carteiro/schema/messages/MessageErrors.ts"

/** The pause before a number of poor quality may message a recipient again, in milliseconds. M-GRD-06 */
const cooldownMs = 7 * dayMs
/** How long a policy warning counts, in milliseconds. gaps-2 C "Policy warning source" */
const warningMs = 7 * dayMs
/** The pause of marketing after 131049, in milliseconds. M-GRD-11 */
const engagementLimitMs = dayMs

/** The upstream codes that decide a pause. M-GRD-11, M-GRD-12, M-GRD-13 */
const upstreamCodes = { engagementLimited: 131049, undeliverable: 131026, holdout: 130472 } as const

/** The quality of a phone or a template, as the upstream reports it. */
export type Quality = "green" | "yellow" | "red" | "unknown"

/** The parts of a number that its guards need. */
export interface GuardedNumber {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly id: string
  readonly quality_rating: Quality
  readonly account_id: string
  /** Null while it is unknown. */
  readonly portfolio_id: string | null
}

/** The facts that decide whether the cooldown applies. Instants are epoch milliseconds. M-GRD-06 */
export interface MarketingPolicy {
  readonly phone_quality: Quality
  readonly template_quality: Quality
  readonly last_policy_warning_at: number | null
}

/**
 * One provider call for a marketing message: when it began, and the upstream's code of its result, null when it was
 * accepted or the result is unknown. gaps-2 C "What counts as an attempt"
 */
export interface MarketingAttempt {
  readonly at: number
  readonly code: number | null
}

/** Identical content to the recipient, by a message other than the one to decide. */
export type ContentClaim =
  | { readonly state: "pending" }
  | { readonly state: "attempted"; readonly attempted_at: number }

/** All facts that decide a marketing template. Instants are epoch milliseconds. */
export interface MarketingFacts {
  /** Undefined when it could not be read. */
  readonly policy: MarketingPolicy | undefined
  /** True when the recipient stopped this business account's marketing upstream. */
  readonly stopped: boolean
  /** False while the bytes of its media are not hashed. */
  readonly verified: boolean
  /** True when a template of unknown category to this recipient is pending. */
  readonly unclassified: boolean
  readonly identical: ContentClaim | undefined
  /** The two latest attempts of sender and recipient, the latest first. */
  readonly attempts: readonly [latest?: MarketingAttempt | undefined, previous?: MarketingAttempt | undefined]
  /** True when another marketing message of sender and recipient is queued or being sent. */
  readonly pending: boolean
  /** The latest message of the recipient to any number of the environment, and to this sender. */
  readonly heard_anywhere_at: number | undefined
  readonly heard_here_at: number | undefined
}

/** The reason for the refusal of a marketing template. gaps-2 C "Guard evaluation order" */
export type GuardReason =
  | "policy_unavailable"
  | "marketing_stopped"
  | "content_unverified"
  | "pending_unclassified"
  | "duplicate_pending"
  | "duplicate_content"
  | "upstream_engagement_limit"
  | "recipient_unreachable"
  | "upstream_holdout"
  | "cooldown_pending"
  | "quality_cooldown"

/**
 * The codes of guard refusals; a message that a guard stops before dispatch gets one of them. M-GRD-15, M-GRD-16,
 * M-GRD-21
 */
export type GuardCode =
  | "recipient_duplicate_message"
  | "recipient_frequency_capped"
  | "recipient_cadence_policy_unavailable"

/** A refusal by the guards. `next_allowed_at` is null when waiting does not help. M-GRD-17..19 */
export interface GuardRefusal {
  readonly code: GuardCode
  readonly reason: GuardReason
  readonly next_allowed_at: number | null
}

/**
 * Returns the refusal of the first guard that holds a marketing template back, or `undefined`. General consent was
 * checked before, and other categories are not checked here. gaps-2 C "Guard evaluation order", rows 3 to 12;
 * M-GRD-02..14, M-GRD-19
 */
export const judgeMarketing = (facts: MarketingFacts, now: number): GuardRefusal | undefined => {
  const { identical, policy } = facts
  if (policy === undefined) return unavailable("policy_unavailable")
  if (facts.stopped) return capped("marketing_stopped")
  if (!facts.verified) return unavailable("content_unverified")
  if (facts.unclassified) return unavailable("pending_unclassified")
  if (identical?.state === "pending") return duplicate("duplicate_pending")
  if (identical !== undefined && !isAfter(facts.heard_anywhere_at, identical.attempted_at)) {
    return duplicate("duplicate_content")
  }
  const [latest, previous] = facts.attempts
  if (latest !== undefined) {
    const rests = latest.at + engagementLimitMs
    if (latest.code === upstreamCodes.engagementLimited && now < rests) {
      return capped("upstream_engagement_limit", rests)
    }
    if (!isAfter(facts.heard_anywhere_at, latest.at)) {
      const { holdout, undeliverable } = upstreamCodes
      if (latest.code === undeliverable && previous?.code === undeliverable) return capped("recipient_unreachable")
      if (latest.code === holdout) return capped("upstream_holdout")
    }
  }
  if (!needsCooldown(policy, now)) return undefined
  if (facts.pending) return capped("cooldown_pending")
  if (latest === undefined || isAfter(facts.heard_here_at, latest.at)) return undefined
  return now < latest.at + cooldownMs ? capped("quality_cooldown", latest.at + cooldownMs) : undefined
}

/** True while the quality of phone or template, or a recent warning, needs restraint. M-GRD-06, M-GRD-07 */
export const needsCooldown = (policy: MarketingPolicy, now: number): boolean =>
  isPoor(policy.phone_quality) ||
  isPoor(policy.template_quality) ||
  (policy.last_policy_warning_at !== null && now < policy.last_policy_warning_at + warningMs)

/**
 * Returns the refusal in the form of POST /v1/messages; a failed policy read names no field. M-GRD-15..23, gaps-2 A
 * "New error codes"
 */
export const guardError = ({ code, next_allowed_at, reason }: GuardRefusal) => {
  const param = code === "recipient_cadence_policy_unavailable" ? undefined : "recipient.id"
  return new errors[code]({ param, details: guardDetails({ reason, next_allowed_at }) })
}

/**
 * Returns the details of a refusal, for a response and for the event of a message that it stopped. M-GRD-17, M-GRD-18
 */
export const guardDetails = ({ next_allowed_at, reason }: Pick<GuardRefusal, "next_allowed_at" | "reason">) => ({
  guard_reason: reason,
  next_allowed_at: formatTimestampOrNull(next_allowed_at)
})

const errors = {
  recipient_duplicate_message: RecipientDuplicateMessage,
  recipient_frequency_capped: RecipientFrequencyCapped,
  recipient_cadence_policy_unavailable: RecipientCadencePolicyUnavailable
} as const

/** True for a quality that needs restraint. M-GRD-06 */
export const isPoor = (quality: Quality): boolean => quality === "yellow" || quality === "red"

const isAfter = (heardAt: number | undefined, at: number): boolean => heardAt !== undefined && heardAt > at

const refusal =
  (code: GuardCode) =>
  (reason: GuardReason, next_allowed_at: number | null = null): GuardRefusal => ({ code, reason, next_allowed_at })
const duplicate = refusal("recipient_duplicate_message")
const capped = refusal("recipient_frequency_capped")
const unavailable = refusal("recipient_cadence_policy_unavailable")
