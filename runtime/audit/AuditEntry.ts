import type { AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"

/** A change by its thing and a past participle, such as `member.added`. */
export type AuditAction = `${string}.${string}`

/** One change; `created_at` in epoch milliseconds. */
export interface StoredAuditEntry {
  readonly id: string
  /** Null for a change of the organization as a whole. */
  readonly environment_id: string | null
  /** Null for a change of an operator. */
  readonly member_id: string | null
  readonly action: string
  /** Id of the thing that was changed; null for one without an id. */
  readonly subject: string | null
  readonly before: AuditSettings | null
  readonly after: AuditSettings | null
  /** Null for a command, which is no request. */
  readonly request_id: string | null
  readonly created_at: number
}

/** Which changes are wanted; members that are undefined do not narrow. */
export interface AuditSelection {
  readonly action?: string | undefined
  /** Id of a member, or `operator`. */
  readonly member_id?: string | undefined
  /** Id of the thing that was changed. */
  readonly subject?: string | undefined
  readonly before?: string | undefined
}
