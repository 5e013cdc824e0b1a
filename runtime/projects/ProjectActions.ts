import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProjectNotFound, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { CreateProject, Project } from "@carteiro/schema/projects/Project.ts"
import { ProjectLimitReached, ProjectSlugTaken } from "@carteiro/schema/projects/ProjectErrors.ts"
import { standardRegion } from "@carteiro/spellings/Phone.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { Tenancy } from "../access/Access.ts"
import type { ApiCall } from "../tenancy/ApiCall.ts"
import { projectLimit, readProject } from "./ProjectRead.ts"
import { ProjectRepo } from "./ProjectRepo.ts"
import { restoreProject, takeRoom } from "./ProjectWrites.ts"
import { deriveSlug, freeSlug, slugFamily } from "./Slug.ts"

/**
 * The most attempts to create a project: each failed attempt means that another project was made, so the organization
 * is full before this is reached.
 */
const attempts = projectLimit + 1

/** A call whose effect belongs to the organization: a sandbox may make it, and its turned clock does not count. */
type OrganizationCall = ApiCall<"organization_id"> & { readonly realNow: RealInstant }

/** The actions on projects; instants in milliseconds. gaps-1 C "Archived and deleted projects", gaps-1 G */
export class ProjectActions extends Context.Service<
  ProjectActions,
  {
    /** Creates a project with both environments; its slug and place are decided in the same commit. A-PROJ-05..13 */
    create(call: OrganizationCall, body: CreateProject): OperationReply<Project>
    /** Hides a project from project routes and key minting; a repeated call changes nothing. A-PROJ-17 */
    archive(organizationId: string, id: string, now: RealInstant): Effect.Effect<void, ApiError>
    /** Undoes `archive`, if there is a place for the project. */
    restore(organizationId: string, id: string, now: RealInstant): Effect.Effect<void, ApiError>
    /** Deletes a project for good: its keys answer 404 from the next request on. A-AUTH-13..15 */
    remove(organizationId: string, id: string, now: RealInstant): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/projects/ProjectActions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ProjectRepo
      const tenancy = yield* Tenancy
      const commit = yield* Commit
      const ids = yield* Ids

      const known = Effect.fnUntraced(function* (organizationId: string, id: string) {
        return (yield* repo.find(organizationId, id)) ?? (yield* new ProjectNotFound())
      })

      return ProjectActions.of({
        create: Effect.fnUntraced(function* (call, body) {
          const { realNow: now, caller } = call
          const organization_id = caller.organization_id
          const id = ids.mint("prj", now)
          const name = clean(body.name)
          const asked = body.slug ?? undefined
          const wanted = asked ?? deriveSlug(name)
          for (let attempt = 0; attempt < attempts; attempt++) {
            const room = yield* repo.findRoom(organization_id, slugFamily(wanted))
            if (asked !== undefined && room.taken.has(asked)) return yield* new ProjectSlugTaken({ param: "slug" })
            if (room.active_projects >= projectLimit) return yield* new ProjectLimitReached()
            const slug = asked ?? freeSlug(wanted, room.taken)
            const { rows, ...environments } = tenancy.projectRows({ organization_id, id, name, slug, at: now })
            const answer = reply(
              call,
              201,
              readProject({
                id,
                name,
                slug,
                default_language: "pt_BR",
                default_region: standardRegion,
                profile: jsonText({}),
                archived_at: null,
                created_at: now,
                updated_at: now,
                ...environments,
                sandbox_created_at: now,
                production_created_at: now
              })
            )
            const written = yield* commit.write([repo.takeRoom(organization_id, room), ...rows], {
              claim: call.claim,
              response: answer
            })
            if (written(takeRoom.name).has(organization_id)) return answer
          }
          return yield* new ServiceUnavailable({ retry_after_ms: 1000 })
        }),
        archive: Effect.fnUntraced(function* (organizationId, id, now) {
          const row = yield* known(organizationId, id)
          if (row.archived_at === null) yield* commit.write([repo.archive(organizationId, id, now)])
        }),
        restore: Effect.fnUntraced(function* (organizationId, id, now) {
          const row = yield* known(organizationId, id)
          if (row.archived_at === null) return
          const written = yield* commit.write([repo.restore(organizationId, id, now)])
          if (!written(restoreProject.name).has(id)) return yield* new ProjectLimitReached()
        }),
        remove: Effect.fnUntraced(function* (organizationId, id, now) {
          yield* known(organizationId, id)
          yield* commit.write([repo.remove(organizationId, id, now)])
        })
      })
    })
  )
}
