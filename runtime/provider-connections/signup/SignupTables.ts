import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { bytes, defineTable, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Sessions in which an account of the chat platform is connected. */
export const upstreamSignupSessionsTable = defineTable("upstream_signup_sessions", {
  owner: "provider-connections",
  erasure: people,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    organization_id: text,
    project_id: text,
    environment: textOf<EnvironmentKind>(),
    api_key_id: text,
    status: textOf<"pending" | "processing" | "completed">(),
    /** SHA-256 of the launch token. */
    launch_hash: bytes("hash of a token"),
    return_url: text,
    end_customer_ref: nullable(text),
    processing_since: nullable(timestamptz),
    provider_connection_id: nullable(text),
    completed_at: nullable(timestamptz),
    expires_at: timestamptz,
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a session that its routes read. */
export const signupColumns = select(
  upstreamSignupSessionsTable,
  "environment_id",
  "id",
  "organization_id",
  "project_id",
  "environment",
  "api_key_id",
  "status",
  "return_url",
  "end_customer_ref",
  "processing_since",
  "provider_connection_id",
  "completed_at",
  "expires_at",
  "created_at",
  "updated_at"
)
