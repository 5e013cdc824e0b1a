import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Effect, Layer } from "effect"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { hasEnded, type PaymentRow } from "../payment/Payment.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { PaymentPages, sandboxEventId } from "./PaymentPages.ts"

export const paymentPagesLayer = Layer.effect(
  PaymentPages,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const finish = yield* finishPayment.caller
    const ids = yield* Ids
    const find = (token: string) => (looksLikeOne.test(token) ? repo.byPage(token) : Effect.succeed(undefined))
    return PaymentPages.of({
      find: (token) => Effect.map(find(token), (row) => (row === undefined ? undefined : { ...viewOf(row), token })),
      end: Effect.fnUntraced(function* (token, outcome, now) {
        const row = yield* find(token)
        if (row?.environment !== "sandbox") return yield* new PaymentNotFound()
        const { account_id, completion_reservation_id, id } = row
        const request = {
          ...learnt,
          id,
          completion_reservation_id,
          outcome,
          operation: "sandbox_status",
          is_proven: true,
          provider_event_id: sandboxEventId(ids, now),
          sandbox: "pay_page"
        } as const
        yield* finish(account_id, request)
      })
    })
  })
)

const looksLikeOne = /^[\w-]{20,64}$/

const viewOf = (row: PaymentRow) => {
  const { amount, description, environment, pix_copy_paste, pix_qr_code_base64, status } = row
  return { amount, description, environment, pix_copy_paste, pix_qr_code_base64, status, isOver: hasEnded(row) }
}
