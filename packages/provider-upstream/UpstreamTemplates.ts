import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { ProviderTemplate, ReviewStatus, TemplateProvider } from "@carteiro/provider/TemplateProvider.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, memberOf, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { listedContent } from "./UpstreamTemplateContent.ts"
import { submittedComponents } from "./UpstreamTemplateForm.ts"
import { uploadExample } from "./UpstreamUploads.ts"

/** The state of a template at the platform; orphaned for one that is being deleted there. */
type PlatformStatus = ReviewStatus | "orphaned"

/** The platform's words for a template, in lists and notices. U-TPL-07, gaps-2 G "Template transitions" */
const statuses: ReadonlyMap<string, PlatformStatus> = new Map([
  ["PENDING", "submitted"],
  ["IN_APPEAL", "submitted"],
  ["APPROVED", "approved"],
  // The platform only warns: the template may still be sent.
  ["FLAGGED", "approved"],
  ["REINSTATED", "approved"],
  ["UNPAUSED", "approved"],
  ["UNARCHIVED", "approved"],
  ["REJECTED", "rejected"],
  ["LIMIT_EXCEEDED", "rejected"],
  ["PAUSED", "paused"],
  ["LOCKED", "paused"],
  ["DISABLED", "disabled"],
  ["ARCHIVED", "disabled"],
  ["PENDING_DELETION", "orphaned"],
  ["DELETED", "orphaned"]
])

/** Returns the state of a template; undefined for an unknown word. */
export const reviewStatus = (word: unknown): PlatformStatus | undefined => statuses.get(String(word).toUpperCase())

/** The words that are their own reason. */
const tellingWords: ReadonlySet<string> = new Set(["LIMIT_EXCEEDED", "ARCHIVED", "LOCKED"])

/** Returns the reason of a state: the platform's own, else the word itself where the word says more than the state. */
export const statusReason = (word: unknown, reason: unknown): string | null => {
  const name = String(word).toUpperCase()
  return reasonOf(reason) ?? (tellingWords.has(name) ? name : null)
}

/** Returns the quality for the platform's word. U-TPL-09 */
export const qualityOf = (word: unknown): NonNullable<ProviderTemplate["quality"]> => {
  const quality = String(word).toLowerCase()
  return quality === "green" || quality === "yellow" || quality === "red" ? quality : "unknown"
}

/** Returns a reason, or null for the platform's text for none. */
export const reasonOf = (reason: unknown): string | null =>
  typeof reason === "string" && reason !== "" && reason !== "NONE" ? reason : null

/** Returns the category for the platform's word; null for any other word. */
export const categoryOf = (word: unknown): ProviderTemplate["category"] => {
  const category = String(word).toLowerCase()
  return category === "marketing" || category === "utility" || category === "authentication" ? category : null
}

const pageSize = "100"

/** The members that a list must name: its answer may leave out any other one. U-TPL-05 */
const listedFields = "id,name,language,status,category,quality_score,rejected_reason,components"

/** Templates of one account: `/{biz_account_id}/message_templates`. vendor-wires "upstream" */
export const upstreamTemplates = (
  calls: UpstreamCalls,
  { biz_account_id, token }: PlatformAccount,
  appId: string | undefined
): TemplateProvider => {
  const path = `/${encodeURIComponent(biz_account_id)}/message_templates`
  return {
    submit: ({ category, components, language, name, parameter_format }) =>
      Effect.map(
        calls.call({
          method: "POST",
          path,
          token,
          json: {
            name,
            language,
            category: category.toUpperCase(),
            parameter_format,
            components: submittedComponents(components)
          }
        }),
        (result) =>
          callAnswer(result, (json) =>
            Option.map(idOf(json), (provider_template_id) => ({
              provider_template_id,
              status: livingStatus(memberOf(json, "status")) ?? "submitted",
              category: categoryOf(memberOf(json, "category"))
            }))
          )
      ),
    change: (provider_template_id, { category, components, parameter_format }) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: `/${encodeURIComponent(provider_template_id)}`,
          token,
          json: { category: category.toUpperCase(), parameter_format, components: submittedComponents(components) }
        }),
        (result) => callAnswer(result, succeeded)
      ),
    uploadExample: (file) => uploadExample(calls, appId, token, file),
    remove: (name, provider_template_id) =>
      Effect.map(
        calls.call({
          method: "DELETE",
          path,
          token,
          query: { name, hsm_id: provider_template_id }
        }),
        (result) => callAnswer(result, succeeded)
      ),
    list: (after, name) =>
      Effect.map(
        calls.call({
          method: "GET",
          path,
          token,
          query: {
            fields: listedFields,
            limit: pageSize,
            ...(after === undefined ? undefined : { after }),
            ...(name === undefined ? undefined : { name })
          }
        }),
        (result) =>
          callAnswer(result, (json) => {
            const data = memberOf(json, "data")
            if (!Array.isArray(data)) return Option.none()
            // A page with an unreadable item proves nothing about templates that it does not show.
            const readable = data.flatMap((item) => templateOf(item) ?? [])
            if (readable.length < data.length) return Option.none()
            const templates = readable.filter((_, index) => !isDeleted(data[index]))
            const paging = memberOf(json, "paging")
            const next = memberOf(memberOf(paging, "cursors"), "after")
            return Option.some({
              templates,
              next: memberOf(paging, "next") !== undefined && typeof next === "string" ? next : undefined
            })
          })
      )
  }
}

/** Returns the quality of a listed template: a score with its day, or the word alone; null when none is named. U-TPL-09 */
const listedQuality = (score: unknown): ProviderTemplate["quality"] => {
  const word = typeof score === "string" ? score : memberOf(score, "score")
  return word === undefined || word === null ? null : qualityOf(word)
}

/** The platform lists a template for a while after its deletion. U-TPL-07 */
const isDeleted = (item: unknown): boolean => reviewStatus(memberOf(item, "status")) === "orphaned"

const livingStatus = (word: unknown): ReviewStatus | null => {
  const status = reviewStatus(word)
  return status === undefined || status === "orphaned" ? null : status
}

const templateOf = (item: unknown): ProviderTemplate | undefined => {
  const provider_template_id = Option.getOrUndefined(idOf(item))
  const [name, language] = [memberOf(item, "name"), memberOf(item, "language")]
  const status = memberOf(item, "status")
  if (provider_template_id === undefined || typeof name !== "string" || typeof language !== "string") return undefined
  const category = categoryOf(memberOf(item, "category"))
  return {
    provider_template_id,
    name,
    language,
    status: livingStatus(status),
    category,
    rejection_reason: statusReason(status, memberOf(item, "rejected_reason")),
    quality: listedQuality(memberOf(item, "quality_score")),
    content: listedContent(memberOf(item, "components"), category)
  }
}
