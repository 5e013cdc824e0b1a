import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { DataRetentionApi } from "@carteiro/schema/contacts/DataRetention.ts"
import { Effect } from "effect"
import { DataRetention } from "./DataRetention.ts"
import { readPolicy } from "./RetentionPolicy.ts"

/** Routes of `/v1/data-retention`. gaps-2 I "Data retention" */
export const DataRetentionHttp = Routes.group(
  DataRetentionApi,
  Effect.gen(function* () {
    const retention = yield* DataRetention
    return Routes.handlers(DataRetentionApi, {
      get: (request) =>
        Effect.map(retention.policyOf(request.caller.environment_id), (policy) =>
          reply(request, 200, readPolicy(policy))
        ),
      update: (request) =>
        Effect.map(retention.change(request.caller.environment_id, request.body, request.now), (policy) =>
          reply(request, 200, readPolicy(policy))
        )
    })
  })
)
