import type { TelnyxNumber, TelnyxOrder } from "./TelnyxAccount.ts"

const instant = (millis: number): string => new Date(millis).toISOString()

/** Returns a number that can be ordered. */
export const availableView = ({ phoneNumber, sms }: Pick<TelnyxNumber, "phoneNumber" | "sms">): object => ({
  record_type: "available_phone_number",
  phone_number: phoneNumber,
  vanity_format: null,
  best_effort: false,
  quickship: false,
  reservable: true,
  region_information: [{ region_type: "country_code", region_name: "BR" }],
  cost_information: { upfront_cost: "1.00000", monthly_cost: "3.50000", currency: "USD" },
  features: (sms ? ["sms", "voice"] : ["voice"]).map((name) => ({ name }))
})

/** Returns an order as `NumberOrderWithPhoneNumbers`. */
export const orderView = (order: TelnyxOrder): object => ({
  id: order.id,
  record_type: "number_order",
  phone_numbers_count: order.phoneNumbers.length,
  connection_id: order.connectionId,
  messaging_profile_id: order.messagingProfileId,
  billing_group_id: null,
  phone_numbers: order.phoneNumbers.map(({ id, phoneNumber }) => ({
    id,
    record_type: "number_order_phone_number",
    phone_number: phoneNumber,
    bundle_id: null,
    country_code: "BR",
    country_iso_alpha2: "BR",
    phone_number_type: "local",
    regulatory_requirements: [],
    requirements_met: true,
    requirements_status: "approved",
    status: order.status
  })),
  sub_number_orders_ids: [],
  status: order.status,
  customer_reference: order.customerReference,
  created_at: instant(order.createdAt),
  updated_at: instant(order.updatedAt),
  requirements_met: true
})

/** Returns a number as `NumbersPhoneNumberDetailed`. */
export const numberView = (number: TelnyxNumber): object => ({
  id: number.id,
  record_type: "phone_number",
  phone_number: number.phoneNumber,
  country_iso_alpha2: "BR",
  status: number.status,
  tags: [],
  external_pin: null,
  connection_id: null,
  connection_name: null,
  customer_reference: number.customerReference,
  messaging_profile_id: number.messagingProfileId,
  messaging_profile_name: null,
  billing_group_id: null,
  emergency_enabled: false,
  emergency_address_id: null,
  call_forwarding_enabled: false,
  cnam_listing_enabled: false,
  caller_id_name_enabled: false,
  call_recording_enabled: false,
  t38_fax_gateway_enabled: false,
  phone_number_type: "local",
  purchased_at: instant(number.purchasedAt),
  created_at: instant(number.purchasedAt),
  updated_at: instant(number.purchasedAt),
  activated_at: instant(number.purchasedAt),
  hd_voice_enabled: false,
  deletion_lock_enabled: false,
  source_type: "number_order"
})

/** Returns the settings of a number's messages as `PhoneNumberWithMessagingSettings`. */
export const messagingView = (number: TelnyxNumber): object => ({
  record_type: "messaging_settings",
  id: number.id,
  phone_number: number.phoneNumber,
  messaging_profile_id: number.messagingProfileId,
  created_at: instant(number.purchasedAt),
  updated_at: instant(number.purchasedAt),
  country_code: "BR",
  type: "long-code",
  traffic_type: "P2P",
  messaging_product: "P2P",
  eligible_messaging_products: number.sms ? ["P2P"] : [],
  features: {
    sms: number.sms ? { domestic_two_way: true, international_inbound: true, international_outbound: false } : null,
    mms: null
  }
})
