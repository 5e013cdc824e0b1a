import type { NumberNotice, StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { deliveryCode, refusalOf } from "../UpstreamCodes.ts"
import { phoneOf, userIdOf } from "./UpstreamIdentity.ts"
import { idOf, instantOf, shortText, textOf } from "./UpstreamValues.ts"

const reported: ReadonlySet<unknown> = new Set(["sent", "delivered", "read", "failed", "played", "deleted", "warning"])

/**
 * Returns the status of a message, or of the payment of an order; undefined for any other one. U-STA-03, gaps-2 E
 * "Inbound upstream webhook"
 */
export const statusNotice = (status: unknown): NumberNotice | undefined => {
  if (memberOf(status, "type") === "payment") {
    const reference_id = idOf(memberOf(memberOf(status, "payment"), "reference_id"))
    return reference_id === null ? undefined : { kind: "order_payment", reference_id }
  }
  const provider_message_id = idOf(memberOf(status, "id"))
  const word = memberOf(status, "status")
  if (provider_message_id === null || !reported.has(word)) return undefined
  const error = refusalOf(listOf(memberOf(status, "errors"))[0], null)
  return {
    kind: "status",
    provider_message_id,
    message_id: textOf(memberOf(status, "biz_opaque_callback_data")),
    status: word as StatusNotice["status"],
    at: instantOf(memberOf(status, "timestamp")),
    recipient: {
      phone: phoneOf(memberOf(status, "recipient_id")),
      user_id: userIdOf(memberOf(status, "recipient_user_id"))
    },
    code: word === "failed" ? deliveryCode(error?.code ?? null, null) : null,
    error: word === "failed" || word === "warning" ? error : null,
    pricing: pricingOf(memberOf(status, "pricing"))
  }
}

/** Returns the price in the platform's words. U-STA-01 */
const pricingOf = (pricing: unknown): StatusNotice["pricing"] => {
  if (typeof pricing !== "object" || pricing === null) return null
  const billable = memberOf(pricing, "billable")
  const word = (name: string) => shortText(memberOf(pricing, name))?.slice(0, longestWord) ?? null
  return {
    billable: typeof billable === "boolean" ? billable : null,
    category: word("category"),
    type: word("type"),
    model: word("pricing_model")
  }
}

const longestWord = 64
