import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { ApiKeysApi } from "@carteiro/schema/access/ApiKey.ts"
import { Effect } from "effect"
import { readApiKey } from "./ApiKeyRead.ts"
import { createOffence } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { keyReads } from "./KeyReads.ts"

/** The routes of API keys: keys of the calling key's project and environment only. A-KEY-08..31 */
export const ApiKeysHttp = Routes.group(
  ApiKeysApi,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const reads = yield* keyReads
    return Routes.handlers(ApiKeysApi, {
      create: (request) => keys.create(request, request.body),
      ...reads,
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
