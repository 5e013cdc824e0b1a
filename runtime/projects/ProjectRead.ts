import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Project } from "@carteiro/schema/projects/Project.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { projectColumns } from "./ProjectTables.ts"

/** A row of `projects` with its two environments; instants are epoch milliseconds. */
export interface ProjectRow extends SelectedRow<typeof projectColumns> {
  readonly sandbox_id: string
  readonly sandbox_created_at: number
  readonly production_id: string
  readonly production_created_at: number
}

/** The most active projects of an organization. gaps-1 G "Number of projects" */
export const projectLimit = 100

/** Returns the project as reads show it, its sandbox environment first. A-PROJ-01..04, gaps-1 G "Environment items" */
export const readProject = (row: ProjectRow): Project => ({
  id: row.id,
  object: "project",
  name: row.name,
  slug: row.slug,
  default_language: row.default_language,
  default_region: row.default_region,
  profile: readJson(row.profile),
  archived_at: formatTimestampOrNull(row.archived_at),
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  environments: [
    environment(row.sandbox_id, "sandbox", row.sandbox_created_at),
    environment(row.production_id, "production", row.production_created_at)
  ]
})

const environment = (id: string, kind: "sandbox" | "production", createdAt: number) => ({
  id,
  object: "environment" as const,
  kind,
  created_at: formatTimestamp(createdAt)
})
