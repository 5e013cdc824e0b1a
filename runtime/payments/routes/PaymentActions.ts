import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import type { PaymentRequest } from "@carteiro/schema/payments/PaymentRequest.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, type Effect } from "effect"
import { readFees } from "../../billing/Billing.ts"
import { type PaymentRow, showPayment } from "../payment/Payment.ts"

/** The payment of a request and its time; the idempotency claim holds the response. */
export interface PaymentAction {
  readonly place: Pick<Caller, "environment" | "environment_id">
  readonly id: string
  readonly now: number
  readonly claim?: Claim | undefined
}

/** Actions of API keys and of the dashboard on payments; each returns the payment as JSON text. */
export class PaymentActions extends Context.Service<
  PaymentActions,
  {
    /** Returns a payment of an environment, by any of its names. C-PAY-31 */
    find(environmentId: string, id: string): Effect.Effect<PaymentRow, PaymentNotFound>
    /** Wakes the worker of a payment's environment; the sweeper catches a missed wake-up. */
    wake(environment: PaymentAction["place"]): void
    /** C-PCAN-03..11 */
    cancel(action: PaymentAction): Effect.Effect<string, ApiError>
    /** C-PAY-32 */
    requestApproval(
      action: PaymentAction,
      approval: { readonly note: string | null; readonly metadata: JsonText<Metadata> | null }
    ): Effect.Effect<string, ApiError>
  }
>()("@carteiro/runtime/payments/routes/PaymentActions") {}

/** Returns a payment as reads show it, with its present fees. C-FEE-01 */
export const readPaymentRequest = (row: PaymentRow, now: number): PaymentRequest => showPayment(row, now, readFees)
