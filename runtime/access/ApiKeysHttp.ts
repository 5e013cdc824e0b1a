import { ApiKeyNotFound } from "@carteiro/schema/access/AccessErrors.ts"
import { ApiKeysApi } from "@carteiro/schema/access/ApiKey.ts"
import { Effect } from "effect"
import { reply } from "../platform/http/Reply.ts"
import { Routes } from "../platform/http/Routes.ts"
import { Cursors } from "../platform/paging/Cursors.ts"
import { listPage, pageSize } from "../platform/paging/Page.ts"
import { readApiKey } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { createOffence } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"

const listRoute = "apiKeys.list"

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
        const { caller, query } = request
        const scope = caller.environment_id
        const after =
          query.starting_after === undefined ? [] : yield* cursors.decode(listRoute, scope, query.starting_after)
        const size = pageSize(query.limit)
        const rows = yield* repo.list(scope, after[0], size)
        return reply(
          request,
          200,
          listPage(rows, size, readApiKey, ({ id }) => cursors.encode(listRoute, scope, [id]))
        )
      }),
      get: (request) =>
        Effect.flatMap(repo.find(request.caller.environment_id, request.params.api_key_id), (row) =>
          row === undefined ? Effect.fail(new ApiKeyNotFound()) : Effect.succeed(reply(request, 200, readApiKey(row)))
        ),
      rename: (request) =>
        Effect.map(keys.rename(request.caller.environment_id, request.params.api_key_id, request.body.name), (row) =>
          reply(request, 200, readApiKey(row))
        ),
      rotate: (request) => keys.rotate(request, request.params.api_key_id),
      revoke: (request) =>
        Effect.map(keys.revoke(request.caller.environment_id, request.params.api_key_id, request.now), (row) =>
          reply(request, 200, readApiKey(row))
        )
    })
  }),
  { judgements: { create: createOffence } }
)
