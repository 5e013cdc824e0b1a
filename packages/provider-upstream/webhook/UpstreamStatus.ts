import type { CustomerIdentity, NumberNotice, StatusNotice } from "@carteiro/provider/ChatNotices.ts"
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
  const recipient = recipientOf(status)
  const isOfOne = memberOf(status, "recipient_type") === "group" && isNamed(recipient)
  // One member of a group who cannot be reached does not end the message for the others.
  const step = word === "failed" && isOfOne ? "warning" : (word as StatusNotice["status"])
  return {
    kind: "status",
    provider_message_id,
    message_id: textOf(memberOf(status, "biz_opaque_callback_data")),
    status: step,
    at: instantOf(memberOf(status, "timestamp")),
    recipient,
    code: step === "failed" ? deliveryCode(error?.code ?? null, null) : null,
    error: step === "failed" || step === "warning" ? error : null,
    pricing: pricingOf(memberOf(status, "pricing") ?? memberOf(memberOf(status, "conversation"), "pricing"))
  }
}

/**
 * Returns whom a status is about. In a group `recipient_id` is the group's id, digits or not, and never a phone: the
 * platform reports each member by a member of its own, for which its pages have two names. U-SND-11
 */
const recipientOf = (status: unknown): CustomerIdentity => {
  if (memberOf(status, "recipient_type") !== "group") {
    return {
      phone: phoneOf(memberOf(status, "recipient_id")),
      user_id: userIdOf(memberOf(status, "recipient_user_id"))
    }
  }
  const phone = memberOf(status, "recipient_participant_id") ?? memberOf(status, "participant_recipient_id")
  return { phone: phoneOf(phone), user_id: userIdOf(memberOf(status, "recipient_participant_user_id")) }
}

const isNamed = ({ phone, user_id }: CustomerIdentity): boolean => phone !== null || user_id !== null

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
