import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SignupSession } from "@carteiro/schema/provider-connections/SignupSession.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { signupColumns } from "./SignupTables.ts"

/** A row of `upstream_signup_sessions`; instants are epoch milliseconds. */
export type StoredSignup = SelectedRow<typeof signupColumns>

/** How long a session may be completed, in milliseconds. M-SIGN-06 */
const signupLifetimeMs = 30 * 60_000

/** Returns a new session. M-SIGN-03, M-SIGN-06 */
export const newSignup = (
  scope: Pick<StoredSignup, "environment_id" | "id" | "organization_id" | "project_id" | "environment" | "api_key_id">,
  request: { readonly return_url: string; readonly end_customer_ref?: string | undefined },
  now: number
): StoredSignup => ({
  ...scope,
  status: "pending",
  return_url: request.return_url,
  end_customer_ref: request.end_customer_ref ?? null,
  processing_since: null,
  provider_connection_id: null,
  completed_at: null,
  expires_at: now + signupLifetimeMs,
  created_at: now,
  updated_at: now
})

/** Returns the session that made that connection. */
export const completedSignup = (session: StoredSignup, provider_connection_id: string, now: number): StoredSignup => ({
  ...session,
  status: "completed",
  processing_since: null,
  provider_connection_id,
  completed_at: now,
  updated_at: now
})

/** The time after which a completion without a result counts as abandoned by a crashed node, in milliseconds. */
export const processingMs = 60_000

/** Returns the status of a session at an instant. M-SIGN-06 */
export const signupStatus = (session: StoredSignup, now: number): SignupSession["status"] => {
  const { expires_at, processing_since, status } = session
  if (status === "completed") return "completed"
  if (status === "processing" && processing_since !== null && now - processing_since < processingMs) return "processing"
  return now >= expires_at ? "expired" : "pending"
}

/**
 * Returns the session as reads show it; only the response to its creation carries the launch address. M-SIGN-03,
 * M-SIGN-04
 */
export const readSignup = (
  session: StoredSignup,
  now: number,
  url: string | null
): Omit<SignupSession, "trace_id"> => ({
  id: session.id,
  object: "upstream_signup_session",
  status: signupStatus(session, now),
  url,
  return_url: session.return_url,
  end_customer_ref: session.end_customer_ref,
  project_id: session.project_id,
  environment_id: session.environment_id,
  environment: session.environment,
  expires_at: formatTimestamp(session.expires_at),
  completed_at: formatTimestampOrNull(session.completed_at),
  provider_connection_id: session.provider_connection_id,
  created_at: formatTimestamp(session.created_at),
  updated_at: formatTimestamp(session.updated_at)
})

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * True when the signup may redirect to the URL: exactly an origin of the allow-list, by https, or by http to this
 * machine in a sandbox. M-SIGN-05, gaps-2 L "Signup sessions and onboarding"
 */
export const mayReturnTo = (url: string, environment: EnvironmentKind, origins: ReadonlySet<string>): boolean => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== "" || parsed.password !== "" || !origins.has(parsed.origin)) return false
  return parsed.protocol === "https:" || (environment === "sandbox" && localHosts.has(parsed.hostname))
}

/** Returns a new id from 16 random bytes. */
export const mintSignupId = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString("hex")
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16)
  return `mss_${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
