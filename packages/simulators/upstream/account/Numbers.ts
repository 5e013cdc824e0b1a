import { type Call, ok, type SimulatedAnswer } from "../../kit/Routes.ts"
import { fieldsOf } from "../form/Fields.ts"
import type { SimNumber, World } from "../World.ts"

/** Returns the daily limit of a number's portfolio; `TIER_1K` was the word for the first step until 2025. */
const portfolioLimit = ({ messaging_limit_tier }: SimNumber): string =>
  messaging_limit_tier === "TIER_1K" ? "TIER_2K" : messaging_limit_tier

const factsOf = (number: SimNumber) => ({
  id: number.id,
  display_phone_number: number.display_phone_number,
  verified_name: number.verified_name,
  code_verification_status: number.code_verification_status,
  quality_rating: number.quality_rating,
  // The platform has the limit at the portfolio since October 2025, and answers the old field no more. U-LIM-01
  whatsapp_business_manager_messaging_limit: portfolioLimit(number),
  throughput: { level: number.throughput },
  status: number.status,
  name_status: number.name_status,
  platform_type: number.platform_type,
  is_on_biz_app: number.is_on_biz_app,
  is_official_business_account: number.is_official_business_account
})

/** What a read without `fields` answers. */
const usual = [
  "verified_name",
  "code_verification_status",
  "display_phone_number",
  "quality_rating",
  "platform_type",
  "throughput"
]

/** `GET /{phone_number_id}?fields=`. U-LIM-01 */
export const describeNumber = (number: SimNumber, call: Call): SimulatedAnswer =>
  fieldsOf(call, "WhatsAppBusinessPhoneNumber", factsOf(number), usual)

/** `GET /{account}/phone_numbers?fields=`. */
export const listNumbers = (world: World, biz_account_id: string, call: Call): SimulatedAnswer => {
  const numbers = [...world.numbers.values()].filter((number) => number.biz_account_id === biz_account_id)
  const answers = numbers.map((number) => describeNumber(number, call))
  const refused = answers.find(({ status }) => status !== 200)
  const paging = numbers.length === 0 ? {} : { paging: { cursors: { before: "MAZDZD", after: "MjQZD" } } }
  return refused ?? ok({ data: answers.map(({ body }) => body), ...paging })
}
