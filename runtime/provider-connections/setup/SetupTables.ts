import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { defineTable, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Pages on which a credential is entered in the browser. */
export const credentialSetupSessionsTable = defineTable("credential_setup_sessions", {
  owner: "provider-connections",
  erasure: people,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    environment: textOf<EnvironmentKind>(),
    target: textOf<SetupTarget>(),
    status: textOf<"pending" | "completed" | "denied">(),
    provider_connection_id: nullable(text),
    completed_stt_provider: nullable(text),
    completed_by_role: nullable(text),
    completed_at: nullable(timestamptz),
    denied_at: nullable(timestamptz),
    expires_at: timestamptz,
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a session that its routes read. */
export const setupColumns = select(
  credentialSetupSessionsTable,
  "environment_id",
  "id",
  "organization_id",
  "project_id",
  "environment",
  "target",
  "status",
  "provider_connection_id",
  "completed_stt_provider",
  "completed_by_role",
  "completed_at",
  "denied_at",
  "expires_at",
  "created_at",
  "updated_at"
)
