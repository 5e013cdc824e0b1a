import { storableId } from "@carteiro/provider/VendorWords.ts"
import type { ProviderEvent, WebhookScheme } from "@carteiro/provider/WebhookScheme.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { externalIdOf } from "./StripeAnswers.ts"

/**
 * The webhooks of Stripe. They are signed over the received bytes and their time, which the official client only checks
 * to be no more than five minutes old, not that it is not ahead; here it may be neither.
 */
export const stripeWebhooks: WebhookScheme = {
  isSigned: (headers, body, secrets, now) => isTimeSigned(headers["stripe-signature"], body, secrets, now),
  read: (body): ProviderEvent => {
    const json = jsonOf({ bytes: body })
    const subject = memberOf(memberOf(json, "data"), "object")
    const created = memberOf(json, "created")
    const type = memberOf(json, "type")
    return {
      id: storableId(memberOf(json, "id")) ?? undefined,
      type: typeof type === "string" ? type : undefined,
      created_at: typeof created === "number" && Number.isSafeInteger(created * 1000) ? created * 1000 : undefined,
      data: { id: chargeOf(subject), external_id: externalIdOf(subject) ?? undefined }
    }
  }
}

/** Payments, refunds and disputes name the charge that they are part of; refunds and disputes do not have our id. */
const chargeOf = (subject: unknown): string | undefined => {
  const charge = memberOf(subject, "object") === "payment_intent" ? subject : memberOf(subject, "payment_intent")
  return storableId(typeof charge === "string" ? charge : memberOf(charge, "id")) ?? undefined
}
