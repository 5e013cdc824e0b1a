import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ListenSession as ListenSessionRead } from "@carteiro/schema/webhooks/Listen.ts"
import {
  InvalidWebhookEventsQuery,
  WebhookListenSessionActiveExists,
  WebhookListenSessionNotActive,
  WebhookListenSessionNotFound,
  WebhookListenSessionProductionOnly,
  WebhookListenSessionRequired
} from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { listenSessionColumns } from "./ListenTables.ts"

/**
 * The longest remaining time, in milliseconds, within which the owner may replace its session, the boundary included.
 * gaps-1 L
 */
export const graceMillis = 30_000
/** The default lifetime of a session, in seconds. A-LSS-02 */
const defaultTtlSeconds = 300

/** A stored session; instants are epoch milliseconds. A-LSS-04 */
export interface ListenSession extends SelectedRow<typeof listenSessionColumns> {
  /** When the owning key is revoked or expires, if known. gaps-1 L "Ending a session" */
  readonly key_ends_at: number | null
}

/** Returns the status at an instant: the earliest end counts. A-LSS-06, A-LSS-10 */
export const statusAt = (session: ListenSession, now: number): ListenSessionRead["status"] => {
  if (session.disabled_at !== null) return "disabled"
  if (session.key_ends_at !== null && session.key_ends_at <= now && session.key_ends_at < session.expires_at) {
    return "disabled"
  }
  return now >= session.expires_at ? "expired" : "active"
}

/** Returns the latest instant at which an open long poll must answer. gaps-1 L "Session end during a long poll" */
export const endsAt = (session: ListenSession): number =>
  Math.min(
    session.disabled_at ?? Number.POSITIVE_INFINITY,
    session.key_ends_at ?? Number.POSITIVE_INFINITY,
    session.expires_at
  )

/** True when the session shows an event of that instant. A-LSS-11 */
export const inWindow = (session: ListenSession, eventCreatedAt: number): boolean =>
  eventCreatedAt >= session.created_at && eventCreatedAt < session.expires_at

/** Refuses sandbox keys: only production keys create and end sessions. gaps-1 L "Session rules in listen" */
export const sessionRouteRefusal = (environment: EnvironmentKind): ApiError | undefined =>
  environment === "sandbox" ? new WebhookListenSessionProductionOnly() : undefined

/**
 * Refuses a production key without a session, and a sandbox key with one. A-LSN-13, A-LSN-14, gaps-1 L "Session rules
 * in listen"
 */
export const sessionParameterRefusal = (
  environment: EnvironmentKind,
  listenSessionId: string | undefined
): ApiError | undefined => {
  if (environment === "production") {
    return listenSessionId === undefined ? new WebhookListenSessionRequired({ param: "listen_session_id" }) : undefined
  }
  return listenSessionId === undefined ? undefined : new InvalidWebhookEventsQuery({ param: "listen_session_id" })
}

/**
 * Returns the refusal of a poll by this key with this session now. A-LSS-12, A-LSS-20, gaps-1 L "Session rules in
 * listen"
 */
export const pollRefusal = (
  session: ListenSession | undefined,
  apiKeyId: string,
  now: number
): ApiError | undefined => {
  if (session === undefined || session.api_key_id !== apiKeyId) return new WebhookListenSessionNotFound()
  return statusAt(session, now) === "active" ? undefined : new WebhookListenSessionNotActive()
}

/**
 * True for the owner's session with 30.000 seconds or less remaining, which may be replaced. A-LSS-18, gaps-1 L
 * "Boundary of the grace period"
 */
const replaceable = (session: ListenSession, apiKeyId: string, now: number): boolean =>
  session.api_key_id === apiKeyId && session.expires_at - now <= graceMillis

/** Returns the refusal that names the active session; it costs no token. A-LSS-14..16 */
const activeExists = (session: ListenSession): ApiError =>
  new WebhookListenSessionActiveExists({
    details: {
      active_session: {
        id: session.id,
        expires_at: formatTimestamp(session.expires_at),
        created_at: formatTimestamp(session.created_at)
      }
    }
  })

/** The decision on a POST, with the environment's latest session. */
export type CreateDecision =
  | { readonly kind: "refuse"; readonly error: ApiError }
  | { readonly kind: "create"; readonly session: ListenSession; readonly replaced: ListenSession | undefined }

/** Decides one POST; `latest` is the session made last in the environment, if any. A-LSS-13..19 */
export const createSession = (
  latest: ListenSession | undefined,
  request: {
    readonly id: string
    readonly api_key_id: string
    readonly trace_id: string
    readonly key_ends_at: number | null
    readonly ttl_seconds?: number | undefined
  },
  now: number
): CreateDecision => {
  const { ttl_seconds, ...owned } = request
  const session: ListenSession = {
    ...owned,
    created_at: now,
    expires_at: now + (ttl_seconds ?? defaultTtlSeconds) * 1000,
    disabled_at: null
  }
  if (latest === undefined || statusAt(latest, now) !== "active")
    return { kind: "create", session, replaced: undefined }
  if (!replaceable(latest, request.api_key_id, now)) return { kind: "refuse", error: activeExists(latest) }
  return { kind: "create", session, replaced: disableSession(latest, now) }
}

/**
 * Returns the session after delete, replacement or revocation; an ended one does not change. gaps-1 L "Ending a
 * session"
 */
export const disableSession = (session: ListenSession, now: number): ListenSession =>
  statusAt(session, now) === "active" ? { ...session, disabled_at: now } : session

/** Returns the refusal of a DELETE by any key but the owner. gaps-1 L "Ending a session" */
export const deleteRefusal = (session: ListenSession | undefined, apiKeyId: string): ApiError | undefined =>
  session === undefined || session.api_key_id !== apiKeyId ? new WebhookListenSessionNotFound() : undefined

/** Returns the session as the contract shows it. A-LSS-04..08 */
export const readListenSession = (session: ListenSession, now: number): ListenSessionRead => ({
  id: session.id,
  object: "webhook_listen_session",
  environment: "production",
  status: statusAt(session, now),
  expires_at: formatTimestamp(session.expires_at),
  disabled_at: formatTimestampOrNull(session.disabled_at),
  created_at: formatTimestamp(session.created_at),
  trace_id: session.trace_id,
  poll_endpoint: "/v1/webhook-events/listen",
  retrieve_endpoint: "/v1/webhook-events/listen/:outbox_event_id"
})
