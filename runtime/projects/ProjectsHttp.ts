import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { ProjectsApi } from "@carteiro/schema/projects/Project.ts"
import { Effect } from "effect"
import { reply } from "../platform/http/Reply.ts"
import { Routes } from "../platform/http/Routes.ts"
import { Cursors } from "../platform/paging/Cursors.ts"
import { listPage, pageSize } from "../platform/paging/Page.ts"
import { ProjectActions } from "./ProjectActions.ts"
import { readProject } from "./ProjectRead.ts"
import { ProjectRepo } from "./ProjectRepo.ts"

const listRoute = "projects.list"

/** The routes of projects; they reach the whole organization of the calling key and nothing beyond. A-PROJ-05..20 */
export const ProjectsHttp = Routes.group(
  ProjectsApi,
  Effect.gen(function* () {
    const repo = yield* ProjectRepo
    const actions = yield* ProjectActions
    const cursors = yield* Cursors
    return Routes.handlers(ProjectsApi, {
      create: (request) => actions.create(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, query } = request
        const scope = caller.environment_id
        const after =
          query.starting_after === undefined ? [] : yield* cursors.decode(listRoute, scope, query.starting_after)
        const size = pageSize(query.limit)
        const rows = yield* repo.list(caller.organization_id, after[0], size)
        return reply(
          request,
          200,
          listPage(rows, size, readProject, ({ id }) => cursors.encode(listRoute, scope, [id]))
        )
      }),
      get: (request) =>
        Effect.flatMap(repo.findActive(request.caller.organization_id, request.params.project_id), (row) =>
          row === undefined ? Effect.fail(new ProjectNotFound()) : Effect.succeed(reply(request, 200, readProject(row)))
        )
    })
  })
)
