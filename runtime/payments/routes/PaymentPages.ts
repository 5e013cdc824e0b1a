import { Ids } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Context, Effect, Layer } from "effect"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { hasEnded, type PaymentRow } from "../payment/Payment.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"

/** What whoever holds the address of a page may see of its payment; amount in 1/10,000 BRL. */
export interface PayerView
  extends Pick<
    PaymentRow,
    "environment" | "status" | "amount" | "description" | "pix_copy_paste" | "pix_qr_code_base64"
  > {
  readonly token: string
  readonly isOver: boolean
}

/** Pages of ours that payers open without a key, by the token of their address. */
export class PaymentPages extends Context.Service<
  PaymentPages,
  {
    find(token: string): Effect.Effect<PayerView | undefined>
    /** Ends a sandbox payment as its payer would; one that has come to something else is refused. gaps-3 C "Sandbox pay page" */
    end(token: string, outcome: "paid" | "failed", now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/payments/routes/PaymentPages") {
  static readonly layer = Layer.effect(
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
}

/** The id of an outcome that nobody gave one. gaps-3 C "Sandbox status on a terminal payment" */
export const sandboxEventId = (ids: Ids["Service"], now: number): string =>
  ids.mint("evt", now).replace("evt_", "sbevt_")

const looksLikeOne = /^[\w-]{20,64}$/

const viewOf = (row: PaymentRow) => {
  const { amount, description, environment, pix_copy_paste, pix_qr_code_base64, status } = row
  return { amount, description, environment, pix_copy_paste, pix_qr_code_base64, status, isOver: hasEnded(row) }
}
