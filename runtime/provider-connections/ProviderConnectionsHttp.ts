import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ProviderConnectionsApi } from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import { Effect } from "effect"
import { channelsOf } from "./connection/ChannelStatus.ts"
import { readConnection } from "./connection/StoredConnection.ts"
import { StoredConnectionRepo } from "./connection/StoredConnectionRepo.ts"
import { ConnectionActions } from "./manage/ConnectionActions.ts"
import { SignupActions } from "./signup/SignupActions.ts"

const oauthPath = "/v1/provider-connections/upstream/oauth"

/** Routes of `/v1/provider-connections`. gaps-2 L */
export const ProviderConnectionsHttp = Routes.group(
  ProviderConnectionsApi,
  Effect.gen(function* () {
    const actions = yield* ConnectionActions
    const signups = yield* SignupActions
    const repo = yield* StoredConnectionRepo
    const cursors = yield* Cursors
    return Routes.handlers(ProviderConnectionsApi, {
      status: (request) => {
        const { environment, environment_id } = request.caller
        return Effect.map(repo.current(environment_id), (connections) =>
          reply(request, 200, {
            object: "provider_connection_status",
            environment,
            channels: channelsOf(connections, environment, request.now)
          })
        )
      },
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.list(scope, query, before, count),
          readConnection
        )
        return pageReply(request, page)
      }),
      get: (request) => actions.get(request, request.params.connection_id),
      registerUpstream: (request) => actions.register(request, request.body),
      exchangeUpstreamCode: (request) => signups.oauth(request, oauthPath, request.body),
      rotateToken: (request) => actions.rotate(request, request.params.connection_id, request.body),
      completePending: (request) => actions.complete(request, request.params.connection_id, request.body),
      disconnect: (request) => actions.disconnect(request, request.params.connection_id)
    })
  })
)
