import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { InvalidApiKeyRequest } from "@carteiro/schema/access/AccessErrors.ts"
import type { ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import { MintedKeysApi } from "@carteiro/schema/access/MintedKeysApi.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect } from "effect"
import { collapsed, keyExpiry, keyExpiryHolds } from "./ApiKeyRules.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { keyReads } from "./KeyReads.ts"

/** The operations of people that read keys, and make one with any scope. gaps-1 C "First administrative key and bootstrap", decision 0155 */
export const MintedKeysHttp = Routes.group(
  MintedKeysApi,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const reads = yield* keyReads
    return Routes.handlers(MintedKeysApi, {
      ...reads,
      mint: Effect.fnUntraced(function* ({ body, caller, claim, realNow, traceId }) {
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
        const complete = (key: ApiKeyWithSecret) => ({ claim, response: reply({ traceId }, 201, key) })
        return reply({ traceId }, 201, yield* keys.mint(plan, realNow, complete))
      })
    })
  })
)
