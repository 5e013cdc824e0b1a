import type { VendorAuthorization } from "@carteiro/provider/payments/AgenticProvider.ts"
import { looksAgainAt, stillAbsent } from "@carteiro/provider/RecoverySchedule.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import {
  dayMs,
  formatTimestamp,
  formatTimestampOrNull,
  parseTimestamp
} from "@carteiro/schema/conventions/Timestamp.ts"
import type {
  AgenticAuthorization,
  AuthorizationStatus,
  CreateAuthorization
} from "@carteiro/schema/payments/AgenticAuthorization.ts"
import { InvalidPaymentRequest } from "@carteiro/schema/payments/PaymentErrors.ts"
import { jsonTextOrNull, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { unitsOf } from "./AgenticPayment.ts"
import { agenticAuthorizationsTable } from "./AgenticTables.ts"

/** The columns of an authorization that reads and rules use; its sealed tax id comes beside them. */
export const authorizationColumns = select(
  agenticAuthorizationsTable,
  "environment_id",
  "id",
  "status",
  "bank_id",
  "customer_name",
  "customer_tax_id",
  "max_amount",
  "return_url",
  "external_reference",
  "metadata",
  "provider_connection_id",
  "provider_authorization_id",
  "authorization_url",
  "trace_id",
  "created_at",
  "updated_at",
  "authorized_at",
  "rejected_at",
  "revoked_at",
  "expires_at"
)

/** A row of `agentic_authorizations`, opened. */
export interface AuthorizationRow extends SelectedRow<typeof authorizationColumns> {
  readonly customer_tax_id: string
}

/** The members of an authorization that change. */
export interface AuthorizationProgress {
  readonly status: AuthorizationStatus
  readonly provider_authorization_id: string | null
  readonly authorization_url: string | null
  readonly authorized_at: number | null
  readonly rejected_at: number | null
  readonly revoked_at: number | null
  /** The next call to the provider; null when none remains. */
  readonly step: "create" | "find" | "read" | "revoke" | null
  readonly due_at: number | null
  readonly doubt_at: number | null
  /** When a look-up by our id first found nothing, if that counts. */
  readonly absent_at: number | null
}

/** The columns of an authorization with a due step. */
export const authorizationTaskColumns = select(
  agenticAuthorizationsTable,
  ...authorizationColumns.names,
  "step",
  "due_at",
  "called_at",
  "doubt_at",
  "absent_at"
)

/** An authorization with a due step. */
export interface AuthorizationTask extends SelectedRow<typeof authorizationTaskColumns> {
  readonly customer_tax_id: string
  readonly step: "create" | "find" | "read" | "revoke"
  readonly due_at: number
}

/** The result of a look-up at the provider; `Untouched` when no call was needed. */
export type AuthorizationSeen =
  | VendorAuthorization
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Untouched" }

/**
 * The standard and the longest validity of an authorization, in milliseconds from now on. gaps-3 C "Agentic
 * authorizations"
 */
const standardMs = 90 * dayMs
const longestMs = 366 * dayMs

/** Returns when a new authorization expires. Refuses an instant outside the permitted range. */
export const expiryOf = (request: string | undefined, now: number): number | InvalidPaymentRequest => {
  if (request === undefined) return now + standardMs
  const at = parseTimestamp(request) ?? 0
  if (at > now && at <= now + longestMs) return at
  const message = `expires_at has to lie between now and ${formatTimestamp(now + longestMs)}.`
  return new InvalidPaymentRequest({ param: "expires_at", message })
}

/** Returns an authorization that its customer has not decided on. gaps-3 C "Agentic authorizations" */
export const newAuthorization = (
  request: CreateAuthorization,
  facts: Pick<
    AuthorizationRow,
    "environment_id" | "id" | "expires_at" | "provider_connection_id" | "trace_id" | "created_at"
  >
): AuthorizationRow => ({
  ...facts,
  status: "pending",
  bank_id: request.bank_id,
  customer_name: request.customer_name,
  customer_tax_id: request.customer_tax_id,
  max_amount: unitsOf(request.max_amount_brl_centavos),
  return_url: request.return_url ?? null,
  external_reference: request.external_reference ?? null,
  metadata: jsonTextOrNull(request.metadata),
  provider_authorization_id: null,
  authorization_url: null,
  updated_at: facts.created_at,
  authorized_at: null,
  rejected_at: null,
  revoked_at: null
})

/** How long a customer has to decide, in milliseconds. gaps-3 C "Agentic authorizations" */
const pendingMs = 30 * 60_000

/**
 * Returns when a pending or authorized authorization ends by time: the customer's half hour applies only until it is
 * authorized.
 */
const endsAt = ({ created_at, expires_at, status }: AuthorizationRow): number =>
  status === "pending" ? Math.min(expires_at, created_at + pendingMs) : expires_at

/** True when its time is over, regardless of the provider. */
export const isOver = (row: AuthorizationRow, now: number): boolean =>
  (row.status === "pending" || row.status === "authorized") && now >= endsAt(row)

/** Returns the columns that a look-up leaves unchanged. */
const knownOf = (task: AuthorizationTask) => ({
  status: task.status,
  provider_authorization_id: task.provider_authorization_id,
  authorization_url: task.authorization_url,
  authorized_at: task.authorized_at,
  rejected_at: task.rejected_at,
  revoked_at: task.revoked_at
})

const nothingToDo = { step: null, due_at: null, doubt_at: null, absent_at: null } as const

/** True when nothing can be paid by it any more, by the provider's status. */
const isClosed = ({ status }: VendorAuthorization): boolean => status !== "pending" && status !== "authorized"

/**
 * Returns the progress, at its provider, of an authorization that is over here. A create whose answer was lost may
 * arrive after the revocation, so it is looked up until the provider shows it closed, its absence is proven, or its own
 * date is over. gaps-3 C "Proven create history", "Recovery schedule"
 */
const judgeRevoke = (task: AuthorizationTask, seen: AuthorizationSeen, now: number): AuthorizationProgress => {
  const known = knownOf(task)
  const done: AuthorizationProgress = { ...known, ...nothingToDo }
  const since = task.called_at ?? task.created_at
  const doubt_at = task.doubt_at ?? now
  const wait = (more: Partial<AuthorizationProgress>, from: number): AuthorizationProgress => ({
    ...known,
    step: "revoke",
    doubt_at,
    absent_at: task.absent_at,
    due_at: looksAgainAt(from, now, task.provider_authorization_id === null),
    ...more
  })
  if (seen._tag === "Authorization") {
    const provider_authorization_id = seen.id
    return isClosed(seen)
      ? { ...done, provider_authorization_id }
      : wait({ provider_authorization_id, absent_at: null }, doubt_at)
  }
  // From that date on the provider ends it by itself, as the create told it.
  if (now >= task.expires_at) return done
  if (seen._tag !== "Absent") return wait({}, doubt_at)
  const { absent_at, isProven } = stillAbsent(since, task.absent_at, now)
  return isProven ? done : wait({ absent_at }, since)
}

/** Decides on an authorization after a look-up. gaps-3 C "Agentic authorizations", "Recovery schedule" */
export const judgeAuthorization = (
  task: AuthorizationTask,
  seen: AuthorizationSeen,
  now: number
): AuthorizationProgress => {
  if (task.step === "revoke") return judgeRevoke(task, seen, now)
  const known = knownOf(task)
  const done: AuthorizationProgress = { ...known, ...nothingToDo }
  const doubt_at = seen._tag === "Unknown" || seen._tag === "Absent" ? (task.doubt_at ?? now) : now
  const since = task.called_at ?? now
  const absent_at =
    seen._tag === "Authorization"
      ? null
      : seen._tag === "Absent"
        ? stillAbsent(since, task.absent_at, now).absent_at
        : task.absent_at
  const told =
    seen._tag === "Authorization"
      ? { provider_authorization_id: seen.id, authorization_url: seen.authorization_url }
      : {}
  const wait = (step: "find" | "read"): AuthorizationProgress => ({
    ...known,
    ...told,
    step,
    due_at: Math.min(looksAgainAt(doubt_at, now, false), endsAt(task)),
    doubt_at,
    absent_at
  })
  // An authorization that the customer gave counts, also after the time to give it.
  if (seen._tag === "Authorization" && seen.status === "authorized" && now < task.expires_at) {
    const due_at = task.expires_at
    const authorized_at = task.authorized_at ?? now
    const next = { step: "read", due_at, doubt_at: null, absent_at: null } as const
    return { ...known, ...told, status: "authorized", authorized_at, ...next }
  }
  if (isOver(task, now)) {
    // An undecided authorization is revoked at the provider, where it may be open or still arrive.
    const hasLeft = task.called_at !== null || task.step === "create"
    const tellsProvider = task.provider_connection_id !== null && task.status === "pending" && hasLeft
    const expired = { ...done, ...told, status: "expired" } as const
    return tellsProvider ? { ...expired, step: "revoke", due_at: now, absent_at } : expired
  }
  switch (seen._tag) {
    case "Authorization":
      return isClosed(seen)
        ? {
            ...done,
            ...told,
            status: seen.status,
            rejected_at: seen.status === "rejected" ? now : task.rejected_at,
            revoked_at: seen.status === "revoked" ? now : task.revoked_at
          }
        : wait("read")
    case "Refused":
      // A refused look-up tells nothing about the authorization.
      return task.step === "create" ? { ...done, status: "rejected", rejected_at: now } : wait(task.step)
    case "Absent":
    case "Unknown":
      return wait(task.step === "read" ? "read" : "find")
    case "Untouched":
      return { ...known, step: task.step, due_at: task.expires_at, doubt_at: null, absent_at: null }
  }
}

/** Returns an authorization as reads show it. gaps-3 C "Agentic authorizations" */
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
  metadata: readJsonOrNull(row.metadata),
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
