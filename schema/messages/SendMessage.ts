import { Schema } from "effect"
import { optional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { variants } from "../conventions/Variants.ts"
import { OutboundMessage } from "./content/OutboundContent.ts"
import { Metadata } from "./Metadata.ts"
import {
  businessTypes,
  Channel,
  channelMessageTypes,
  customerTypes,
  groupMessageTypes,
  groupRecipientType,
  hiddenCustomerType,
  isGroupId,
  isUserId,
  userIdRule
} from "./Vocabulary.ts"

/** The sender: a phone number of the environment, or a connected account on the social channel. M-MSG-16, gaps-2 B */
export const SenderAddress = Schema.Struct({
  type: Schema.Literals(["chatapp_phone_number", "social_account"]).annotate({
    description: "One of your phone numbers on chatapp and chatapp_channel, a connected account on socialapp."
  }),
  id: Schema.String.annotate({
    description: "Id of the sending number or account. GET /v1/sandbox/quickstart returns the one of a sandbox.",
    examples: ["pn_01kah7v3m8q6x2r9d4t5w0y1z3"]
  })
}).annotate({ description: "The sender." })

/**
 * True for a customer id that only its channel understands; it is stored, so control characters are refused. gaps-1 A
 * "String rules"
 */
export const isOpaqueId = Schema.is(text(1, 255))

/**
 * The recipient. A phone is given as `id` or as calling code and national number, never both; a customer who hides it by
 * the `user_id` of their messages, a group by our id of it; the other types take an opaque `id`. The phone itself is
 * validated after the shape, with its own codes. M-MSG-17, M-RCP-10, U-HID-02, U-SND-11, gaps-2 B
 */
export const RecipientAddress = Schema.Struct({
  type: Schema.Literals([
    "phone_e164",
    hiddenCustomerType,
    groupRecipientType,
    "social_user",
    "chatapp_channel"
  ]).annotate({
    description:
      "Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel."
  }),
  id: optional(
    Schema.String.annotate({
      description:
        "The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters.",
      examples: ["+5511912345678"]
    })
  ),
  country_calling_code: optional(
    Schema.String.annotate({
      description: "Calling code of a phone number in two parts, instead of id.",
      examples: ["55"]
    })
  ),
  national_number: optional(
    Schema.String.annotate({
      description: "National number of a phone number in two parts.",
      examples: ["11912345678"]
    })
  )
})
  .annotate({
    description: "The recipient.",
    ...variants("type", {
      phone_e164: { schema: "PhoneRecipient", takes: ["id", "country_calling_code", "national_number"] },
      [hiddenCustomerType]: { schema: "UserIdRecipient", requires: ["id"] },
      [groupRecipientType]: { schema: "GroupRecipient", requires: ["id"] },
      social_user: { schema: "SocialRecipient", requires: ["id"] },
      chatapp_channel: { schema: "ChannelRecipient", requires: ["id"] }
    })
  })
  .check(
    Schema.makeFilter((recipient) => {
      const { country_calling_code: code, id, national_number: national } = recipient
      if (recipient.type === hiddenCustomerType) {
        return typeof id === "string" && isUserId(id) ? undefined : { path: ["id"], issue: userIdRule }
      }
      if (recipient.type === groupRecipientType) {
        return typeof id === "string" && isGroupId(id)
          ? undefined
          : { path: ["id"], issue: "the id of a group that you made, such as grp_01kah7v3m8q6x2r9d4t5w0y1z3" }
      }
      if (recipient.type !== "phone_e164") {
        return isOpaqueId(id) ? undefined : { path: ["id"], issue: "1 to 255 characters" }
      }
      const written = typeof id === "string"
      const structured = typeof code === "string" || typeof national === "string"
      if (written === structured)
        return { path: [], issue: "exactly one of id or country_calling_code with national_number" }
      if (written) return undefined
      if (typeof code !== "string") return { path: ["country_calling_code"], issue: "required with national_number" }
      if (typeof national !== "string")
        return { path: ["national_number"], issue: "required with country_calling_code" }
      return undefined
    })
  )
export type RecipientAddress = typeof RecipientAddress.Type

/** The quoted message. M-MSG-19 */
export const ReplyTo = Schema.Struct({
  message_id: Schema.String.annotate({ description: "Id of a message of this conversation." })
}).annotate({ description: "The message to quote." })

/** Body of POST /v1/messages; unknown fields are ignored. M-MSG-15..25, gaps-2 B "Social and channel addressing" */
export const SendMessage = Schema.Struct({
  channel: Channel,
  sender: SenderAddress,
  recipient: RecipientAddress,
  message: OutboundMessage,
  reply_to: optional(ReplyTo),
  metadata: optional(Metadata)
})
  .annotate({
    examples: [
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        message: { type: "text", text: { body: "Your order is on its way." } },
        metadata: { order: "42" }
      },
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        recipient: { type: "chatapp_user_id", id: "BR.13491208655302741918" },
        message: { type: "text", text: { body: "Your order is on its way." } }
      },
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        recipient: { type: "chatapp_group", id: "grp_01kah7v3m8q6x2r9d4t5w0y1z3" },
        message: { type: "text", text: { body: "The course begins at 9 am." } }
      },
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        message: {
          type: "interactive",
          interactive: {
            type: "list",
            body: { text: "When do you want to come?" },
            action: {
              button: "Show times",
              sections: [
                {
                  rows: [
                    { id: "9h", title: "9 am", description: "With Ana" },
                    { id: "14h", title: "2 pm" }
                  ]
                }
              ]
            }
          }
        }
      },
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        message: { type: "location", location: { latitude: -23.5614, longitude: -46.6559, name: "MASP" } }
      }
    ]
  })
  .check(
    Schema.makeFilter(({ channel, message, recipient, reply_to, sender }) => {
      if (sender.type !== businessTypes[channel]) return { path: ["sender", "type"], issue: `not a ${channel} sender` }
      const isGroup = channel === "chatapp" && recipient.type === groupRecipientType
      const isHidden = channel === "chatapp" && recipient.type === hiddenCustomerType
      if (recipient.type !== customerTypes[channel] && !isHidden && !isGroup) {
        return { path: ["recipient", "type"], issue: `not a ${channel} recipient` }
      }
      if (!channelMessageTypes[channel].includes(message.type)) {
        return { path: ["message", "type"], issue: `not carried by ${channel}` }
      }
      if (isGroup && !groupMessageTypes.includes(message.type)) {
        return { path: ["message", "type"], issue: "a group takes text, media and template only" }
      }
      return reply_to && channel === "socialapp"
        ? { path: ["reply_to"], issue: "not supported on socialapp" }
        : undefined
    })
  )
  .annotate({ identifier: "SendMessage" })
export type SendMessage = typeof SendMessage.Type
