import type { AccountProfile } from "@carteiro/schema/access/Account.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { DefaultLanguage } from "@carteiro/schema/projects/Project.ts"
import { type ApiKeyRow, readApiKey } from "../keys/ApiKeyRead.ts"

/** The row of one read of the tenancy tables for a profile. */
export interface AccountRow {
  readonly organization_id: string
  readonly organization_name: string
  readonly organization_created_at: number
  readonly project_id: string
  readonly project_name: string
  readonly project_slug: string
  readonly project_default_language: DefaultLanguage
  readonly project_default_region: string
  readonly environment_id: string
  /** The active owner who was created first; null without one. gaps-1 D "Which owner" */
  readonly owner_name: string | null
  readonly owner_email: string | null
}

/** Returns the profile of the calling key: one owner contact, no member list, no secret. A-ACCT-01..07 */
export const readAccount = (row: AccountRow, key: ApiKeyRow): AccountProfile => ({
  object: "account_profile",
  organization: {
    id: row.organization_id,
    object: "organization",
    name: row.organization_name,
    created_at: formatTimestamp(row.organization_created_at)
  },
  project: {
    id: row.project_id,
    object: "project",
    name: row.project_name,
    slug: row.project_slug,
    default_language: row.project_default_language,
    default_region: row.project_default_region
  },
  environment: { id: row.environment_id, object: "environment", kind: key.environment },
  api_key: readApiKey(key),
  dashboard_owner:
    row.owner_name === null || row.owner_email === null ? null : { name: row.owner_name, email: row.owner_email }
})
