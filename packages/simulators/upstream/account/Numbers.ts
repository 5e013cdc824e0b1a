import { type Answered, type Call, ok } from "../../kit/Routes.ts"
import type { SimNumber, World } from "../World.ts"

/** Returns the daily limit of a number's portfolio; `TIER_1K` was the word for the first step until 2025. */
const portfolioLimit = ({ messaging_limit_tier }: SimNumber): string =>
  messaging_limit_tier === "TIER_1K" ? "TIER_2K" : messaging_limit_tier

/** `GET /{phone_number_id}?fields=`. U-LIM-01 */
export const describeNumber = (number: SimNumber, { query }: Call): Answered => {
  const asked = (query.get("fields") ?? "").split(",")
  return ok({
    id: number.id,
    display_phone_number: number.display_phone_number,
    verified_name: number.verified_name,
    code_verification_status: number.code_verification_status,
    quality_rating: number.quality_rating,
    messaging_limit_tier: number.messaging_limit_tier,
    ...(asked.includes("whatsapp_business_manager_messaging_limit")
      ? { whatsapp_business_manager_messaging_limit: portfolioLimit(number) }
      : {}),
    throughput: { level: number.throughput },
    status: number.status,
    name_status: number.name_status,
    platform_type: number.platform_type,
    is_on_biz_app: number.is_on_biz_app,
    is_official_business_account: number.is_official_business_account
  })
}

/** `GET /{account}/phone_numbers`. */
export const listNumbers = (world: World, biz_account_id: string): Answered =>
  ok({
    data: [...world.numbers.values()]
      .filter((number) => number.biz_account_id === biz_account_id)
      .map(({ code_verification_status, display_phone_number, id, platform_type, status, verified_name }) => ({
        id,
        display_phone_number,
        verified_name,
        code_verification_status,
        platform_type,
        status
      }))
  })
