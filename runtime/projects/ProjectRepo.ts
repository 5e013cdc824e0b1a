import { parseId } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ProjectRow } from "./ProjectRead.ts"
import {
  archiveProject,
  capProject,
  configureProject,
  removeProject,
  restoreProject,
  takeRoom
} from "./ProjectWrites.ts"

/** What people may set on a project. */
export type ProjectSettings = Pick<ProjectRow, "name" | "default_language" | "profile">

/** What a maker of projects looks at before it decides. */
export interface ProjectRoom {
  /** Moves with every project made in the organization. */
  readonly revision: number
  readonly active_projects: number
  /** Slugs in use, among those asked about. */
  readonly taken: ReadonlySet<string>
}

/** Rows of `projects`, always within one organization. A-PROJ-13 */
export class ProjectRepo extends Context.Service<
  ProjectRepo,
  {
    /** An active project; nothing is read for a text that could name none. A-PROJ-20 */
    findActive(organizationId: string, id: string): Effect.Effect<ProjectRow | undefined>
    /** A project that is not deleted, archived or not. */
    find(organizationId: string, id: string): Effect.Effect<ProjectRow | undefined>
    /** Active ones newest first, after the one with that id. */
    list(organizationId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ProjectRow>>
    /** Active ones before archived ones, newest first; deleted ones never. */
    listAll(organizationId: string): Effect.Effect<ReadonlyArray<ProjectRow>>
    /** Whether there is room, and which of the slugs that begin like this are taken. */
    findRoom(organizationId: string, slugPrefix: string): Effect.Effect<ProjectRoom>
    /** `organization_counters.project` hands the organization back when the room was still there. */
    takeRoom(organizationId: string, room: ProjectRoom): Row
    configure(organizationId: string, id: string, settings: ProjectSettings, at: number): Row
    /** The most it may spend in a month, in 1/10,000 BRL; null for no limit. */
    spendCap(organizationId: string, id: string): Effect.Effect<number | null>
    cap(organizationId: string, id: string, cap: number | null, at: number): Row
    archive(organizationId: string, id: string, at: number): Row
    restore(organizationId: string, id: string, at: number): Row
    remove(organizationId: string, id: string, at: number): Row
  }
>()("@carteiro/runtime/projects/ProjectRepo") {
  static readonly layer = Layer.effect(
    ProjectRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const select = sql.literal(`select p.id, p.name, p.slug, p.default_language, p.profile, p.archived_at,
          p.created_at, p.updated_at, s.id as sandbox_id, s.created_at as sandbox_created_at,
          l.id as production_id, l.created_at as production_created_at
        from projects p
        join environments s on s.project_id = p.id and s.kind = 'sandbox'
        join environments l on l.project_id = p.id and l.kind = 'production'`)
      return ProjectRepo.of({
        findActive: (organizationId, id) =>
          !parseId("prj", id)
            ? Effect.undefined
            : one(sql<ProjectRow>`${select} where p.organization_id = ${organizationId} and p.id = ${id}
              and p.archived_at is null and p.deleted_at is null`),
        find: (organizationId, id) =>
          one(sql<ProjectRow>`${select} where p.organization_id = ${organizationId} and p.id = ${id}
            and p.deleted_at is null`),
        list: (organizationId, after, count) =>
          many(sql<ProjectRow>`${select} where p.organization_id = ${organizationId}
            and p.archived_at is null and p.deleted_at is null
            ${after === undefined ? sql.literal("") : sql`and p.id < ${after}`}
            order by p.id desc limit ${count}`),
        listAll: (organizationId) =>
          many(sql<ProjectRow>`${select} where p.organization_id = ${organizationId} and p.deleted_at is null
            order by p.archived_at is not null, p.id desc`),
        findRoom: (organizationId, slugPrefix) =>
          Effect.map(
            one(sql<{
              readonly revision: number
              readonly active_projects: number
              readonly slugs: JsonText<ReadonlyArray<string>>
            }>`
              select c.revision, c.active_projects,
                (select coalesce(json_agg(p.slug), '[]')::text from projects p
                  where p.organization_id = c.organization_id and p.deleted_at is null
                    and p.slug >= ${slugPrefix} and p.slug < ${`${slugPrefix}~`}) as slugs
              from organization_counters c where c.organization_id = ${organizationId}`),
            (row) => ({
              revision: row?.revision ?? 0,
              active_projects: row?.active_projects ?? 0,
              taken: new Set(readJson(row?.slugs ?? jsonText([])))
            })
          ),
        takeRoom: (organizationId, { revision }) => takeRoom.row({ organization_id: organizationId, revision }),
        configure: (organization_id, id, { name, default_language, profile }, at) =>
          configureProject.row({ organization_id, id, name, default_language, profile, updated_at: at }),
        spendCap: (organizationId, id) =>
          Effect.map(
            one(sql<{ readonly cap: number | null }>`select monthly_spend_cap as cap from projects
              where organization_id = ${organizationId} and id = ${id}`),
            (row) => row?.cap ?? null
          ),
        cap: (organization_id, id, monthly_spend_cap, updated_at) =>
          capProject.row({ organization_id, id, monthly_spend_cap, updated_at }),
        archive: (organization_id, id, at) => archiveProject.row({ organization_id, id, at }),
        restore: (organization_id, id, at) => restoreProject.row({ organization_id, id, at }),
        remove: (organization_id, id, at) => removeProject.row({ organization_id, id, at })
      })
    })
  )
}
