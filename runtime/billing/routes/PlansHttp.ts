import { refusalReply } from "@carteiro/http-edge/Refusals.ts"
import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { requestOf } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { BillingProviderNotConfigured, CardDeclined, RateCardNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import { PlansApi } from "@carteiro/schema/billing/Plans.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { planAccountOf } from "../plans/AccountPlans.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { readOffering, transportPrice } from "../plans/PlanRead.ts"
import { RateCardRepo } from "../prices/RateCardRepo.ts"
import { readCheckout, readPixCheckout, readSubscription } from "../subscription/SubscriptionRead.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"

/** The routes of plans: of the organization, or of the simulated account of a sandbox. C-PLAN-01..23 */
export const PlansHttp = Routes.group(
  PlansApi,
  Effect.gen(function* () {
    const catalog = yield* PlanCatalogRepo
    const prices = yield* RateCardRepo
    const subscriptions = yield* SubscriptionRepo
    const charges = yield* ChargeRepo
    const accounts = yield* BillingAccountEntity.client
    const processor = yield* CardProcessor
    const pix = yield* PlatformPix
    const commit = yield* Commit
    const ids = yield* Ids

    const transport = Effect.fnUntraced(function* (now: number) {
      return transportPrice(yield* prices.at(now)) ?? (yield* new RateCardNotFound())
    })

    const shown = Effect.fnUntraced(function* (account: string, now: number) {
      const price = yield* transport(now)
      const subscription = yield* subscriptions.read(account)
      const plans = yield* catalog.byId
      return readSubscription(account, subscription, plans.get(subscription.plan_offering_id ?? ""), price)
    })

    const answered = ({ body, status }: { readonly status: number; readonly body: string }) => rawReply(status, body)

    return Routes.handlers(PlansApi, {
      list: Effect.fnUntraced(function* (request) {
        const price = yield* transport(request.now)
        const data = (yield* catalog.all).map((plan) => readOffering(plan, price))
        return reply(request, 200, { object: "list", data, has_more: false, next_cursor: null })
      }),
      get: (request) =>
        Effect.map(shown(planAccountOf(request.caller), request.now), (subscription) =>
          reply(request, 200, subscription)
        ),
      subscribe: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now } = request
        const account = planAccountOf(caller)
        const provider = body.rail === "cardproc_card" ? processor : pix
        if (caller.environment === "production" && provider === undefined) {
          return yield* new BillingProviderNotConfigured()
        }
        const { invoice_id } = yield* accounts.BeginSubscription(account, {
          ...body,
          invoice_id: ids.mint("inv", now),
          request: claim === undefined ? undefined : requestOf(claim)
        })
        // After a timeout the response shows the invoice as it is.
        yield* Effect.ignore(accounts.AwaitCharge(account, { charge_id: invoice_id }))
        const charge = yield* charges.find(account, invoice_id)
        if (charge === undefined) return yield* Effect.die(new Error(`no charge ${invoice_id}`))
        const { decline_code, state } = charge
        if (state === "failed" && decline_code !== null) {
          return yield* commit.complete(
            claim,
            yield* refusalReply(new CardDeclined({ details: { decline_code } }), request)
          )
        }
        const checkout = charge.rail === "card" ? null : readPixCheckout(charge)
        // Without a code the invoice cannot be paid; a repeated request with the key finds the code once the provider
        // has answered.
        if (state === "failed" || checkout === undefined) return yield* new ProviderError()
        return yield* commit.complete(claim, reply(request, 201, readCheckout(yield* shown(account, now), checkout)))
      }),
      change: ({ body, caller, claim, traceId }) =>
        Effect.map(accounts.CommandPlan(planAccountOf(caller), { _tag: "Change", ...body, traceId, claim }), answered),
      cancel: ({ caller, claim, traceId }) =>
        Effect.map(accounts.CommandPlan(planAccountOf(caller), { _tag: "Cancel", traceId, claim }), answered)
    })
  })
)
