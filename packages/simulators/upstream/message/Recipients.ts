import type { World } from "../World.ts"
import { isUserId, userIdOf } from "./CustomerIds.ts"

type Body = Readonly<Record<string, unknown>>

/** Whom a send names. */
export interface Recipient {
  readonly kind: "phone" | "user_id" | "group"
  /** The id as the caller wrote it. */
  readonly input: string
  /** The business-scoped id; undefined for a group. */
  readonly user_id: string | undefined
}

/** Returns whom a send names: `to` before `recipient`, or the group in `to`; undefined when it names nobody. U-HID-02 */
export const recipientOf = (world: World, { recipient, recipient_type, to }: Body): Recipient | undefined => {
  if (recipient_type === "group") {
    return typeof to === "string" && to !== "" ? { kind: "group", input: to, user_id: undefined } : undefined
  }
  if (to !== undefined) {
    if (typeof to !== "string") return undefined
    const isPhone = !isUserId(to) && to.replace(/\D/g, "").length >= 8
    return isPhone ? { kind: "phone", input: to, user_id: userIdOf(world, to) } : undefined
  }
  return isUserId(recipient) ? { kind: "user_id", input: recipient, user_id: recipient } : undefined
}

/** The recipient's entry in the answer to a send. */
export const answeredContact = ({ input, kind }: Recipient) => ({
  input,
  ...(kind === "phone" ? { wa_id: input.replace(/\D/g, "") } : {}),
  ...(kind === "user_id" ? { user_id: input } : {})
})

/** The members of a status that name its recipient; a failed one to a phone does not repeat the id. U-HID-05 */
export const statusRecipient = ({ input, kind, user_id }: Recipient, status: string) => ({
  ...(kind === "phone" ? { recipient_id: input.replace(/\D/g, "") } : {}),
  ...(kind === "group" ? { recipient_id: input, recipient_type: "group" } : {}),
  ...(user_id === undefined || (kind === "phone" && status === "failed") ? {} : { recipient_user_id: user_id })
})

/** The recipient's entry beside a status; the platform leaves it out for failures and groups. */
export const statusContact = (world: World, { input, kind, user_id }: Recipient, status: string) => {
  if (user_id === undefined || status === "failed") return undefined
  const phone = input.replace(/\D/g, "")
  return {
    profile: { name: world.profiles.get(phone) ?? "Customer" },
    ...(kind === "phone" ? { wa_id: phone } : {}),
    user_id
  }
}

/** The price of a message, as its statuses tell it. U-STA-01 */
export const pricingOf = (category: string | undefined) => {
  const isFree = category === undefined
  return {
    billable: !isFree,
    pricing_model: "PMP",
    category: isFree ? "service" : category,
    type: isFree ? "free_customer_service" : "regular"
  }
}
