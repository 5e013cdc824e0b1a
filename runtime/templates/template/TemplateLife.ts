import { isSubmittable, type TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import { sandboxTemplateId } from "./SeededTemplates.ts"
import type { ContentChange, TemplateState, TemplateVersion } from "./TemplateState.ts"

/** A decision of a reviewer. */
export type ReviewDecision = "approved" | "rejected" | "paused" | "disabled"

/** A template after a change, and the event of the change. */
export interface TemplateChange {
  readonly template: TemplateState
  /** The event to raise, when the change has one. gaps-2 G "Template and batch events" */
  readonly event: ReviewDecision | undefined
  /** The category before the provider moved the template; undefined when it did not. U-TPL-06 */
  readonly previous_category?: TemplateCategory | undefined
}

/** The duration of a review in a sandbox, in milliseconds. gaps-2 G "Template transitions" */
const sandboxReviewMs = 1000

/**
 * Returns the template after a change by its author, or undefined when it may not be changed: drafts and refused
 * versions change in place; an approved or paused one gets a new draft and stays in use. gaps-2 G "Template routes"
 */
export const editTemplate = (
  template: TemplateState,
  change: ContentChange,
  { now, version_id }: { readonly version_id: string; readonly now: number }
): TemplateState | undefined => {
  const { newest } = template
  const written = {
    category: change.category ?? newest.category,
    parameter_format: change.parameter_format ?? newest.parameter_format,
    components: change.components ?? newest.components
  }
  switch (newest.status) {
    case "draft":
    case "rejected":
      return withVersion(template, { ...newest, ...written }, now)
    case "approved":
    case "paused":
      return {
        ...template,
        newest: {
          ...written,
          id: version_id,
          version: newest.version + 1,
          status: "draft",
          rejection_reason: null,
          submitted_at: null,
          approved_at: null,
          created_at: now,
          updated_at: now
        },
        updated_at: now
      }
    default:
      return undefined
  }
}

/** Returns the template in review, or undefined when no version may be submitted. gaps-2 G "Template routes" */
export const submitTemplate = (
  template: TemplateState,
  { now, trace_id }: { readonly trace_id: string; readonly now: number }
): TemplateState | undefined => {
  const { newest } = template
  if (!isSubmittable(newest.status)) return undefined
  const submitted = { ...newest, status: "submitted", rejection_reason: null, submitted_at: now } as const
  return {
    ...withVersion(template, submitted, now),
    due_at: template.environment === "sandbox" ? now + sandboxReviewMs : now,
    attempts: 0,
    trace_id
  }
}

/** The states of the version in use that each decision about it may follow. U-TPL-07, gaps-2 G "Template transitions" */
const followed: Readonly<Record<ReviewDecision, ReadonlySet<TemplateVersion["status"]>>> = {
  approved: new Set(["paused", "disabled"]),
  rejected: new Set(["approved", "paused", "disabled"]),
  paused: new Set(["approved"]),
  disabled: new Set(["approved", "paused"])
}

/**
 * Returns the template after a decision of the provider, or undefined when the decision changes nothing: it ends the
 * review of the newest version, or concerns the version in use. A late rejection of the version in use counts only
 * while no newer version exists. U-TPL-07, gaps-2 G "Template transitions"
 */
export const reviewTemplate = (
  template: TemplateState,
  decision: ReviewDecision,
  reason: string | null,
  now: number
): TemplateChange | undefined => {
  const { approved, newest } = template
  const moved = (version: TemplateVersion, inUse: TemplateVersion | undefined): TemplateChange => ({
    template: { ...withVersion({ ...template, approved: inUse }, version, now), due_at: null },
    event: decision
  })
  if (newest.status === "submitted" && (decision === "approved" || decision === "rejected")) {
    const reviewed = { ...newest, status: decision, rejection_reason: decision === "rejected" ? reason : null } as const
    if (decision === "rejected") return moved(reviewed, approved)
    const inUse = { ...reviewed, approved_at: now }
    return moved(inUse, inUse)
  }
  if (approved === undefined || !followed[decision].has(approved.status)) return undefined
  const rejection_reason = decision === "approved" ? null : reason
  const decided = { ...approved, status: decision, rejection_reason }
  if (decision === "rejected") return approved.id === newest.id ? moved(decided, undefined) : undefined
  // The review of a newer version continues.
  return { template: withVersion(template, decided, now), event: decision }
}

/**
 * Changes a template as the simulated provider of a sandbox does, from any state. M-TPL-12, gaps-2 G "Template
 * transitions"
 */
export const setTemplateStatus = (
  template: TemplateState,
  status: "rejected" | "paused" | "disabled",
  reason: string | null,
  now: number
): TemplateChange => {
  const { approved, newest } = template
  const set = (version: TemplateVersion): TemplateVersion => ({
    ...version,
    status,
    rejection_reason: reason,
    updated_at: now
  })
  const shown = set(newest)
  const inUse =
    approved === undefined || approved.id === newest.id
      ? status === "rejected" || approved === undefined
        ? undefined
        : shown
      : status === "rejected"
        ? approved
        : set(approved)
  return { template: { ...template, newest: shown, approved: inUse, due_at: null, updated_at: now }, event: status }
}

/**
 * Returns the sandbox's template after its simulated review: approved, or no longer due where it is not in review.
 * gaps-2 G "Template transitions"
 */
export const approveInSandbox = (template: TemplateState, now: number): TemplateChange => {
  const known = { ...template, provider_template_id: sandboxTemplateId(template.id) }
  return reviewTemplate(known, "approved", null, now) ?? { template: { ...template, due_at: null }, event: undefined }
}

/**
 * Returns the deleted template. It is due where the provider has it or may have it: a submission under way decides when
 * it ends what must be removed there.
 */
export const removeTemplate = (template: TemplateState, now: number): TemplateState => {
  const { attempts, environment, newest, provider_template_id } = template
  const isAtProvider = provider_template_id !== null || (newest.status === "submitted" && attempts > 0)
  const due_at = environment === "production" && isAtProvider ? now : null
  return { ...template, deleted_at: now, updated_at: now, due_at, attempts: 0 }
}

/** Returns a template that its provider no longer has; there is no event. gaps-2 G "Template transitions" */
export const orphanTemplate = (template: TemplateState, now: number): TemplateChange => {
  const orphaned = (version: TemplateVersion): TemplateVersion => ({ ...version, status: "orphaned", updated_at: now })
  const { approved, newest } = template
  const shown = orphaned(newest)
  const inUse = approved === undefined ? undefined : approved.id === newest.id ? shown : orphaned(approved)
  return { template: { ...template, newest: shown, approved: inUse, due_at: null, updated_at: now }, event: undefined }
}

/** The states of a version that the provider has, so that its category is the provider's. */
const atProvider: ReadonlySet<TemplateVersion["status"]> = new Set(["submitted", "approved", "paused", "disabled"])

/**
 * Returns the template in the category that the provider gives it, or undefined when that changes nothing. The provider
 * has one category for all versions that it knows; a draft, a rejected version and one that is just being submitted keep
 * the author's. U-TPL-06
 */
export const recategorizeTemplate = (
  template: TemplateState,
  category: TemplateCategory,
  now: number
): (TemplateChange & { readonly previous_category: TemplateCategory }) | undefined => {
  const { approved, due_at, newest } = template
  const isMoved = (version: TemplateVersion | undefined): version is TemplateVersion =>
    version !== undefined &&
    version.category !== category &&
    atProvider.has(version.status) &&
    (version.status !== "submitted" || due_at === null)
  const versions = approved === newest ? [newest] : [approved, newest]
  const [first, second] = versions.filter(isMoved)
  if (first === undefined) return undefined
  const once = withVersion(template, { ...first, category }, now)
  const moved = second === undefined ? once : withVersion(once, { ...second, category }, now)
  return { template: moved, event: undefined, previous_category: first.category }
}

/** Returns the versions that differ between two states of one template. */
export const changedVersions = (before: TemplateState, after: TemplateState): ReadonlyArray<TemplateVersion> => {
  const known = new Set<TemplateVersion | undefined>([before.newest, before.approved])
  const held =
    after.approved === undefined || after.approved === after.newest ? [after.newest] : [after.newest, after.approved]
  return held.filter((version) => !known.has(version))
}

/** Returns the template with one of its versions replaced in every place. */
const withVersion = (template: TemplateState, changed: TemplateVersion, now: number): TemplateState => {
  const version = { ...changed, updated_at: now }
  return {
    ...template,
    newest: template.newest.id === version.id ? version : template.newest,
    approved: template.approved?.id === version.id ? version : template.approved,
    updated_at: now
  }
}
