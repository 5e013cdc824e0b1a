import { Effect, Schema } from "effect"
import { defineAccountAct, handleAct, type RulesOf } from "../../billing/Billing.ts"
import type { AgenticPaymentRow } from "./AgenticPayment.ts"
import { AgenticRepo } from "./AgenticRepo.ts"
import { endPayment as endRow } from "./AgenticWrites.ts"

/** A proven end of a payment. */
const EndRequest = Schema.Struct({
  id: Schema.String,
  completion_reservation_id: Schema.String,
  outcome: Schema.Literals(["paid", "failed"]),
  provider_payment_id: Schema.NullOr(Schema.String),
  error_code: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String)
})

/**
 * Ends a payment and charges or releases its completion fee, in one commit; an ended payment does not change. C-FEE-07,
 * C-FEE-08, C-FEE-21
 */
export const endPayment = defineAccountAct("agentic_payment.end", { request: EndRequest, result: Schema.Null })

const rules = Effect.map(
  AgenticRepo,
  (repo) =>
    ({
      reservations: ({ completion_reservation_id }) => [completion_reservation_id],
      read: (requests, { account_id }) =>
        Effect.map(
          repo.payments(
            account_id,
            requests.map(({ id }) => id)
          ),
          (rows) => new Map(rows.map((row) => [row.id, row]))
        ),
      decide: (request, payments, change) => {
        const payment = payments.get(request.id)
        if (payment === undefined || payment.status !== "processing") return { _tag: "Answer", result: null }
        const { completion_reservation_id, environment_id, id } = payment
        const isPaid = request.outcome === "paid"
        if (isPaid) change.settle(completion_reservation_id)
        else change.release(completion_reservation_id)
        change.add(
          endRow.row({
            environment_id,
            id,
            status: request.outcome,
            provider_payment_id: request.provider_payment_id,
            error_code: request.error_code,
            error_message: request.error_message,
            completion_state: isPaid ? "settled" : "released",
            updated_at: change.now
          })
        )
        return { _tag: "Write", result: null }
      }
    }) satisfies RulesOf<typeof endPayment, ReadonlyMap<string, AgenticPaymentRow>>
)

/** Handles `endPayment`. */
export const endPaymentHandler = handleAct(endPayment, rules)
