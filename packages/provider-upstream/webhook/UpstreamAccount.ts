import type { AccountNotice } from "@carteiro/provider/ChatNotices.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { flowStatus } from "../UpstreamFlows.ts"
import { categoryOf, qualityOf, reasonOf, reviewStatus, statusReason } from "../UpstreamTemplates.ts"
import { instantOf, numberOf, textOf } from "./UpstreamValues.ts"

/**
 * Returns the notice about a business account in one field of a webhook; `at` is the time of its entry. vendor-wires
 * "upstream", gaps-2 E
 */
export const accountNotice = (field: string, value: unknown, at: number | null): AccountNotice => {
  switch (field) {
    case "message_template_status_update": {
      const { event, ...template } = templateOf(value)
      return {
        kind: "template_status",
        ...template,
        status: reviewStatus(event),
        reason: statusReason(event, memberOf(value, "reason"))
      }
    }
    case "message_template_quality_update": {
      const { event: _, ...template } = templateOf(value)
      const score = textOf(memberOf(value, "new_quality_score"))
      return score === null
        ? { kind: "other", field, value }
        : { kind: "template_quality", ...template, quality: qualityOf(score) }
    }
    // The announcement of a change names the present category, and changes nothing until the day comes.
    case "template_category_update": {
      const { event: _, ...template } = templateOf(value)
      const category = categoryOf(memberOf(value, "new_category"))
      return category === null ? { kind: "other", field, value } : { kind: "template_category", ...template, category }
    }
    case "phone_number_quality_update":
      return qualityOfPhone(value)
    case "business_capability_update": {
      const limit = limitOf(value)
      const messaging_limit_tier = limit ?? tierOf(memberOf(value, "max_daily_conversation_per_phone"))
      return messaging_limit_tier === null
        ? { kind: "other", field, value }
        : { kind: "account_limit", messaging_limit_tier, is_portfolio_limit: limit !== null }
    }
    case "phone_number_name_update":
      return {
        kind: "phone_name",
        display_phone_number: textOf(memberOf(value, "display_phone_number")) ?? "",
        decision: decisionOf(memberOf(value, "decision")),
        name: textOf(memberOf(value, "requested_verified_name")) ?? "",
        reason: reasonOf(memberOf(value, "rejection_reason"))
      }
    case "account_update":
    case "account_review_update":
      return accountOf(value, at)
    case "flows": {
      const provider_flow_id = textOf(memberOf(value, "flow_id"))
      return provider_flow_id === null
        ? { kind: "other", field, value }
        : { kind: "flow_status", provider_flow_id, status: flowStatus(memberOf(value, "new_status")) }
    }
    default:
      return { kind: "other", field, value }
  }
}

const templateOf = (value: unknown) => {
  const id = memberOf(value, "message_template_id")
  return {
    provider_template_id: typeof id === "number" ? String(id) : textOf(id),
    name: textOf(memberOf(value, "message_template_name")) ?? "",
    // Webhooks write `pt-BR`, lists `pt_BR`.
    language: (textOf(memberOf(value, "message_template_language")) ?? "").replace("-", "_"),
    event: textOf(memberOf(value, "event"))
  }
}

/** A flagged number is of low quality; a number that is no longer flagged has recovered. */
const qualityWord = (event: unknown, rating: unknown): "green" | "yellow" | "red" | undefined => {
  const quality = qualityOf(rating)
  if (quality !== "unknown") return quality
  return event === "FLAGGED" ? "red" : event === "UNFLAGGED" ? "green" : undefined
}

/** The event of a higher throughput carries a limit that is none of the number's. U-LIM-02 */
const qualityOfPhone = (value: unknown): AccountNotice => {
  const event = memberOf(value, "event")
  const isFaster = event === "THROUGHPUT_UPGRADE"
  const limit = isFaster ? null : limitOf(value)
  return {
    kind: "phone_quality",
    display_phone_number: textOf(memberOf(value, "display_phone_number")) ?? "",
    messaging_limit_tier: isFaster ? null : (limit ?? textOf(memberOf(value, "current_limit"))),
    is_portfolio_limit: limit !== null,
    throughput_tier: isFaster ? "unlimited" : null,
    quality: qualityWord(event, memberOf(value, "quality_rating"))
  }
}

/** Returns the daily limit of the business by the name of its tier; null where it is not told. */
const limitOf = (value: unknown): string | null => tierOf(memberOf(value, "max_daily_conversations_per_business"))

/** The tiers by their recipients a day, the largest first. */
const tiers = [
  [100_000, "TIER_100K"],
  [10_000, "TIER_10K"],
  [2_000, "TIER_2K"],
  [1_000, "TIER_1K"],
  [250, "TIER_250"],
  [50, "TIER_50"]
] as const

/** Returns the tier of a word or of a number of recipients: -1 is unlimited, and any other number the tier below it. */
const tierOf = (limit: unknown): string | null => {
  const count = numberOf(limit)
  if (count === undefined) return textOf(limit)
  return count === -1 ? "TIER_UNLIMITED" : (tiers.find(([most]) => count >= most)?.[1] ?? null)
}

const decisionOf = (word: unknown): "approved" | "declined" | "pending" => {
  const decision = String(word).toUpperCase()
  if (decision === "APPROVED") return "approved"
  return decision === "REJECTED" || decision === "DECLINED" ? "declined" : "pending"
}

const accountOf = (value: unknown, at: number | null): AccountNotice => {
  const ban = memberOf(value, "ban_info")
  const state = textOf(memberOf(ban, "waba_ban_state")) ?? textOf(memberOf(ban, "biz_account_ban_state"))
  const date = memberOf(ban, "waba_ban_date") ?? memberOf(ban, "biz_account_ban_date")
  const restrictions = memberOf(value, "restriction_info")
  const capability = memberOf(value, "send_capability")
  return {
    kind: "account",
    at,
    event: textOf(memberOf(value, "event")) ?? "",
    ban: state === null ? null : { state, date: dateOf(date) },
    violation: textOf(memberOf(memberOf(value, "violation_info"), "violation_type")),
    restrictions: Array.isArray(restrictions) ? restrictions.map(restrictionOf) : null,
    review: textOf(memberOf(value, "decision")),
    capability:
      capability === "available" || capability === "blocked"
        ? {
            send_capability: capability,
            send_block_codes: listOf(memberOf(value, "send_block_codes")).map(String)
          }
        : null
  }
}

const restrictionOf = (restriction: unknown) => ({
  type: textOf(memberOf(restriction, "restriction_type")) ?? "",
  expires_at: dateOf(memberOf(restriction, "expiration"))
})

/** An instant in seconds, or a date as people write it: by UTC, unless it names its zone. */
const dateOf = (value: unknown): number | null => {
  const text = typeof value === "string" ? value : ""
  const utc = Date.parse(`${text} UTC`)
  const written = Number.isNaN(utc) ? Date.parse(text) : utc
  return instantOf(value) ?? instantOf(written / 1000)
}
