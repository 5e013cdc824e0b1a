import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { AutoTopupApi } from "@carteiro/schema/billing/AutoTopup.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { Effect } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { planAccountOf } from "../plans/AccountPlans.ts"
import { readAutoTopup } from "../topups/AutoTopupRead.ts"

/** The routes of automatic top-up. C-ATOP-01..05 */
export const AutoTopupHttp = Routes.group(
  AutoTopupApi,
  Effect.gen(function* () {
    const repo = yield* CardRepo
    const accounts = yield* BillingAccountEntity.client
    return Routes.handlers(AutoTopupApi, {
      read: Effect.fnUntraced(function* (request) {
        const account = planAccountOf(request.caller)
        return reply(request, 200, readAutoTopup(account, yield* repo.auto(account)))
      }),
      set: Effect.fnUntraced(function* ({ body, caller, claim, traceId }) {
        const { amount_brl, enabled, payment_method_id, threshold_brl } = body
        const { body: text, status } = yield* accounts.SetAutoTopup(planAccountOf(caller), {
          enabled,
          // The contract has already validated both.
          threshold: parseBrl(threshold_brl) ?? 0,
          amount: parseBrl(amount_brl) ?? 0,
          payment_method_id: payment_method_id ?? null,
          traceId,
          claim
        })
        return rawReply(status, text)
      })
    })
  })
)
