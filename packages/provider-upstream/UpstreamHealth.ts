import type { PlatformNumber } from "@carteiro/provider/ChatPlatform.ts"
import type { NumberHealth, NumberHealthProvider } from "@carteiro/provider/NumberHealth.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, memberOf } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { qualityOf } from "./UpstreamTemplates.ts"

/** The portfolio's limit, which replaced the number's own. U-LIM-01 */
const portfolioLimit = "whatsapp_business_manager_messaging_limit"

const fields = `id,verified_name,quality_rating,${portfolioLimit},messaging_limit_tier,throughput,name_status,new_name_status,new_display_name,platform_type,is_on_biz_app`

/** Reads the platform's facts about one number: `GET /{upstream_phone_number_id}?fields=`. gaps-2 K "Health sweep" */
export const upstreamHealth = (
  calls: UpstreamCalls,
  { token, upstream_phone_number_id }: PlatformNumber
): NumberHealthProvider => ({
  read: Effect.map(
    calls.call({ method: "GET", path: `/${encodeURIComponent(upstream_phone_number_id)}`, token, query: { fields } }),
    (result) => callAnswer(result, (json) => Option.map(idOf(json), () => healthOf(json)))
  )
})

const healthOf = (json: unknown): NumberHealth => ({
  verified_name: text(json, "verified_name"),
  quality_rating: qualityOf(memberOf(json, "quality_rating")),
  upstream_quality_rating: text(json, "quality_rating"),
  // An older platform answers the number's own limit alone.
  messaging_limit_tier: text(json, portfolioLimit) ?? text(json, "messaging_limit_tier"),
  is_portfolio_limit: text(json, portfolioLimit) !== null,
  upstream_throughput_tier: throughputTier(memberOf(memberOf(json, "throughput"), "level")),
  pending_name: text(json, "new_display_name"),
  name_status: text(json, "name_status"),
  is_registered: registrationOf(text(json, "platform_type")),
  is_on_phone_app: memberOf(json, "is_on_biz_app") === true
})

/** Returns whether a number can be used by the platform's API; null when the platform does not tell. U-CON-03 */
const registrationOf = (platformType: string | null): boolean | null =>
  platformType === null ? null : platformType === "CLOUD_API"

const text = (json: unknown, name: string): string | null => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" ? value : null
}

/** Returns the tier for the platform's level of messages a second: 80 is standard, 1000 the highest. gaps-2 D */
const throughputTier = (level: unknown): NumberHealth["upstream_throughput_tier"] => {
  switch (String(level).toUpperCase()) {
    case "LOW":
      return "1"
    case "STANDARD":
      return "2"
    case "HIGH":
      return "unlimited"
    default:
      return null
  }
}
