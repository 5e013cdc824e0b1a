import { Schema } from "effect"

export { formerKeysOf, matchKey, phoneDigits, spellingsOf } from "./PhoneDigits.ts"

/** The channels a message travels on. M-MSG-15 */
export const Channel = Schema.Literals(["chatapp", "socialapp", "chatapp_channel"]).annotate({
  description: "The channel a message travels on."
})
export type Channel = typeof Channel.Type

/**
 * The direction from the view of the business: `outbound` is sent by an API key, `inbound` comes from a customer.
 * M-READ-11
 */
export const Direction = Schema.Literals(["inbound", "outbound"]).annotate({
  description: "outbound: you sent it. inbound: a customer sent it."
})
export type Direction = typeof Direction.Type

/** Every message type of reads; the last two are inbound only. M-MSG-18, M-INB-01, U-SND-06 */
export const MessageType = Schema.Literals([
  "text",
  "template",
  "media",
  "interactive",
  "flow",
  "reaction",
  "location",
  "contacts",
  "unsupported",
  "unknown"
]).annotate({
  description:
    "Type of the message. unsupported and unknown are inbound only, location and contacts outbound only: those that a customer sends are unknown."
})
export type MessageType = typeof MessageType.Type

/** The status of a message. M-READ-31, gaps-2 B "Message state machine" */
export const MessageStatus = Schema.Literals([
  "queued",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "cancelled",
  "received"
]).annotate({
  description: "Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received."
})
export type MessageStatus = typeof MessageStatus.Type

/** The only reason in use today; readers must treat the set as open. M-MSG-06 */
export const messagingLimitPacing = "messaging_limit_pacing"

/**
 * The type of a sender on each channel; an inbound sender has the customer's type. gaps-2 B "Social and channel
 * addressing"
 */
export const businessTypes = {
  chatapp: "chatapp_phone_number",
  socialapp: "social_account",
  chatapp_channel: "chatapp_phone_number"
} as const satisfies Record<Channel, string>

/** The type of a customer on each channel. gaps-2 B "Social and channel addressing" */
export const customerTypes = {
  chatapp: "phone_e164",
  socialapp: "social_user",
  chatapp_channel: "chatapp_channel"
} as const satisfies Record<Channel, string>

/** The type of a customer of the chat app who hides their phone. U-HID-02 */
export const hiddenCustomerType = "chatapp_user_id"

/** The type of a group of the chat app that the business made. U-SND-11 */
export const groupRecipientType = "chatapp_group"

/** Message types that a group takes. U-SND-11 */
export const groupMessageTypes: ReadonlyArray<MessageType> = ["text", "media", "template"]

const groupId = /^grp_[0-9a-z]{26}$/

/** True for an id of a group. */
export const isGroupId = (text: string): boolean => groupId.test(text)

/** Message types a channel carries. gaps-2 B "Social and channel addressing" */
export const channelMessageTypes: Record<Channel, ReadonlyArray<MessageType>> = {
  chatapp: ["text", "template", "media", "interactive", "flow", "reaction", "location", "contacts"],
  socialapp: ["text", "media"],
  chatapp_channel: ["text", "media"]
}

const userId = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/**
 * True for an id that the chat platform gave a customer for one business: country, full stop, up to 128 letters and
 * digits; `ENT` stands between for a parent portfolio. U-HID-01
 */
export const isUserId = (text: string): boolean => userId.test(text)

/** What such an id looks like, for refusals. */
export const userIdRule = "the user_id of a customer's message, such as BR.13491208655302741918"

/** The source of a message that staff sent in the phone app of a number. U-INB-07 */
export const businessApp = "business_app"

/**
 * Returns the kind of a recipient's id: a customer of the chat app without a phone is addressed by the platform's id, and
 * a group by ours.
 */
export const recipientType = (channel: Channel, customer_id: string): string => {
  if (channel === "chatapp" && isGroupId(customer_id)) return groupRecipientType
  return channel === "chatapp" && isUserId(customer_id) ? hiddenCustomerType : customerTypes[channel]
}
