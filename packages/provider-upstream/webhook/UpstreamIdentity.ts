import type { CustomerIdentity, IdentityNotice } from "@carteiro/provider/ChatNotices.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { textOf } from "./UpstreamValues.ts"

const digits = /^\d{5,20}$/
const userId = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/** Returns digits of a phone; null for any other value, such as an id of a customer without one. */
export const phoneOf = (value: unknown): string | null => {
  const text = textOf(value)
  return text !== null && digits.test(text) ? text : null
}

/** Returns the id of a customer within one business; null for any other value. U-HID-01 */
export const userIdOf = (value: unknown): string | null => {
  const text = textOf(value)
  return text !== null && userId.test(text) ? text : null
}

/** Returns the entry of `contacts` that tells of a message's own sender, by phone or id. U-INB-01 */
export const contactOf = ({ phone, user_id }: CustomerIdentity, contacts: ReadonlyArray<unknown>): unknown =>
  contacts.find((contact) => user_id !== null && userIdOf(memberOf(contact, "user_id")) === user_id) ??
  contacts.find((contact) => {
    const wa_id = phoneOf(memberOf(contact, "wa_id"))
    return phone !== null && wa_id !== null && shortest(wa_id) === shortest(phone)
  })

/** Returns the spelling without the digits that some countries add to mobile phones and the platform leaves out. */
const shortest = (phone: string): string =>
  phone
    .replace(/^(55\d\d)9(\d{8})$/, "$1$2")
    .replace(/^521(\d{10})$/, "52$1")
    .replace(/^549(\d{10})$/, "54$1")

/** Returns the username of an entry of `contacts`; null without one. */
export const usernameOf = (contact: unknown): string | null =>
  (textOf(memberOf(memberOf(contact, "profile"), "username")) ?? textOf(memberOf(contact, "username")))
    ?.slice(0, 255)
    .toWellFormed() ?? null

/**
 * Returns what a customer's message tells of another id of theirs: a change of phone or id, or the phone that they gave
 * when a button asked for it. A card that is sent on or written by hand tells nothing of its sender. U-HID-05, U-HID-06
 */
export const identityOf = (message: unknown): IdentityNotice | undefined => {
  const sender = { phone: phoneOf(memberOf(message, "from")), user_id: userIdOf(memberOf(message, "from_user_id")) }
  switch (memberOf(message, "type")) {
    case "system":
      return changed(sender, memberOf(message, "system"))
    case "contacts": {
      const [card] = listOf(memberOf(message, "contacts"))
      const [phone] = listOf(memberOf(card, "phones"))
      const given = phoneOf(memberOf(phone, "wa_id"))
      if (memberOf(card, "origin") !== "contact_request" || given === null || sender.user_id === null) return undefined
      return {
        kind: "identity",
        previous: { phone: null, user_id: sender.user_id },
        current: { ...sender, phone: given }
      }
    }
    default:
      return undefined
  }
}

const changed = (sender: CustomerIdentity, system: unknown): IdentityNotice | undefined => {
  const type = memberOf(system, "type")
  if (type !== "user_changed_number" && type !== "user_changed_user_id") return undefined
  const user_id = userIdOf(memberOf(system, "previous_user_id")) ?? sender.user_id
  const previous = type === "user_changed_number" ? { ...sender, user_id } : { phone: null, user_id }
  const current = { phone: phoneOf(memberOf(system, "wa_id")), user_id: userIdOf(memberOf(system, "user_id")) }
  return notice(previous, current)
}

/** Returns the changes of the field `user_id_update`. U-HID-05 */
export const userIdUpdates = (value: unknown): ReadonlyArray<IdentityNotice> =>
  listOf(memberOf(value, "user_id_update")).flatMap((update) => {
    const ids = memberOf(update, "user_id")
    const change = notice(
      { phone: null, user_id: userIdOf(memberOf(ids, "previous")) },
      { phone: phoneOf(memberOf(update, "wa_id")), user_id: userIdOf(memberOf(ids, "current")) }
    )
    return change === undefined ? [] : [change]
  })

/** Undefined for a change that names no customer before or after it. */
const notice = (previous: CustomerIdentity, current: CustomerIdentity): IdentityNotice | undefined =>
  isNamed(previous) && isNamed(current) ? { kind: "identity", previous, current } : undefined

const isNamed = ({ phone, user_id }: CustomerIdentity): boolean => phone !== null || user_id !== null
