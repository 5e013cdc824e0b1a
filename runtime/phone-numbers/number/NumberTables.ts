import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  sealed,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** The version of an account's numbers: of two that are added at once within the limit, one counts again. */
export const numberRostersTable = defineTable("number_rosters", {
  owner: "phone-numbers",
  erasure: tenant,
  key: ["account_id"],
  columns: {
    account_id: text,
    version: defaulted(int8)
  }
})

/** Numbers of a tenant's account at the number provider that are managed here. */
export const numprovEnrollmentsTable = defineTable("numprov_enrollments", {
  owner: "phone-numbers",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    phone_number_id: text,
    status: text,
    provider_connection_id: text,
    provider_number_id: text,
    terms_version: text,
    enrolled_at: timestamptz,
    ended_at: nullable(timestamptz)
  }
})

/** Moves of numbers between environments; older messages stay where they were. */
export const phoneNumberTransfersTable = defineTable("phone_number_transfers", {
  owner: "phone-numbers",
  erasure: tenant,
  key: ["phone_number_id", "environment_id", "transferred_at"],
  columns: {
    environment_id: text,
    phone_number_id: text,
    transferred_at: timestamptz,
    target_environment_id: text,
    reason: nullable(text),
    api_key_id: nullable(text)
  }
})

/** Numbers of an environment. */
export const phoneNumbersTable = defineTable("phone_numbers", {
  owner: "phone-numbers",
  erasure: tenant,
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    source: textOf<PhoneNumber["source"]>(),
    status: textOf<PhoneNumber["status"]>(),
    display_name: nullable(text),
    ddd: nullable(text),
    phone: nullable(text),
    provider_number_id: nullable(text),
    upstream_phone_number_id: nullable(text),
    biz_account_id: nullable(text),
    quality_rating: defaulted(textOf<PhoneNumber["quality_rating"]>()),
    messaging_tier: defaulted(text),
    messaging_limit_tier: nullable(text),
    upstream_throughput_tier: nullable(textOf<NonNullable<PhoneNumber["upstream_throughput_tier"]>>()),
    upstream_quality_rating: nullable(text),
    throughput_plan: defaulted(text),
    verified_name: nullable(text),
    pending_name_review: nullable(jsonOf<PhoneNumber["pending_name_review"]>()),
    name_review: nullable(jsonOf<PhoneNumber["name_review"]>()),
    upstream_health_synced_at: nullable(timestamptz),
    suspended_at: nullable(timestamptz),
    error_code: nullable(text),
    error_message: nullable(text),
    created_at: timestamptz,
    updated_at: timestamptz,
    activated_at: nullable(timestamptz),
    released_at: nullable(timestamptz),
    monthly_fee: nullable(int8),
    verification_code: nullable(text),
    verification_code_received_at: nullable(timestamptz),
    due_at: nullable(timestamptz),
    moved_at: nullable(timestamptz),
    registration_pin: nullable(sealed(text, "PIN of a number of the tenant")),
    registration_state: nullable(text),
    registration_problem: nullable(text),
    registration_tried_at: nullable(timestamptz),
    /** The portfolio with whose numbers it shares one allowance; null while it is unknown. */
    portfolio_id: nullable(text),
    portfolio_changed_at: nullable(timestamptz)
  }
})

/** The platform's last word about a portfolio, whose limit holds for the numbers of all its accounts. Decision 0150 */
export const portfoliosTable = defineTable("portfolios", {
  owner: "phone-numbers",
  erasure: tenant,
  key: ["id"],
  columns: {
    id: text,
    messaging_limit_tier: nullable(text),
    messaging_tier: text,
    limit_revision: defaulted(int4),
    updated_at: timestamptz
  }
})

/** The columns of a number that its reads show. */
export const numberColumns = select(
  phoneNumbersTable,
  "environment_id",
  "id",
  "environment",
  "source",
  "status",
  "display_name",
  "ddd",
  "phone",
  "provider_number_id",
  "upstream_phone_number_id",
  "biz_account_id",
  "portfolio_id",
  "quality_rating",
  "messaging_tier",
  "messaging_limit_tier",
  "upstream_throughput_tier",
  "upstream_quality_rating",
  "verified_name",
  "pending_name_review",
  "name_review",
  "upstream_health_synced_at",
  "suspended_at",
  "monthly_fee",
  "verification_code",
  "verification_code_received_at",
  "error_code",
  "error_message",
  "created_at",
  "updated_at",
  "activated_at",
  "released_at"
)

/** The columns of a number that its lifecycle uses. */
export const livingColumns = select(
  phoneNumbersTable,
  "environment_id",
  "id",
  "environment",
  "source",
  "status",
  "phone",
  "provider_number_id",
  "upstream_phone_number_id",
  "created_at",
  "due_at"
)
