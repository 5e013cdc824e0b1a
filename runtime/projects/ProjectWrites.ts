import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { projectLimit } from "./ProjectRead.ts"
import { organizationCountersTable, projectsTable } from "./ProjectTables.ts"

const columns = { organization_id: "text", id: "text", at: "timestamptz" } as const
const projectAndCounter = (row: { readonly organization_id: string | null; readonly id: string | null }) => [
  `projects/${row.id}`,
  `organization_counters/${row.organization_id}`
]

const freePlaces = (organizations: string): string =>
  `update organization_counters c set active_projects = c.active_projects - g.places
    from (select o.organization_id, count(*)::int4 as places from (${organizations}) o group by 1) g
    where c.organization_id = g.organization_id`

/** Takes the place of one more project, if no project was made since the read. gaps-1 G "Number of projects" */
export const takeRoom = updateOf(organizationCountersTable, {
  name: "organization_counters.project",
  beside: { revision: "int8" },
  values: { active_projects: "t.active_projects + 1", revision: "t.revision + 1" },
  guard: `t.revision = r.revision and t.active_projects < ${projectLimit}`,
  returning: "t.organization_id"
})

/** Hides a project; its place becomes free, its slug stays taken. gaps-1 C "Archived and deleted projects" */
export const archiveProject = defineWrite({
  name: "projects.archive",
  columns,
  target: projectAndCounter,
  before: [
    {
      name: "projects_archived",
      sql: (source) => `update projects p set archived_at = r.at, updated_at = r.at from ${source} r
        where p.organization_id = r.organization_id and p.id = r.id and p.archived_at is null and p.deleted_at is null
        returning p.organization_id`
    }
  ],
  sql: () => freePlaces("select organization_id from projects_archived")
})

/** Shows a project again; it needs a place, so a full organization cannot. */
export const restoreProject = defineWrite({
  name: "projects.restore",
  columns,
  returns: true,
  target: projectAndCounter,
  guard: (source) => `select r.unit from ${source} r
    join organization_counters c on c.organization_id = r.organization_id
    join projects p on p.organization_id = r.organization_id and p.id = r.id
    where c.active_projects < ${projectLimit} and p.archived_at is not null and p.deleted_at is null
    order by c.organization_id for update of c, p`,
  before: [
    {
      name: "projects_restored",
      sql: (source) => `update organization_counters c set active_projects = c.active_projects + 1
        from ${source} r where c.organization_id = r.organization_id`
    }
  ],
  sql: (source) => `update projects p set archived_at = null, updated_at = r.at from ${source} r
    where p.organization_id = r.organization_id and p.id = r.id
    returning p.id as key`
})

/** Writes the settings of a project; the latest write wins. gaps-1 G "Defaults not in the create body" */
export const configureProject = updateOf(projectsTable, {
  name: "projects.configure",
  set: ["name", "default_language", "default_region", "profile", "updated_at"],
  where: "t.deleted_at is null",
  target: rowOf("projects", "id")
})

/**
 * Sets the most that a project may spend in a UTC month, in 1/10,000 BRL; null for no limit. gaps-1 N "Monthly spend
 * cap"
 */
export const capProject = updateOf(projectsTable, {
  name: "projects.cap",
  set: ["monthly_spend_cap", "updated_at"],
  where: "t.deleted_at is null",
  target: rowOf("projects", "id")
})

/** Deletes a project for good, active or archived; its slug becomes free. A-AUTH-13 */
export const removeProject = defineWrite({
  name: "projects.remove",
  columns,
  target: projectAndCounter,
  before: [
    {
      name: "projects_to_remove",
      sql: (source) => `select p.organization_id, p.id, p.archived_at is null as active, r.at
        from projects p join ${source} r on p.organization_id = r.organization_id and p.id = r.id
        where p.deleted_at is null order by p.organization_id, p.id for update of p`
    },
    {
      name: "projects_removed",
      sql: () => `update projects p set deleted_at = t.at, updated_at = t.at from projects_to_remove t
        where p.organization_id = t.organization_id and p.id = t.id`
    }
  ],
  sql: () => freePlaces("select organization_id from projects_to_remove where active")
})
