import { parseId } from "@carteiro/owners/Ids.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ProjectRow } from "./ProjectRead.ts"
import { projectColumns } from "./ProjectTables.ts"
import {
  archiveProject,
  capProject,
  configureProject,
  removeProject,
  restoreProject,
  takeRoom
} from "./ProjectWrites.ts"

/** The settings of a project that people change. */
export type ProjectSettings = Pick<ProjectRow, "name" | "default_language" | "default_region" | "profile">

/** The facts that decide the creation of a project. */
export interface ProjectRoom {
  /** Increases with every project of the organization. */
  readonly revision: number
  readonly active_projects: number
  /** The slugs in use, among those that were asked for. */
  readonly taken: ReadonlySet<string>
}

/** Rows of `projects`, always within one organization. */
export class ProjectRepo extends Context.Service<
  ProjectRepo,
  {
    /** Returns an active project; a text that is no project's id costs no read. */
    findActive(organizationId: string, id: string): Effect.Effect<ProjectRow | undefined>
    /** Returns a project that is not deleted, archived or not. */
    find(organizationId: string, id: string): Effect.Effect<ProjectRow | undefined>
    /** Returns active projects newest first, after the one with that id. */
    list(organizationId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ProjectRow>>
    /** Returns active projects before archived ones, newest first; deleted ones never. */
    listAll(organizationId: string): Effect.Effect<ReadonlyArray<ProjectRow>>
    /** Returns whether there is room for a project, and which slugs with this prefix are taken. */
    findRoom(organizationId: string, slugPrefix: string): Effect.Effect<ProjectRoom>
    /**
     * Returns the row that takes the room; `organization_counters.project` returns the organization when the room was
     * still free.
     */
    takeRoom(organizationId: string, room: ProjectRoom): Row
    configure(organizationId: string, id: string, settings: ProjectSettings, at: number): Row
    /** Returns the most that a project may spend in a month, in 1/10,000 BRL; null for no limit. */
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
      const select =
        sql.literal(`select ${projectColumns.of("p")}, s.id as sandbox_id, s.created_at as sandbox_created_at,
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
        configure: (organization_id, id, settings, at) =>
          configureProject.row({ organization_id, id, ...settings, updated_at: at }),
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
