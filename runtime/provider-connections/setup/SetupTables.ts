import { defineTable, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Pages on which a credential is entered in the browser. gaps-2 L "Setup session routes" */
export const credentialSetupSessionsTable = defineTable("credential_setup_sessions", {
  owner: "provider-connections",
  erasure: people,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    environment: text,
    target: text,
    status: text,
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
