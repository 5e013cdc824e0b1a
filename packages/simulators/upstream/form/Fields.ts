import type { Call, SimulatedAnswer } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"

/** Fields that a number has at the platform beside those that a simulated one answers. */
const ofNumbers: ReadonlySet<string> = new Set([
  "account_mode",
  "certificate",
  "conversational_automation",
  "eligibility_for_api_business_global_search",
  "health_status",
  "host_platform",
  "is_pin_enabled",
  "is_preverified_number",
  "last_onboarded_time",
  "messaging_limit_tier",
  "new_certificate",
  "new_display_name",
  "new_name_status",
  "quality_score",
  "search_visibility",
  "username",
  "webhook_configuration"
])

const ofAccounts: ReadonlySet<string> = new Set([
  "business_verification_status",
  "country",
  "currency",
  "is_enabled_for_insights",
  "marketing_messages_lite_api_status",
  "message_template_namespace",
  "on_behalf_of_business_info",
  "owner_business_info",
  "ownership_type",
  "primary_business_location",
  "primary_funding_id",
  "purchase_order_number",
  "status",
  "timezone_id",
  "whatsapp_business_manager_messaging_limit"
])

const nodes = {
  WhatsAppBusinessPhoneNumber: ofNumbers,
  WhatsAppBusinessAccount: ofAccounts
} as const

/** Returns the names in `fields`, without those of their members. */
const namesOf = (fields: string): ReadonlyArray<string> =>
  fields
    .replaceAll(/\{[^{}]*\}|\.[a-z]+\([^()]*\)/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/**
 * Answers the fields that a read names, or the usual ones; a field that the node does not have is refused. A known
 * field without a value is left out.
 */
export const fieldsOf = (
  { query }: Call,
  node: keyof typeof nodes,
  all: Readonly<Record<string, unknown>>,
  usual: ReadonlyArray<string>
): SimulatedAnswer => {
  const asked = query.get("fields")
  const names = asked === null ? usual : namesOf(asked)
  const unknown = names.find((name) => !(name in all) && !nodes[node].has(name))
  if (unknown !== undefined) {
    return vendorError(100, `Tried accessing nonexisting field (${unknown}) on node type (${node})`)
  }
  const shown = new Set([...names, "id"])
  return { status: 200, body: Object.fromEntries(Object.entries(all).filter(([name]) => shown.has(name))) }
}
