import type { VendorAuthorization } from "@carteiro/provider/payments/AgenticProvider.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { AgenticAuthorization, AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import { looksAgainAt } from "../recovery/RecoverySchedule.ts"

/** Row of `agentic_authorizations`: amounts in 1/10,000 BRL, instants in epoch milliseconds, metadata as JSON text. */
export interface AuthorizationRow {
  readonly environment_id: string
  readonly id: string
  readonly status: AuthorizationStatus
  readonly bank_id: string
  readonly customer_name: string
  readonly customer_tax_id: string
  readonly max_amount: number
  readonly return_url: string | null
  readonly external_reference: string | null
  readonly metadata: string | null
  readonly provider_connection_id: string | null
  readonly provider_authorization_id: string | null
  readonly authorization_url: string | null
  readonly trace_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly authorized_at: number | null
  readonly rejected_at: number | null
  readonly revoked_at: number | null
  readonly expires_at: number
}

/** The part of it that moves. */
export interface AuthorizationProgress {
  readonly status: AuthorizationStatus
  readonly provider_authorization_id: string | null
  readonly authorization_url: string | null
  readonly authorized_at: number | null
  readonly rejected_at: number | null
  readonly revoked_at: number | null
  /** What is to be done at the provider, and when; null for nothing any more. */
  readonly step: "create" | "find" | "read" | "revoke" | null
  readonly due_at: number | null
  readonly doubt_at: number | null
}

/** One with something to do. */
export interface AuthorizationTask extends AuthorizationRow, Pick<AuthorizationProgress, "doubt_at"> {
  readonly step: "create" | "find" | "read" | "revoke"
  readonly due_at: number
  readonly called_at: number | null
}

/** What a look at the provider shows; where nobody had to be asked, `Untouched`. */
export type AuthorizationSeen =
  | VendorAuthorization
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Untouched" }

/** A customer who has not decided by then does not any more, in milliseconds. gaps-3 C "Agentic authorizations" */
const pendingMs = 30 * 60_000

/** Whether its time is over, whatever the provider says. */
export const isOver = ({ created_at, expires_at, status }: AuthorizationRow, now: number): boolean =>
  (status === "pending" && now >= Math.min(expires_at, created_at + pendingMs)) ||
  (status === "authorized" && now >= expires_at)

/** What a look makes of an authorization. gaps-3 C "Agentic authorizations", "Recovery schedule" */
export const judgeAuthorization = (
  task: AuthorizationTask,
  seen: AuthorizationSeen,
  now: number
): AuthorizationProgress => {
  const known = {
    status: task.status,
    provider_authorization_id: task.provider_authorization_id,
    authorization_url: task.authorization_url,
    authorized_at: task.authorized_at,
    rejected_at: task.rejected_at,
    revoked_at: task.revoked_at
  }
  const done: AuthorizationProgress = { ...known, step: null, due_at: null, doubt_at: null }
  const doubt_at = seen._tag === "Unknown" || seen._tag === "Absent" ? (task.doubt_at ?? now) : now
  if (task.step === "revoke") {
    return seen._tag === "Unknown"
      ? { ...known, step: "revoke", due_at: looksAgainAt(doubt_at, now, false), doubt_at }
      : done
  }
  const told =
    seen._tag === "Authorization"
      ? { provider_authorization_id: seen.id, authorization_url: seen.authorization_url }
      : {}
  const wait = (step: "find" | "read"): AuthorizationProgress => ({
    ...known,
    ...told,
    step,
    due_at: Math.min(looksAgainAt(doubt_at, now, false), task.created_at + pendingMs, task.expires_at),
    doubt_at
  })
  // What was given counts although its time to be given is over.
  if (seen._tag === "Authorization" && seen.status === "authorized" && now < task.expires_at) {
    const due_at = task.expires_at
    const authorized_at = task.authorized_at ?? now
    return { ...known, ...told, status: "authorized", authorized_at, step: "read", due_at, doubt_at: null }
  }
  if (isOver(task, now)) {
    // What nobody decided any more is taken back at the provider, where it may still be open.
    const tellsProvider = task.provider_connection_id !== null && task.status === "pending" && task.called_at !== null
    const expired = { ...done, ...told, status: "expired" } as const
    return tellsProvider ? { ...expired, step: "revoke", due_at: now, doubt_at: null } : expired
  }
  switch (seen._tag) {
    case "Authorization":
      return seen.status === "pending" || seen.status === "authorized"
        ? wait("read")
        : {
            ...done,
            ...told,
            status: seen.status,
            rejected_at: seen.status === "rejected" ? now : task.rejected_at,
            revoked_at: seen.status === "revoked" ? now : task.revoked_at
          }
    case "Refused":
      // A look that is refused says nothing of it.
      return task.step === "create" ? { ...done, status: "rejected", rejected_at: now } : wait(task.step)
    case "Absent":
    case "Unknown":
      return wait(task.step === "read" ? "read" : "find")
    case "Untouched":
      return { ...known, step: task.step, due_at: task.expires_at, doubt_at: null }
  }
}

/** Taken back by its owner; a provider that may know it is told. gaps-3 C "Agentic authorizations" */
export const revoked = (
  row: AuthorizationRow & { readonly called_at: number | null },
  now: number
): Pick<AuthorizationProgress, "status" | "revoked_at" | "step" | "due_at"> => {
  const tellsProvider = row.provider_connection_id !== null && row.called_at !== null
  return {
    status: "revoked",
    revoked_at: now,
    step: tellsProvider ? "revoke" : null,
    due_at: tellsProvider ? now : null
  }
}

/** An authorization as it is shown. gaps-3 C "Agentic authorizations" */
export const readAuthorization = (
  row: AuthorizationRow,
  environment: "sandbox" | "production"
): AgenticAuthorization => ({
  id: row.id,
  object: "agentic_authorization",
  status: row.status,
  environment,
  bank_id: row.bank_id,
  customer_name: row.customer_name,
  customer_tax_id: row.customer_tax_id,
  max_amount_brl: formatBrl(row.max_amount),
  currency: "BRL",
  authorization_url: row.authorization_url,
  external_reference: row.external_reference,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  provider: "pixprov1",
  provider_connection_id: row.provider_connection_id,
  provider_authorization_id: row.provider_authorization_id,
  trace_id: row.trace_id,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  authorized_at: formatTimestampOrNull(row.authorized_at),
  rejected_at: formatTimestampOrNull(row.rejected_at),
  revoked_at: formatTimestampOrNull(row.revoked_at),
  expires_at: formatTimestamp(row.expires_at)
})
