import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { NumprovConnectionsApi } from "@carteiro/schema/provider-connections/NumprovConnectionsApi.ts"
import { ProviderConnectionNotFound } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Effect } from "effect"
import { NumprovActions } from "./NumprovActions.ts"
import { NumprovRepo } from "./NumprovRepo.ts"
import { readNumprov, readResource } from "./NumprovState.ts"

/** Routes of `/v1/provider-connections/numprov`. gaps-2 L "Number-provider connections" */
export const NumprovHttp = Routes.group(
  NumprovConnectionsApi,
  Effect.gen(function* () {
    const actions = yield* NumprovActions
    const repo = yield* NumprovRepo
    const cursors = yield* Cursors
    return Routes.handlers(NumprovConnectionsApi, {
      register: (request) => actions.register(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          Effect.fnUntraced(function* (before, count) {
            const rows = yield* repo.list(scope, before, count)
            const latest = yield* repo.latest(
              scope,
              rows.map(({ id }) => id)
            )
            return rows.map((row) => readNumprov(row, latest.get(row.id)))
          }),
          (connection) => connection
        )
        return pageReply(request, page)
      }),
      get: (request) => actions.get(request, request.params.numprov_connection_id),
      rotate: (request) => actions.rotate(request, request.params.numprov_connection_id, request.body),
      discover: (request) => actions.discover(request, request.params.numprov_connection_id),
      disconnect: (request) => actions.disconnect(request, request.params.numprov_connection_id),
      operation: ({ params, ...request }) =>
        actions.operation(request, params.numprov_connection_id, params.numprov_operation_id),
      resources: Effect.fnUntraced(function* (request) {
        const { caller, operation, params, query } = request
        const { environment_id } = caller
        const id = params.numprov_connection_id
        // The cursor is checked before the connection is looked up. gaps-1 A "Order of checks in one request"
        const rows = Effect.fnUntraced(function* (before: string | undefined, count: number) {
          const connection = parseId("npc", id) ? yield* repo.find(environment_id, id) : undefined
          if (connection === undefined) return yield* new ProviderConnectionNotFound()
          return yield* repo.resources(environment_id, id, before, count)
        })
        const page = yield* idPage(
          { cursors, route: operation, scope: id, after: query.starting_after, size: pageSize(query.limit) },
          rows,
          readResource
        )
        return pageReply(request, page)
      })
    })
  })
)
