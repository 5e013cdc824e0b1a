import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { ProjectsApi } from "@carteiro/schema/projects/Project.ts"
import { Effect } from "effect"
import { ProjectActions } from "./ProjectActions.ts"
import { readProject } from "./ProjectRead.ts"
import { ProjectRepo } from "./ProjectRepo.ts"

/** The routes of projects; they reach all projects of the calling key's organization and no others. A-PROJ-05..20 */
export const ProjectsHttp = Routes.group(
  ProjectsApi,
  Effect.gen(function* () {
    const repo = yield* ProjectRepo
    const actions = yield* ProjectActions
    const cursors = yield* Cursors
    return Routes.handlers(ProjectsApi, {
      create: (request) => actions.create(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const size = pageSize(query.limit)
        const asked = { cursors, route: operation, scope: caller.environment_id, after: query.starting_after, size }
        const rows = (after: string | undefined, count: number) => repo.list(caller.organization_id, after, count)
        return pageReply(request, yield* idPage(asked, rows, readProject))
      }),
      get: Effect.fnUntraced(function* (request) {
        const row = yield* repo.findActive(request.caller.organization_id, request.params.project_id)
        return reply(request, 200, readProject(row ?? (yield* new ProjectNotFound())))
      })
    })
  })
)
