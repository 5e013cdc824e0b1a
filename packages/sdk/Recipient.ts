import type { GroupRecipient, PhoneRecipient, UserIdRecipient } from "./generated/Types.ts"

/** The members of a contact, or of the sender of a message, that name a customer. */
export interface NamedCustomer {
  /** The sender's id in a message: a phone, empty while the customer hides it; or the id of a group. */
  readonly id?: string | null
  /** The phone of a contact. */
  readonly phone?: string | null
  /** The platform's id of the customer. */
  readonly user_id?: string | null
}

/**
 * Returns the recipient that answers a customer: by phone where it is known, else by the platform's id. Takes the sender
 * of an inbound message, a contact or a group. Throws `TypeError` for a customer whom neither names. U-HID-02, U-SND-11
 */
export const recipient = ({ id, phone, user_id }: NamedCustomer): GroupRecipient | PhoneRecipient | UserIdRecipient => {
  if (id?.startsWith("grp_") === true) return { type: "chatapp_group", id }
  const known = phone || (id?.startsWith("+") === true ? id : undefined)
  if (known) return { type: "phone_e164", id: known }
  if (user_id) return { type: "chatapp_user_id", id: user_id }
  throw new TypeError("The customer has neither a phone nor a user_id, and cannot be addressed.")
}
