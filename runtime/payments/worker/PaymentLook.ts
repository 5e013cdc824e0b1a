import { qrCode } from "@carteiro/html/QrCode.ts"
import type { PixCheckoutOrder, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, type Redacted } from "effect"
import { centavosOf } from "../agentic/AgenticPayment.ts"
import type { PaymentSeen, PaymentTask } from "../payment/PaymentTask.ts"

/**
 * Runs the step of a payment at its provider: its create, or a look-up, preceded by a requested approval or cancel. A
 * code that arrives without a picture gets one of ours, so that the payer's page always has one. C-PCAN-10
 */
export const lookAtPaymentRequest = (
  provider: PixProvider,
  key: Redacted.Redacted,
  task: PaymentTask,
  noticeUrl: string | null
): Effect.Effect<PaymentSeen> =>
  task.status === "link_pending"
    ? Effect.flatMap(callProvider(provider, key, task, noticeUrl), withPicture)
    : callProvider(provider, key, task, noticeUrl)

const withPicture = (seen: PaymentSeen): Effect.Effect<PaymentSeen> => {
  const { charge } = seen
  if (charge._tag !== "Charge" || charge.pix_copy_paste === null || charge.pix_qr_code_base64 !== null) {
    return Effect.succeed(seen)
  }
  return Effect.map(qrCode(charge.pix_copy_paste), (pix_qr_code_base64) => ({
    ...seen,
    charge: { ...charge, pix_qr_code_base64 }
  }))
}

const callProvider = Effect.fnUntraced(function* (
  provider: PixProvider,
  key: Redacted.Redacted,
  task: PaymentTask,
  noticeUrl: string | null
): Effect.fn.Return<PaymentSeen> {
  const { approval_due, approval_note, cancel_due, id, provider_payment_id: known, step } = task
  if (step === "create") return { charge: yield* provider.create(key, { ...orderOf(task), notice_url: noticeUrl }) }
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
