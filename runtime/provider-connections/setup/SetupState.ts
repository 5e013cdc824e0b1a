import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SetupSession, SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import {
  SetupSessionAlreadyCompleted,
  SetupSessionAlreadyDenied,
  SetupSessionDenied,
  SetupSessionExpired,
  SetupSttSandboxUnsupported,
  TranscriptionByokInactive
} from "@carteiro/schema/provider-connections/SetupSessionErrors.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { setupColumns } from "./SetupTables.ts"

/** A row of `credential_setup_sessions`; instants are epoch milliseconds. */
export type StoredSetup = SelectedRow<typeof setupColumns>

/** How long a session is open, in milliseconds. gaps-2 L "Setup session routes" */
const setupLifetimeMs = 30 * 60_000

/** Returns a new session, on which a person decides within half an hour. gaps-2 L "Setup session routes" */
export const newSetup = (
  scope: Pick<StoredSetup, "environment_id" | "organization_id" | "project_id" | "environment">,
  id: string,
  target: SetupTarget,
  now: number
): StoredSetup => ({
  environment_id: scope.environment_id,
  id,
  organization_id: scope.organization_id,
  project_id: scope.project_id,
  environment: scope.environment,
  target,
  status: "pending",
  provider_connection_id: null,
  completed_stt_provider: null,
  completed_by_role: null,
  completed_at: null,
  denied_at: null,
  expires_at: now + setupLifetimeMs,
  created_at: now,
  updated_at: now
})

/** Refuses credentials for speech recognition in a sandbox, and where they are not taken. gaps-2 L "Setup session routes" */
export const targetRefusal = (
  target: SetupTarget,
  environment: EnvironmentKind,
  taken: ReadonlySet<SetupTarget>
): ApiError | undefined => {
  if (target !== "speechprov1.stt") return undefined
  if (environment === "sandbox") return new SetupSttSandboxUnsupported({ param: "target" })
  return taken.has(target) ? undefined : new TranscriptionByokInactive({ retry_after_ms: 60_000 })
}

/** Returns the status of a session at an instant; only a pending session expires. */
const setupStatus = ({ expires_at, status }: StoredSetup, now: number): SetupSession["status"] =>
  status === "pending" && now >= expires_at ? "expired" : status

/**
 * Returns the session as reads show it; only the response to its creation carries the address. M-SETUP-04, M-SETUP-05
 */
export const readSetup = (session: StoredSetup, now: number, url: string | null): Omit<SetupSession, "trace_id"> => ({
  id: session.id,
  object: "provider_credential_setup_session",
  target: session.target,
  status: setupStatus(session, now),
  url,
  project_id: session.project_id,
  environment_id: session.environment_id,
  environment: session.environment,
  provider_connection_id: session.provider_connection_id,
  completed_stt_provider: session.completed_stt_provider,
  completed_by_role: session.completed_by_role,
  completed_at: formatTimestampOrNull(session.completed_at),
  denied_at: formatTimestampOrNull(session.denied_at),
  expires_at: formatTimestamp(session.expires_at),
  created_at: formatTimestamp(session.created_at),
  updated_at: formatTimestamp(session.updated_at)
})

/**
 * Returns the refusal of a session that takes no decision any more; undefined while it does. gaps-2 L "Setup session
 * routes"
 */
export const decisionRefusal = (
  session: StoredSetup,
  decision: "complete" | "deny",
  now: number
): ApiError | undefined => {
  switch (setupStatus(session, now)) {
    case "expired":
      return new SetupSessionExpired()
    case "completed":
      return new SetupSessionAlreadyCompleted()
    case "denied":
      return decision === "complete" ? new SetupSessionDenied() : new SetupSessionAlreadyDenied()
    case "pending":
      return undefined
  }
}
