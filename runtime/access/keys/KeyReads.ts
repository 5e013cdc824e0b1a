import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { ApiKeyNotFound } from "@carteiro/schema/access/AccessErrors.ts"
import { Effect } from "effect"
import { readApiKey } from "./ApiKeyRead.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"

/** A request to read keys of the caller's environment. */
interface KeyRequest {
  readonly caller: { readonly environment_id: string }
  readonly traceId: string
}

/** The handlers that read keys without their secrets, for keys with the scope and for people. A-KEY-08..31 */
export const keyReads = Effect.gen(function* () {
  const repo = yield* ApiKeyRepo
  const cursors = yield* Cursors
  return {
    list: Effect.fnUntraced(function* (
      request: KeyRequest & {
        readonly operation: string
        readonly query: { readonly limit?: string | undefined; readonly starting_after?: string | undefined }
      }
    ) {
      const { caller, operation, query } = request
      const scope = caller.environment_id
      const page = { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) }
      return pageReply(request, yield* idPage(page, (after, count) => repo.list(scope, after, count), readApiKey))
    }),
    get: Effect.fnUntraced(function* (request: KeyRequest & { readonly params: { readonly api_key_id: string } }) {
      const row = yield* repo.find(request.caller.environment_id, request.params.api_key_id)
      return reply(request, 200, readApiKey(row ?? (yield* new ApiKeyNotFound())))
    })
  }
})
