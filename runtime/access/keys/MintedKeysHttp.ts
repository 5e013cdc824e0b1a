import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ApiKeyNotFound, InvalidApiKeyRequest } from "@carteiro/schema/access/AccessErrors.ts"
import { MintedKeysApi } from "@carteiro/schema/access/MintedKeysApi.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect } from "effect"
import { readApiKey } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { collapsed, keyExpiry, keyExpiryHolds } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"

/** The operations of people that read keys, and make one with any scope. gaps-1 C "First administrative key and bootstrap", decision 0155 */
export const MintedKeysHttp = Routes.group(
  MintedKeysApi,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const repo = yield* ApiKeyRepo
    const cursors = yield* Cursors
    return Routes.handlers(MintedKeysApi, {
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const page = { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) }
        return pageReply(request, yield* idPage(page, (after, count) => repo.list(scope, after, count), readApiKey))
      }),
      get: Effect.fnUntraced(function* (request) {
        const row = yield* repo.find(request.caller.environment_id, request.params.api_key_id)
        return reply(request, 200, readApiKey(row ?? (yield* new ApiKeyNotFound())))
      }),
      mint: Effect.fnUntraced(function* ({ body, caller, realNow, traceId }) {
        if (!keyExpiryHolds(body.expires_at, realNow)) return yield* new InvalidApiKeyRequest({ param: "expires_at" })
        const { environment, environment_id, organization_id, project_id } = caller
        const plan = {
          organization_id,
          project_id,
          environment_id,
          environment,
          name: clean(body.name),
          scopes: collapsed(body.scopes),
          kind: "standard",
          expires_at: keyExpiry(body.expires_at)
        } as const
        return reply({ traceId }, 201, yield* keys.mint(plan, realNow))
      })
    })
  })
)
