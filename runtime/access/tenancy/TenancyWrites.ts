import { defineWrite } from "@carteiro/tables/Write.ts"

/** Inserts an organization with its first member, an owner, and its count of projects. A-CONV-02 */
export const insertOrganization = defineWrite({
  name: "organizations.insert",
  columns: {
    id: "text",
    name: "text",
    member_id: "text",
    member_name: "text",
    email: "text",
    credit_blocked: "bool",
    at: "timestamptz"
  },
  before: [
    {
      name: "organizations_inserted",
      sql: (source) => `insert into organizations (id, name, credit_blocked, created_at)
        select r.id, r.name, r.credit_blocked, r.at from ${source} r`
    },
    {
      name: "organizations_counted",
      sql: (source) => `insert into organization_counters (organization_id, active_projects, revision)
        select r.id, 1, 1 from ${source} r`
    }
  ],
  sql: (source) => `insert into members (organization_id, id, name, email, role, created_at)
    select r.id, r.member_id, r.member_name, r.email, 'owner', r.at from ${source} r`
})

/** Inserts a project with both environments and their counters. A-PROJ-06 */
export const insertProject = defineWrite({
  name: "projects.insert",
  columns: {
    organization_id: "text",
    id: "text",
    name: "text",
    slug: "text",
    sandbox_id: "text",
    production_id: "text",
    at: "timestamptz"
  },
  before: [
    {
      name: "projects_inserted",
      sql: (source) => `insert into projects (organization_id, id, name, slug, created_at, updated_at)
        select r.organization_id, r.id, r.name, r.slug, r.at, r.at from ${source} r`
    },
    {
      name: "environments_inserted",
      sql: (source) => `insert into environments (id, organization_id, project_id, kind, created_at)
        select e.id, r.organization_id, r.id, e.kind, r.at from ${source} r
        cross join lateral (values (r.sandbox_id, 'sandbox'), (r.production_id, 'production')) e(id, kind)`
    }
  ],
  sql: (source) => `insert into environment_counters (environment_id)
    select e.id from ${source} r cross join lateral (values (r.sandbox_id), (r.production_id)) e(id)`
})
