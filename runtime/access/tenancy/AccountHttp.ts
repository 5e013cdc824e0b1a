import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { AccountApi } from "@carteiro/schema/access/Account.ts"
import { AuthenticationError, keyRefusals } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { readAccount } from "./AccountRead.ts"
import { AccountRepo } from "./AccountRepo.ts"

/** GET /v1/account and its alias. A-ACCT-01..07 */
export const AccountHttp = Routes.group(
  AccountApi,
  Effect.gen(function* () {
    const accounts = yield* AccountRepo
    const read = Effect.fnUntraced(function* (request: { readonly caller: Caller; readonly traceId: string }) {
      const found = yield* accounts.find(request.caller.environment_id, request.caller.api_key_id)
      if (found === undefined) return yield* new AuthenticationError({ message: keyRefusals.revoked_or_expired })
      return reply(request, 200, readAccount(found.account, found.key))
    })
    return Routes.handlers(AccountApi, { get: read, me: read })
  })
)
