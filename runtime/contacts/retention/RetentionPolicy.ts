import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"

/** The retention periods of an environment's data; `updated_at` in epoch milliseconds. */
export interface RetentionPolicy {
  readonly data_export_enabled: boolean
  readonly media_retention_days: number
  readonly payload_retention_days: number
  readonly updated_at: number
}

/** Returns the policy as reads show it. */
export const readPolicy = (policy: RetentionPolicy) => ({
  object: "data_retention_policy" as const,
  data_export_enabled: policy.data_export_enabled,
  media_retention_days: policy.media_retention_days,
  payload_retention_days: policy.payload_retention_days,
  updated_at: formatTimestamp(policy.updated_at)
})
