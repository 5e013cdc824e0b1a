import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { refusalReply } from "@carteiro/http-edge/Refusals.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { requestOf } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { BillingProviderNotConfigured, CardDeclined } from "@carteiro/schema/billing/BillingErrors.ts"
import { PackagesApi } from "@carteiro/schema/billing/CreditTopup.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { planAccountOf } from "../plans/AccountPlans.ts"
import { readOffering, readTopup } from "../topups/TopupRead.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"

/** The routes of packages and top-ups: of the organization, or of the simulated account of a sandbox. C-PKG-09..14 */
export const PackagesHttp = Routes.group(
  PackagesApi,
  Effect.gen(function* () {
    const repo = yield* TopupRepo
    const cursors = yield* Cursors
    const accounts = yield* BillingAccountEntity.client
    const processor = yield* CardProcessor
    const commit = yield* Commit
    const ids = yield* Ids

    return Routes.handlers(PackagesApi, {
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const account = planAccountOf(caller)
        const size = pageSize(query.limit)
        const asked = { cursors, route: operation, scope: account, after: query.starting_after, size }
        const rows = (after: string | undefined, count: number) => repo.list(account, query.status, after, count)
        const page = yield* idPage(asked, rows, readTopup)
        return pageReply(request, page, { available_packages: (yield* repo.offerings).map(readOffering) })
      }),
      purchase: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now } = request
        const account = planAccountOf(caller)
        if (caller.environment === "production" && processor === undefined) {
          return yield* new BillingProviderNotConfigured()
        }
        const { topup_id } = yield* accounts.BuyPackage(account, {
          topup_id: ids.mint("ctu", now),
          package_code: body.package_code,
          payment_method_id: body.payment_method_id ?? null,
          request: claim === undefined ? undefined : requestOf(claim)
        })
        // After a timeout the response shows the top-up as it is.
        yield* Effect.ignore(accounts.AwaitCharge(account, { charge_id: topup_id }))
        const topup = yield* repo.find(account, topup_id)
        if (topup === undefined) return yield* Effect.die(new Error(`no top-up ${topup_id}`))
        if (topup.status !== "failed") return yield* commit.complete(claim, reply(request, 201, readTopup(topup)))
        const { decline_code } = topup
        if (decline_code === null) return yield* new ProviderError()
        const details = { credit_topup_id: topup_id, decline_code }
        return yield* commit.complete(claim, yield* refusalReply(new CardDeclined({ details }), request))
      })
    })
  })
)
