import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ApiKeyNotFound } from "@carteiro/schema/access/AccessErrors.ts"
import { ApiKeysApi } from "@carteiro/schema/access/ApiKey.ts"
import { Effect } from "effect"
import { readApiKey } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { createOffence } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"

/** The routes of API keys: keys of the calling key's project and environment only. A-KEY-08..31 */
export const ApiKeysHttp = Routes.group(
  ApiKeysApi,
  Effect.gen(function* () {
    const repo = yield* ApiKeyRepo
    const keys = yield* ApiKeys
    const cursors = yield* Cursors
    return Routes.handlers(ApiKeysApi, {
      create: (request) => keys.create(request, request.body),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const size = pageSize(query.limit)
        const asked = { cursors, route: operation, scope, after: query.starting_after, size }
        return pageReply(request, yield* idPage(asked, (after, count) => repo.list(scope, after, count), readApiKey))
      }),
      get: Effect.fnUntraced(function* (request) {
        const row = yield* repo.find(request.caller.environment_id, request.params.api_key_id)
        return reply(request, 200, readApiKey(row ?? (yield* new ApiKeyNotFound())))
      }),
      rename: (request) =>
        Effect.map(keys.rename(request.caller.environment_id, request.params.api_key_id, request.body.name), (row) =>
          reply(request, 200, readApiKey(row))
        ),
      rotate: (request) => keys.rotate(request, request.params.api_key_id),
      revoke: (request) =>
        Effect.map(keys.revoke(request.caller.environment_id, request.params.api_key_id, request.realNow), (row) =>
          reply(request, 200, readApiKey(row))
        )
    })
  }),
  { callerChecks: { create: createOffence } }
)
