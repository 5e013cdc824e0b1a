import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { FlowsApi } from "@carteiro/schema/flows/Flow.ts"
import { Effect } from "effect"
import { FlowActions } from "./FlowActions.ts"
import { FlowRepo } from "./FlowRepo.ts"
import { readFlowEntry } from "./FlowState.ts"

/** Routes of `/v1/flows`. gaps-2 G "Flow routes" */
export const FlowsHttp = Routes.group(
  FlowsApi,
  Effect.gen(function* () {
    const actions = yield* FlowActions
    const repo = yield* FlowRepo
    const cursors = yield* Cursors
    return Routes.handlers(FlowsApi, {
      create: (request) => actions.create(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.list(scope, before, count),
          (row) => readFlowEntry(row, caller.environment)
        )
        return pageReply(request, page)
      }),
      get: (request) => actions.get(request, request.params.flow_id),
      update: (request) => actions.change(request, request.params.flow_id, request.body),
      publish: (request) => actions.publish(request, request.params.flow_id),
      deprecate: (request) => actions.deprecate(request, request.params.flow_id),
      delete: (request) => actions.delete(request, request.params.flow_id)
    })
  })
)
