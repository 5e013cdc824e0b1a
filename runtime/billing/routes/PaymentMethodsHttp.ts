import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentMethodNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import { PaymentMethodsApi } from "@carteiro/schema/billing/PaymentMethod.ts"
import { Effect } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { inListOrder, readCard } from "../cards/SavedCard.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { planAccountOf } from "../plans/AccountPlans.ts"
import { CardCollection } from "./CardCollection.ts"

/** The routes of saved cards. C-CARD-01..12 */
export const PaymentMethodsHttp = Routes.group(
  PaymentMethodsApi,
  Effect.gen(function* () {
    const repo = yield* CardRepo
    const collection = yield* CardCollection
    const accounts = yield* BillingAccountEntity.client
    const ids = yield* Ids
    return Routes.handlers(PaymentMethodsApi, {
      list: Effect.fnUntraced(function* (request) {
        const { cards, customer } = yield* repo.all(planAccountOf(request.caller))
        const defaultId = customer?.default_payment_method_id ?? null
        const data = inListOrder(cards, defaultId).map((card) => readCard(card, defaultId))
        return reply(request, 200, { object: "list", data, has_more: false, next_cursor: null })
      }),
      setupIntent: Effect.fnUntraced(function* (request) {
        const { client_secret, customer, id } = yield* collection.begin(request.caller, request.now)
        return reply(request, 201, {
          id,
          object: "billing_payment_method_setup_intent",
          cardproc_customer_id: customer,
          cardproc_setup_intent_id: id,
          cardproc_client_secret: client_secret
        })
      }),
      save: Effect.fnUntraced(function* ({ body, caller, claim, now, traceId }) {
        const collected = yield* collection.take(caller, body.cardproc_payment_method_id, now)
        const { body: text, status } = yield* accounts.CommandCard(planAccountOf(caller), {
          _tag: "Save",
          ...collected,
          id: ids.mint("bpm", now),
          set_default: body.set_default === true,
          traceId,
          claim
        })
        return rawReply(status, text)
      }),
      setDefault: Effect.fnUntraced(function* ({ caller, claim, params: { payment_method_id: id }, traceId }) {
        const command = { _tag: "SetDefault", id, traceId, claim } as const
        const { body, status } = yield* accounts.CommandCard(planAccountOf(caller), command)
        return rawReply(status, body)
      }),
      remove: Effect.fnUntraced(function* ({ caller, claim, params: { payment_method_id: id }, traceId }) {
        const account = planAccountOf(caller)
        const { cards } = yield* repo.all(account)
        const card = cards.find((one) => one.id === id)
        if (card === undefined) return yield* new PaymentMethodNotFound()
        if (card.status === "active") yield* collection.giveBack(caller, card.card)
        const { body, status } = yield* accounts.CommandCard(account, { _tag: "Delete", id, traceId, claim })
        return rawReply(status, body)
      })
    })
  })
)
