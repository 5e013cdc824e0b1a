import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { BillingApi } from "@carteiro/schema/billing/Billing.ts"
import { OrganizationNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { readBalance, readEntry } from "./LedgerRead.ts"
import { LedgerRepo } from "./LedgerRepo.ts"

/**
 * Routes of the balance and the ledger: of the whole organization, for every key of it. gaps-3 A "Who owns billing
 * state"
 */
export const BillingHttp = Routes.group(
  BillingApi,
  Effect.gen(function* () {
    const repo = yield* LedgerRepo
    const cursors = yield* Cursors
    return Routes.handlers(BillingApi, {
      balance: Effect.fnUntraced(function* (request) {
        const { organization_id } = request.caller
        const row = yield* repo.balance(organization_id)
        return reply(request, 200, readBalance(organization_id, row ?? (yield* new OrganizationNotFound())))
      }),
      ledger: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const size = pageSize(query.limit)
        const asked = { cursors, route: operation, scope: caller.organization_id, after: query.starting_after, size }
        const filter = { environment: query.environment, source_type: query.source_type }
        const rows = (after: string | undefined, count: number) =>
          repo.list(caller.organization_id, filter, after, count)
        return pageReply(request, yield* idPage(asked, rows, readEntry))
      })
    })
  })
)
