import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { requestOf } from "@carteiro/owners/Idempotency.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { OwnAccountApi, type PlanStanding, type Topup } from "@carteiro/schema/billing/OwnAccountApi.ts"
import { TopupNotFound } from "@carteiro/schema/billing/TopupErrors.ts"
import { formatBrl, parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { inListOrder, readCard } from "../cards/SavedCard.ts"
import { LedgerRepo } from "../ledger/LedgerRepo.ts"
import { MessagePrices } from "../plans/MessagePrices.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import type { CatalogPlan } from "../plans/PlanRead.ts"
import { type PlanCost, planCosts } from "../subscription/PlanCost.ts"
import { type StoredSubscription, SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"
import { readAutoTopup } from "../topups/AutoTopupRead.ts"
import { readTopup, type TopupView } from "../topups/TopupRead.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { CardCollection } from "./CardCollection.ts"
import { PixTopups } from "./PixTopups.ts"

/** Operations of people about their organization's own account. Decision 0155 */
export const OwnAccountHttp = Routes.group(
  OwnAccountApi,
  Effect.gen(function* () {
    const cards = yield* CardRepo
    const catalog = yield* PlanCatalogRepo
    const subscriptions = yield* SubscriptionRepo
    const ledger = yield* LedgerRepo
    const topups = yield* TopupRepo
    const pix = yield* PixTopups
    const prices = yield* MessagePrices
    const commit = yield* Commit
    const processor = yield* CardProcessor
    const collection = yield* CardCollection
    const publicUrl = yield* PublicUrl

    /** Returns where the cardholder authenticates: asked at each look, since such pages end. */
    const authenticationPage = ({ client_secret, provider_charge_id: id, status }: TopupView) =>
      processor === undefined || status !== "pending" || client_secret === null || id === null
        ? Effect.undefined
        : processor.authenticationPage({ id, client_secret })

    const requireTopup = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const view = parseId("ctu", id) ? yield* topups.find(organizationId, id) : undefined
      if (view === undefined) return yield* new TopupNotFound()
      return readOwn(view, yield* authenticationPage(view))
    })

    return Routes.handlers(OwnAccountApi, {
      paymentSettings: Effect.fnUntraced(function* ({ caller, traceId }) {
        const { organization_id } = caller
        const { auto, cards: all, customer } = yield* cards.all(organization_id)
        const defaultId = customer?.default_payment_method_id ?? null
        return reply({ traceId }, 200, {
          object: "payment_settings",
          has_card_pages: collection.hasPages,
          cards: inListOrder(all, defaultId).map((card) => readCard(card, defaultId)),
          auto_topup: { ...readAutoTopup(organization_id, auto), has_failed: auto?.cause === "failure" }
        })
      }),

      openCardPage: Effect.fnUntraced(function* ({ caller, realNow, traceId }) {
        const address = `${publicUrl()}/dashboard/billing/cards`
        const url = yield* collection.openPage(payerOf(caller), { return_url: address, cancel_url: address }, realNow)
        return reply({ traceId }, 201, { object: "card_page", url })
      }),

      collectedCard: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { brand, exp_month, exp_year, id, last4 } = yield* collection.collected(payerOf(caller), query.page_id)
        return reply({ traceId }, 200, {
          object: "collected_card",
          cardproc_payment_method_id: id,
          brand,
          last4,
          exp_month,
          exp_year
        })
      }),

      plan: Effect.fnUntraced(function* ({ caller, realNow, traceId }) {
        const stored = yield* subscriptions.load(caller.organization_id)
        return reply({ traceId }, 200, readStanding(stored, yield* catalog.byId, realNow))
      }),

      projectSpend: ({ caller, params, query, traceId }) =>
        Effect.map(ledger.spent(caller.organization_id, params.project_id, query.month), (amount) =>
          reply({ traceId }, 200, { object: "project_spend", amount_brl: formatBrl(amount) })
        ),

      messagePrice: ({ caller, query, realNow, traceId }) =>
        Effect.map(prices.ofMessage(caller.organization_id, query.category, realNow), (price) =>
          reply({ traceId }, 200, {
            object: "message_price",
            amount_brl: price === undefined ? null : formatBrl(price)
          })
        ),

      topup: ({ caller, params, traceId }) =>
        Effect.map(requireTopup(caller.organization_id, params.topup_id), (topup) => reply({ traceId }, 200, topup)),

      topUpByPix: Effect.fnUntraced(function* ({ body, caller, claim, realNow, traceId }) {
        const { organization_id } = caller
        const request = claim === undefined ? undefined : requestOf(claim)
        // The contract has already validated the amount.
        const { id } = yield* pix.begin(organization_id, parseBrl(body.amount_brl) ?? 0, realNow, request)
        return yield* commit.complete(claim, reply({ traceId }, 201, yield* requireTopup(organization_id, id)))
      })
    })
  })
)

const readOwn = (view: TopupView, authenticationUrl: string | undefined): Topup => ({
  ...readTopup(view),
  decline_code: view.decline_code,
  authentication_url: authenticationUrl ?? null
})

/** Returns an organization as the caller of its own production account. */
const payerOf = ({ organization_id }: { readonly organization_id: string }) =>
  ({ organization_id, environment_id: "", environment: "production" }) as const

const readStanding = (
  { invoices, subscription }: StoredSubscription,
  plans: ReadonlyMap<string, CatalogPlan>,
  now: number
): Omit<PlanStanding, "trace_id"> => {
  const current = plans.get(subscription.plan_offering_id ?? "")
  return {
    object: "plan_standing",
    status: subscription.status,
    current:
      current === undefined
        ? null
        : { display_name: current.display_name, monthly_fee_brl: formatBrl(current.monthly_fee) },
    pending_display_name: plans.get(subscription.pending_plan_offering_id ?? "")?.display_name ?? null,
    current_period_end: formatTimestampOrNull(subscription.current_period_end),
    cancel_at_period_end: subscription.cancel_at_period_end,
    has_open_invoice: invoices.some(({ status }) => status === "open"),
    costs: planCosts(subscription, plans, now).map(readCost)
  }
}

const readCost = ({ amount, plan, when }: PlanCost): PlanStanding["costs"][number] => ({
  plan_offering_id: plan.id,
  display_name: plan.display_name,
  monthly_fee_brl: formatBrl(plan.monthly_fee),
  annual_fee_brl: formatBrl(plan.annual_fee),
  max_phones: plan.max_phones,
  multiplier: plan.multiplier,
  when,
  amount_brl: formatBrl(amount)
})
