import type { ProviderTemplate } from "@carteiro/provider/TemplateProvider.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import { isSameContent } from "../template/SameContent.ts"
import {
  orphanTemplate,
  type ReviewDecision,
  recategorizeTemplate,
  reviewTemplate,
  type TemplateChange
} from "../template/TemplateLife.ts"
import type { TemplateState } from "../template/TemplateState.ts"

/**
 * The interval between two comparisons of an environment with its provider, and the pause after a failed one, in
 * milliseconds.
 */
export const syncEveryMs = hourMs
export const syncAgainMs = 300_000

/**
 * Returns the change that a complete list of the provider's templates makes to one of ours, or undefined without a
 * change: its id, its quality, a decision whose notice was lost, or that the provider no longer has it. A template that
 * changed since the list was begun waits for the next one. gaps-2 G "Template transitions"
 */
export const afterListing = (
  template: TemplateState,
  listed: ReadonlyArray<ProviderTemplate>,
  { now, since }: { readonly since: number; readonly now: number }
): TemplateChange | undefined => {
  const { newest } = template
  const isKnown = template.provider_template_id !== null
  if (template.due_at !== null || template.updated_at > since || newest.status === "orphaned") return undefined
  if (!isKnown && template.approved === undefined && newest.status !== "submitted") return undefined
  const found =
    listed.find(({ provider_template_id }) => provider_template_id === template.provider_template_id) ??
    listed.find(({ language, name }) => name === template.name && language === template.language)
  if (found === undefined) return isKnown ? orphanTemplate(template, now) : undefined
  const { category, quality, rejection_reason, status } = found
  const known = { ...underAppeal(template, found), provider_template_id: found.provider_template_id }
  const decision = status === null || status === "submitted" ? null : status
  return (
    afterReport(known, { decision, reason: rejection_reason, quality, category }, now) ??
    (known.provider_template_id === template.provider_template_id ? undefined : { template: known, event: undefined })
  )
}

/**
 * Returns a rejected template as submitted where the provider has approved just that content since, after an appeal;
 * else the template as it is. U-TPL-07
 */
const underAppeal = (template: TemplateState, { content, status }: ProviderTemplate): TemplateState => {
  const { approved, newest } = template
  const isApproved = status === "approved" && newest.status === "rejected" && approved === undefined
  return isApproved && content !== null && isSameContent(content.components, newest.components)
    ? { ...template, newest: { ...newest, status: "submitted" } }
    : template
}

/** A notice of the provider about one template: a decision, a rating, or both. */
export interface ReviewNotice {
  readonly provider_template_id: string | null
  readonly decision: ReviewDecision | null
  readonly reason: string | null
  readonly quality: TemplateState["provider_quality"] | null
  /** True when the provider deletes the template. U-TPL-07 */
  readonly orphaned?: boolean
  /** The category that the provider gives the template. U-TPL-06 */
  readonly category?: TemplateCategory | null
}

/**
 * Returns the change that a notice of the provider makes, or undefined without a change. A template without a provider's
 * id takes the one that the notice names, with the next change. gaps-2 G "Template transitions"
 */
export const afterNotice = (template: TemplateState, notice: ReviewNotice, now: number): TemplateChange | undefined => {
  if (notice.orphaned === true) return isDeletionOf(template, notice) ? orphanTemplate(template, now) : undefined
  const provider_template_id = template.provider_template_id ?? notice.provider_template_id
  return afterReport({ ...template, provider_template_id }, notice, now)
}

/** Returns the template after what the provider says of it, or undefined when that says nothing new. */
export const afterReport = (
  template: TemplateState,
  { category, decision, quality, reason }: Omit<ReviewNotice, "provider_template_id">,
  now: number
): TemplateChange | undefined => {
  const rated = ratedTemplate(template, quality, now)
  const decided = decision === null ? undefined : reviewTemplate(rated, decision, reason, now)
  const reviewed = decided?.template ?? rated
  const recategorized = category == null ? undefined : recategorizeTemplate(reviewed, category, now)
  if (recategorized !== undefined) return { ...recategorized, event: decided?.event }
  return decided ?? (rated === template ? undefined : { template: rated, event: undefined })
}

/** A deletion may concern an earlier template of the same name: one without the provider's id is never meant. */
const isDeletionOf = ({ newest, provider_template_id }: TemplateState, notice: ReviewNotice): boolean =>
  newest.status !== "orphaned" &&
  provider_template_id !== null &&
  (notice.provider_template_id ?? provider_template_id) === provider_template_id

/** Returns the template with the provider's rating, if there is one. M-TPL-09 */
const ratedTemplate = (
  template: TemplateState,
  provider_quality: TemplateState["provider_quality"] | null,
  now: number
): TemplateState =>
  provider_quality === null || template.provider_quality === provider_quality
    ? template
    : { ...template, provider_quality, updated_at: now }
