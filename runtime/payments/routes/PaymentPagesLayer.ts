import { PaymentPages } from "@carteiro/console/Ports.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Effect, Layer } from "effect"
import { Environments } from "../../access/Access.ts"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { hasEnded, type PaymentRow } from "../payment/Payment.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { sandboxEventId } from "./SandboxEventId.ts"

export const paymentPagesLayer = Layer.effect(
  PaymentPages,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const environments = yield* Environments
    const finish = yield* finishPayment.caller
    const ids = yield* Ids
    const find = (token: string) => (looksLikeOne.test(token) ? repo.byPage(token) : Effect.succeed(undefined))
    return PaymentPages.of({
      find: Effect.fnUntraced(function* (token) {
        const row = yield* find(token)
        if (row === undefined) return undefined
        const environment = yield* environments.findAnywhere(row.environment_id)
        return { ...viewOf(row), token, merchant: environment?.project_name }
      }),
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
  const { amount, description, environment, environment_id, pix_copy_paste, pix_qr_code_base64, status } = row
  const expires_at = row.created_at + row.expires_in_seconds * 1000
  const shown = { amount, description, environment, environment_id, pix_copy_paste, pix_qr_code_base64, status }
  return { ...shown, expires_at, isOver: hasEnded(row) }
}
