import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { ProviderTemplate, ReviewStatus } from "@carteiro/provider/TemplateProvider.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import { reviewTemplate, type TemplateChange } from "../template/TemplateLife.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { afterReport } from "./Synchronization.ts"

/** The provider's answer about a version that it accepted for review. */
export interface TakenForReview {
  readonly provider_template_id: string
  readonly status: ReviewStatus
  /** The category under which the provider reviews it; null when it says none. */
  readonly category: TemplateCategory | null
  readonly rejection_reason: string | null
}

/** The result of a submission; `NotConnected` when the environment has no account to review it. */
export type SubmissionResult = ChatCall<TakenForReview> | { readonly _tag: "NotConnected" }

/** The result of a listing of the whole account. */
export type ListingResult = ChatCall<ReadonlyArray<ProviderTemplate>> | { readonly _tag: "NotConnected" }

/** The result of a removal. */
export type RemovalResult = ChatCall<void> | { readonly _tag: "NotConnected" }

/**
 * The time after which a review is given up when no provider can be reached, in milliseconds: a day. gaps-2 D
 * "Queue-expiry bound and stale sends"
 */
const givenUpAfterMs = dayMs
const longestPauseMs = 600_000
const longestReason = 500

/**
 * Returns the pause before the next attempt, in milliseconds: 1, 2, 4 seconds and so on to ten minutes, and up to a
 * tenth more; `draw` in 0..1. gaps-2 E "Retry policy"
 */
export const pauseAfter = (attempts: number, draw: number): number =>
  Math.round(Math.min(longestPauseMs, 1000 * 2 ** Math.min(20, Math.max(0, attempts - 1))) * (1 + draw / 10))

/** Returns the template after a submission. gaps-2 G "Template transitions" */
export const afterSubmission = (
  template: TemplateState,
  result: SubmissionResult,
  { draw, now }: { readonly now: number; readonly draw: number }
): TemplateChange => {
  if (result._tag === "Done") return taken(template, result.value, now)
  // A notice about the end of the review is newer than this answer.
  if (template.newest.status !== "submitted") return { template: { ...template, due_at: null }, event: undefined }
  switch (result._tag) {
    case "NotConnected":
      return rejected(template, "no_provider_connection", now)
    case "Refused":
      return rejected(template, result.error?.message ?? result.error?.title ?? result.code, now)
    case "Failed":
      return now - (template.newest.submitted_at ?? now) >= givenUpAfterMs
        ? rejected(template, "provider_unavailable", now)
        : { template: { ...template, due_at: now + pauseAfter(template.attempts, draw) }, event: undefined }
  }
}

const taken = (
  template: TemplateState,
  { category, provider_template_id, rejection_reason, status }: TakenForReview,
  now: number
): TemplateChange => {
  const known: TemplateState = { ...template, provider_template_id, due_at: null, attempts: 0, updated_at: now }
  const decision = status === "submitted" ? null : status
  const notice = { decision, reason: rejection_reason, quality: null, category }
  return afterReport(known, notice, now) ?? { template: known, event: undefined }
}

const rejected = (template: TemplateState, reason: string, now: number): TemplateChange =>
  reviewTemplate(template, "rejected", [...reason].slice(0, longestReason).join(""), now) ?? {
    template,
    event: undefined
  }
