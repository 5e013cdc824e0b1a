import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { NumberRow } from "./NumberRead.ts"
import { insertNumber } from "./NumberWrites.ts"

/** The data of a new number. Instants in epoch milliseconds, money in 1/10,000 BRL. */
export interface NewNumber extends Pick<NumberRow, "id" | "source" | "status" | "phone" | "ddd"> {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly display_name: string | undefined
  readonly upstream_phone_number_id: string | null
  /** The account at the chat platform, when it is already known. */
  readonly biz_account_id?: string | undefined
  readonly throughput_plan: "starter" | "growth" | "scale"
  readonly monthly_fee: number | null
  /** When its owner handles it; null while time changes nothing. */
  readonly due_at: number | null
  readonly at: number
}

/**
 * Returns the row as reads show it, and the write that makes it; a sandbox number has simulated health from the start.
 */
export const newNumber = (number: NewNumber): { readonly row: NumberRow; readonly insert: Row } => {
  const { at, due_at, environment, throughput_plan } = number
  const simulated = environment === "sandbox"
  const display_name = number.display_name === undefined ? null : clean(number.display_name)
  const row: NumberRow = {
    ...(simulated ? simulatedHealth(at, display_name) : unknownHealth),
    environment_id: number.environment_id,
    id: number.id,
    environment,
    source: number.source,
    status: number.status,
    display_name,
    ddd: number.ddd,
    phone: number.phone,
    provider_number_id: null,
    upstream_phone_number_id: number.upstream_phone_number_id,
    biz_account_id: number.biz_account_id ?? null,
    portfolio_id: null,
    enrollment: null,
    pending_name_review: null,
    name_review: null,
    suspended_at: null,
    monthly_fee: number.monthly_fee,
    verification_code: null,
    verification_code_received_at: null,
    error_code: null,
    error_message: null,
    created_at: at,
    updated_at: at,
    activated_at: number.status === "active" ? at : null,
    released_at: null
  }
  const insert = insertNumber.row({
    environment_id: row.environment_id,
    id: row.id,
    environment,
    source: row.source,
    status: row.status,
    display_name,
    ddd: row.ddd,
    phone: row.phone,
    upstream_phone_number_id: row.upstream_phone_number_id,
    biz_account_id: row.biz_account_id,
    throughput_plan,
    monthly_fee: row.monthly_fee,
    simulated,
    due_at,
    activated_at: row.activated_at,
    created_at: at
  })
  return { row, insert }
}

const unknownHealth = {
  quality_rating: "unknown",
  messaging_tier: "unknown",
  messaging_limit_tier: null,
  upstream_throughput_tier: null,
  upstream_quality_rating: null,
  verified_name: null,
  upstream_health_synced_at: null
} as const

/** Returns the health that the insert of a simulated number writes. gaps-2 K "Health sweep" */
const simulatedHealth = (at: number, name: string | null) =>
  ({
    quality_rating: "green",
    messaging_tier: "tier_1k",
    messaging_limit_tier: "TIER_1K",
    upstream_throughput_tier: "2",
    upstream_quality_rating: "GREEN",
    verified_name: name ?? "Sandbox Sender",
    upstream_health_synced_at: at
  }) as const
