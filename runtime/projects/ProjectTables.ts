import type { DefaultLanguage, Project } from "@carteiro/schema/projects/Project.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids, tenant } from "../erasure/Standings.ts"

/** Counts that limit an organization, moved by a conditional update, so that parallel requests cannot pass the limit. */
export const organizationCountersTable = defineTable("organization_counters", {
  owner: "projects",
  erasure: ids,
  key: ["organization_id"],
  columns: {
    organization_id: text,
    active_projects: defaulted(int4),
    revision: defaulted(int8)
  }
})

/** Projects of an organization. */
export const projectsTable = defineTable("projects", {
  owner: "projects",
  erasure: tenant,
  key: ["organization_id", "id"],
  columns: {
    organization_id: text,
    id: text,
    name: text,
    slug: text,
    default_language: defaulted(textOf<DefaultLanguage>()),
    profile: defaulted(jsonOf<Project["profile"]>()),
    archived_at: nullable(timestamptz),
    deleted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    monthly_spend_cap: nullable(int8),
    default_region: defaulted(text)
  }
})

/** The columns of a project that reads show. */
export const projectColumns = select(
  projectsTable,
  "id",
  "name",
  "slug",
  "default_language",
  "default_region",
  "profile",
  "archived_at",
  "created_at",
  "updated_at"
)
