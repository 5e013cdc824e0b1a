import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { DefaultLanguage, Project } from "@carteiro/schema/projects/Project.ts"
import { Schema } from "effect"

/** A row of `projects` beside its two environments; instants as the driver gives them. */
export interface ProjectRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly default_language: DefaultLanguage
  /** JSON object. */
  readonly profile: string
  readonly archived_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly sandbox_id: string
  readonly sandbox_created_at: Date
  readonly production_id: string
  readonly production_created_at: Date
}

/** Active projects an organization may hold. gaps-1 G "Number of projects" */
export const projectLimit = 100

/** The project as reads show it, its sandbox environment first. A-PROJ-01..04, gaps-1 G "Environment items" */
export const readProject = (row: ProjectRow): Project => ({
  id: row.id,
  object: "project",
  name: row.name,
  slug: row.slug,
  default_language: row.default_language,
  profile: readProfile(row.profile),
  archived_at: formatTimestampOrNull(row.archived_at?.getTime() ?? null),
  created_at: formatTimestamp(row.created_at.getTime()),
  updated_at: formatTimestamp(row.updated_at.getTime()),
  environments: [
    environment(row.sandbox_id, "sandbox", row.sandbox_created_at),
    environment(row.production_id, "production", row.production_created_at)
  ]
})

const readProfile = Schema.decodeSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const environment = (id: string, kind: "sandbox" | "production", createdAt: Date) => ({
  id,
  object: "environment" as const,
  kind,
  created_at: formatTimestamp(createdAt.getTime())
})
