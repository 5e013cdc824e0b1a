import { formatBrlOrNull } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PhoneNumber, RecentMessage } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { nameWarnings } from "./NameWarnings.ts"
import type { numberColumns } from "./NumberTables.ts"
import { type RentalMonth, renewalOf } from "./RenewalState.ts"

/** The management of an imported number, as reads show it. */
export type Enrollment = NonNullable<PhoneNumber["numprov_management"]>

/** A row of `phone_numbers` as reads show it. Instants in epoch milliseconds, money in 1/10,000 BRL. */
export interface NumberRow extends SelectedRow<typeof numberColumns> {
  readonly messaging_tier: PhoneNumber["messaging_tier"]
  /** The management of an imported number; null for any other. */
  readonly enrollment: JsonText<Enrollment> | null
}

/** The allowance of a number as reads show it. M-PHN-15, M-PHN-16 */
interface NumberAllowance {
  readonly current_24h_unique_recipients: number
  readonly remaining_messaging_allowance_estimate: number | null
}

/** The facts that a read shows besides the row of a number. */
export interface NumberContext {
  readonly allowance: NumberAllowance
  readonly month: RentalMonth
  readonly recent: ReadonlyArray<RecentMessage>
}

/** How long a verification code is shown, in milliseconds. gaps-2 K "State machine" */
const codeShownMs = 10 * 60 * 1000

/** Returns a number as reads show it. M-PHN-01..40 */
export const numberBody = (row: NumberRow, context: NumberContext, now: number): PhoneNumber => {
  const received = row.verification_code_received_at
  const code = received !== null && now < received + codeShownMs ? row.verification_code : null
  return {
    id: row.id,
    object: "phone_number",
    source: row.source,
    status: row.status,
    environment: row.environment,
    display_name: row.display_name,
    ddd: row.ddd,
    phone: row.phone,
    provider_number_id: row.provider_number_id,
    upstream_phone_number_id: row.upstream_phone_number_id,
    biz_account_id: row.biz_account_id,
    numprov_management: readJsonOrNull(row.enrollment),
    quality_rating: row.quality_rating,
    messaging_tier: row.messaging_tier,
    messaging_limit_tier: row.messaging_limit_tier,
    upstream_throughput_tier: row.upstream_throughput_tier,
    upstream_quality_rating: row.upstream_quality_rating,
    verified_name: row.verified_name,
    pending_name_review: readJsonOrNull(row.pending_name_review),
    name_review: readJsonOrNull(row.name_review),
    upstream_health_synced_at: formatTimestampOrNull(row.upstream_health_synced_at),
    current_24h_unique_recipients: context.allowance.current_24h_unique_recipients,
    remaining_messaging_allowance_estimate: context.allowance.remaining_messaging_allowance_estimate,
    verification_code: code,
    verification_code_received_at: code === null ? null : formatTimestampOrNull(received),
    monthly_fee_brl: formatBrlOrNull(row.monthly_fee),
    error_code: row.error_code,
    error_message: row.error_message,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    activated_at: formatTimestampOrNull(row.activated_at),
    released_at: formatTimestampOrNull(row.released_at),
    recent_messages: context.recent,
    warnings: nameWarnings(row.display_name),
    renewal: renewalOf(row, context.month, now)
  }
}
