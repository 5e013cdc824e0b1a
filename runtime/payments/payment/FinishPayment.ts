import { Claim } from "@carteiro/owners/Idempotency.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { PaymentAlreadyTerminal, PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { PaymentOperation } from "@carteiro/schema/payments/PaymentEvents.ts"
import { JsonTextOf } from "@carteiro/tables/StoredJson.ts"
import { Effect, Schema } from "effect"
import { defineAccountAct, handleAct, type RulesOf, readFees, StoredReply } from "../../billing/Billing.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import { endOf } from "./Ending.ts"
import { hasEnded, lateOutcomeOf, type PaymentRow, showPayment } from "./Payment.ts"
import { endedEvent, lateOutcomeEvent } from "./PaymentEventRows.ts"
import { PaymentRepo } from "./PaymentRepo.ts"
import { endPaymentRequest } from "./PaymentWrites.ts"

const nullableText = Schema.NullOr(Schema.String)

/** The outcome of a payment, and its source. Instants in epoch milliseconds. */
const FinishRequest = Schema.Struct({
  id: Schema.String,
  /** Null when no fee is owed. */
  completion_reservation_id: nullableText,
  outcome: Schema.Literals(["paid", "failed", "expired", "cancelled"]),
  operation: PaymentOperation,
  /** True when a fee may be released for an end without payment, because the result of the create is known. C-FEE-31 */
  is_proven: Schema.Boolean,
  /** Null when the provider's id is unknown. */
  provider_payment_id: nullableText,
  /** The instant that the provider gives; null for now. */
  occurred_at: Schema.NullOr(Schema.Number),
  provider_event_id: nullableText,
  provider_event_type: nullableText,
  error_code: nullableText,
  error_message: nullableText,
  /** The vendor's own code of a failure; nodes of the release before do not send it. */
  provider_code: Schema.optionalKey(nullableText),
  /** The part of the sandbox that made the outcome; null for a provider's outcome. */
  sandbox: Schema.NullOr(Schema.Literals(["status_route", "pay_page"])),
  /** The metadata of the sandbox call. */
  sandbox_metadata: Schema.NullOr(JsonTextOf<Metadata>()),
  claim: Schema.optionalKey(Claim)
})
type FinishRequest = typeof FinishRequest.Type

/** The members of an outcome that a worker learned from a provider. */
export const learnt = {
  is_proven: false,
  provider_payment_id: null,
  occurred_at: null,
  provider_event_id: null,
  provider_event_type: null,
  error_code: null,
  error_message: null,
  sandbox: null,
  sandbox_metadata: null
} as const

/**
 * Ends a payment and charges or releases its completion fee, in one commit with its event; of an ended payment only the
 * fee still changes. C-PAY-26, C-PAY-27, C-FEE-07..11, C-FEE-21, C-FEE-31
 */
export const finishPayment = defineAccountAct("payment.end", { request: FinishRequest, result: StoredReply })

const rules = Effect.gen(function* () {
  const repo = yield* PaymentRepo
  const outbox = yield* Outbox
  return {
    reservations: ({ completion_reservation_id: id }) => (id === null ? [] : [id]),
    read: (requests, { account_id }) =>
      Effect.map(
        repo.ofAccount(
          account_id,
          requests.map(({ id }) => id)
        ),
        (rows) => new Map(rows.map((row) => [row.id, row]))
      ),
    decide: (request, payments, change) => {
      const { now } = change
      const before = payments.get(request.id)
      if (before === undefined) return { _tag: "Refuse", error: new PaymentNotFound() }
      const { claim } = request
      const write = (row: PaymentRow) => {
        const reply = { status: 200, body: JSON.stringify(showPayment(row, now, readFees)) }
        return { _tag: "Write", result: reply, claim, response: reply } as const
      }
      if (request.sandbox !== null && hasEnded(before)) {
        return before.status === request.outcome
          ? write(before)
          : { _tag: "Refuse", error: new PaymentAlreadyTerminal() }
      }
      const { after, due_at, fee, late } = endOf(before, request, now)
      const { completion_reservation_id } = before
      if (completion_reservation_id !== null) {
        if (fee === "settled") change.settle(completion_reservation_id)
        if (fee === "released") change.release(completion_reservation_id)
      }
      change.add(
        endPaymentRequest.row({
          ...after,
          was: before.status,
          completion_was: before.completion_state,
          error_code: request.error_code,
          error_message: request.error_message,
          doubt_at: now,
          due_at
        })
      )
      const late_outcome = late && lateOutcomeOf(late)
      if (late && late_outcome) change.add(lateOutcomeEvent(outbox, late, late_outcome, toldOf(request, now)))
      if (!hasEnded(before)) change.add(endedEvent(outbox, after, request.outcome, toldOf(request, now)))
      return write(after)
    }
  } satisfies RulesOf<typeof finishPayment, ReadonlyMap<string, PaymentRow>>
})

/** Handles `finishPayment`. */
export const finishPaymentHandler = handleAct(finishPayment, rules)

const toldOf = (request: FinishRequest, at: number) => {
  const { error_code, error_message, occurred_at, operation, provider_event_id, provider_event_type, sandbox } = request
  return {
    at,
    occurred_at: occurred_at ?? at,
    operation,
    ...(provider_event_id === null ? undefined : { provider_event_id }),
    ...(provider_event_type === null ? undefined : { provider_event_type }),
    ...(error_code === null ? undefined : { error_code }),
    ...(error_message === null ? undefined : { error_message }),
    ...(sandbox === "status_route" ? ({ sandbox_simulator: true } as const) : undefined),
    ...(sandbox === "pay_page" ? ({ sandbox_pay_page: true } as const) : undefined)
  }
}
