import type { ProviderTemplate } from "@carteiro/provider/TemplateProvider.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Moved, orphanTemplate, type ReviewDecision, reviewTemplate } from "../template/TemplateLife.ts"
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
): Moved | undefined => {
  const { newest } = template
  const isKnown = template.provider_template_id !== null
  if (template.due_at !== null || template.updated_at > since || newest.status === "orphaned") return undefined
  if (!isKnown && template.approved === undefined && newest.status !== "submitted") return undefined
  const found =
    listed.find(({ provider_template_id }) => provider_template_id === template.provider_template_id) ??
    listed.find(({ language, name }) => name === template.name && language === template.language)
  if (found === undefined) return isKnown ? orphanTemplate(template, now) : undefined
  const known = rated({ ...template, provider_template_id: found.provider_template_id }, found.quality, now)
  const decided =
    found.status === null || found.status === "submitted"
      ? undefined
      : reviewTemplate(known, found.status, found.rejection_reason, now)
  if (decided !== undefined) return decided
  const isSame =
    template.provider_template_id === known.provider_template_id && template.provider_quality === known.provider_quality
  return isSame ? undefined : { template: known, event: undefined }
}

/** A notice of the provider about one template: a decision, a rating, or both. */
export interface ReviewNotice {
  readonly provider_template_id: string | null
  readonly decision: ReviewDecision | null
  readonly reason: string | null
  readonly quality: TemplateState["provider_quality"] | null
  /** True when the provider deletes the template. U-TPL-07 */
  readonly orphaned?: boolean
}

/**
 * Returns the change that a notice of the provider makes, or undefined without a change. A template without a provider's
 * id takes the one that the notice names, with the next change. gaps-2 G "Template transitions"
 */
export const afterNotice = (template: TemplateState, notice: ReviewNotice, now: number): Moved | undefined => {
  const { decision, quality, reason } = notice
  if (notice.orphaned === true) return isDeletionOf(template, notice) ? orphanTemplate(template, now) : undefined
  const provider_template_id = template.provider_template_id ?? notice.provider_template_id
  const adopted = { ...template, provider_template_id }
  const known = rated(adopted, quality, now)
  const decided = decision === null ? undefined : reviewTemplate(known, decision, reason, now)
  if (decided !== undefined) return decided
  return known.provider_quality === template.provider_quality ? undefined : { template: known, event: undefined }
}

/** A deletion may concern an earlier template of the same name: one without the provider's id is never meant. */
const isDeletionOf = ({ newest, provider_template_id }: TemplateState, notice: ReviewNotice): boolean =>
  newest.status !== "orphaned" &&
  provider_template_id !== null &&
  (notice.provider_template_id ?? provider_template_id) === provider_template_id

/** Returns the template with the provider's rating, if there is one. M-TPL-09 */
const rated = (
  template: TemplateState,
  provider_quality: TemplateState["provider_quality"] | null,
  now: number
): TemplateState =>
  provider_quality === null || template.provider_quality === provider_quality
    ? template
    : { ...template, provider_quality, updated_at: now }
