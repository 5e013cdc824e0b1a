import type { PixCheckoutOrder, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, type Redacted } from "effect"
import { centavosOf } from "../agentic/AgenticPayment.ts"
import type { PaymentSeen, PaymentTask } from "../payment/PaymentTask.ts"

/**
 * Runs the step of a payment at its provider: its create, or a look-up, preceded by a requested approval or cancel.
 * C-PCAN-10
 */
export const lookAtPaymentRequest = Effect.fnUntraced(function* (
  provider: PixProvider,
  key: Redacted.Redacted,
  task: PaymentTask
): Effect.fn.Return<PaymentSeen> {
  const { approval_due, approval_note, cancel_due, id, provider_payment_id: known, step } = task
  if (step === "create") return { charge: yield* provider.create(key, orderOf(task)) }
  if (known === null) return { charge: yield* provider.lookUp(key, id) }
  const { cancel: askCancel, requestApproval } = provider
  const approval =
    approval_due && requestApproval !== undefined
      ? yield* requestApproval(key, known, { external_id: `${id}:approval`, note: approval_note })
      : undefined
  const cancel = cancel_due && askCancel !== undefined ? yield* askCancel(key, known) : undefined
  return {
    charge: yield* provider.read(key, known),
    ...(approval === undefined ? undefined : { approval }),
    ...(cancel === undefined ? undefined : { cancel })
  }
})

const orderOf = (task: PaymentTask): PixCheckoutOrder => {
  const { amount, customer_email, customer_name, customer_phone, customer_tax_id, description } = task
  const hasCustomer = [customer_name, customer_tax_id, customer_phone, customer_email].some((one) => one !== null)
  return {
    external_id: task.id,
    amount_centavos: centavosOf(amount),
    description,
    expires_in_seconds: task.expires_in_seconds,
    customer: hasCustomer
      ? { name: customer_name, tax_id: customer_tax_id, phone: customer_phone, email: customer_email }
      : null,
    mode: task.mode,
    success_url: task.success_url
  }
}
