import type { World } from "../World.ts"

type Value = Readonly<Record<string, unknown>>

/** A notice about an account, as `POST /notices` describes it. */
interface Notice {
  readonly field: string
  readonly value: Value
  /** The id of the webhook's entry: the account's, or that of the portfolio that the account left. */
  readonly entry: string
}

const day = (world: World): string =>
  new Date(world.options.now()).toLocaleDateString("en-US", {
    month: "long",
    day: "numeric",
    year: "numeric",
    timeZone: "UTC"
  })

/** Details of `account_update`, by its event. U-ACC-01 */
const accountDetails = (world: World, account: string, event: unknown): Value => {
  const { id: owner_business_id } = world.portfolioOf(account)
  const waba_info = { waba_id: account, owner_business_id }
  const details: Readonly<Record<string, Value>> = {
    DISABLED_UPDATE: { ban_info: { waba_ban_state: "DISABLE", waba_ban_date: day(world) } },
    ACCOUNT_VIOLATION: { violation_info: { violation_type: "SCAM" } },
    ACCOUNT_RESTRICTION: {
      restriction_info: [
        {
          restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING",
          expiration: String(Math.floor(world.options.now() / 1000) + 86_400)
        }
      ]
    },
    PARTNER_ADDED: { waba_info },
    PARTNER_REMOVED: { waba_info },
    PARTNER_APP_INSTALLED: { waba_info: { ...waba_info, partner_app_id: world.options.appId } },
    PARTNER_APP_UNINSTALLED: { waba_info: { ...waba_info, partner_app_id: world.options.appId } },
    BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE: { country: "BR" }
  }
  return details[String(event)] ?? {}
}

/** Values of the other fields before the caller's own members. U-LIM-02, U-ACC-02 */
const standards = (world: World, account: string): Readonly<Record<string, Value>> => {
  const number = [...world.numbers.values()].find(({ biz_account_id }) => biz_account_id === account)
  const display_phone_number = (number?.display_phone_number ?? "").replace(/\D/g, "")
  return {
    account_alerts: {
      entity_type: "BUSINESS",
      entity_id: world.portfolioOf(account).id,
      alert_info: {
        alert_severity: "INFORMATIONAL",
        alert_status: "NONE",
        alert_type: "OBA_APPROVED",
        alert_description: "Your official business account was approved."
      }
    },
    account_review_update: { decision: "APPROVED" },
    business_capability_update: {
      max_daily_conversations_per_business: "TIER_10K",
      max_phone_numbers_per_business: 25,
      max_daily_conversation_per_phone: 10_000,
      max_phone_numbers_per_waba: 25
    },
    payment_configuration_update: {
      configuration_name: "default",
      provider_name: "payments",
      provider_mid: "1",
      status: "Active",
      created_timestamp: Math.floor(world.options.now() / 1000),
      updated_timestamp: Math.floor(world.options.now() / 1000)
    },
    phone_number_name_update: {
      display_phone_number,
      decision: "APPROVED",
      requested_verified_name: number?.verified_name ?? "Demo",
      rejection_reason: "NONE"
    },
    phone_number_quality_update: {
      display_phone_number,
      event: "UPGRADE",
      max_daily_conversations_per_business: "TIER_10K"
    },
    security: { display_phone_number, event: "PIN_CHANGED", requester: "122100000000000001" }
  }
}

/** Returns a notice about an account: the field's usual value with the caller's members in it; undefined without one. */
export const accountNotice = (world: World, account: string, field: string, members: Value): Notice | undefined => {
  if (field !== "account_update") {
    const standard = standards(world, account)[field]
    return standard === undefined ? undefined : { field, entry: account, value: { ...standard, ...members } }
  }
  const { event = "VERIFIED_ACCOUNT" } = members
  const value = { event, ...accountDetails(world, account, event), ...members }
  // The platform tells partners about clients in an entry of the portfolio, where `waba_info` names the account.
  return { field, value, entry: String(event).startsWith("PARTNER_") ? world.portfolioOf(account).id : account }
}
