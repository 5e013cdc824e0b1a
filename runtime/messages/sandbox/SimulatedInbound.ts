import {
  captionedKinds,
  type InboundContent,
  type InteractiveReply,
  type MediaDescriptor,
  unsupportedReason
} from "@carteiro/schema/messages/InboundContent.ts"
import type { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Result } from "effect"
import { type Customer, hiddenCustomer, readPossiblePhone } from "../message/Recipient.ts"
import { sandboxMessageId } from "./SandboxChat.ts"
import { simulatedUnknown } from "./SimulatedUnknown.ts"

/**
 * Returns the customer who writes in a simulation. In chatapp a phone must be a possible one; a user id without a phone
 * makes a customer who hides it. In other channels `from` is taken as it is. M-SBX-13..15, U-HID-01
 */
export const simulatedCustomer = (
  body: Pick<SimulateInbound, "channel" | "from" | "user_id">
): Result.Result<Customer, InvalidPhoneE164> =>
  body.channel === "chatapp"
    ? body.from === "" && typeof body.user_id === "string"
      ? Result.succeed({ ...hiddenCustomer(body.user_id), id: "" })
      : readPossiblePhone(body.from, "from")
    : Result.succeed({ type: customerTypes[body.channel], id: body.from, key: body.from })

/**
 * Returns the content of a simulation, with the documented defaults; `assetId` names the stored file. M-SBX-07..11,
 * gaps-2 J "Inbound simulation shapes"
 */
export const simulatedContent = (body: SimulateInbound, assetId: () => string): InboundContent => {
  switch (body.type) {
    case "media":
      return { type: "media", media: simulatedFile(body, assetId()) }
    case "reaction": {
      const { emoji = "", message_id = "" } = body.reaction ?? {}
      // The number's owner checks that the message exists.
      const provider_message_id = sandboxMessageId(message_id)
      return { type: "reaction", reaction: { message_id: null, provider_message_id, emoji } }
    }
    case "text":
      return { type: "text", text: { body: body.text?.body ?? "" } }
    case "interactive":
      return { type: "interactive", interactive: interactiveReply(body) }
    case "flow":
      return {
        type: "flow",
        flow: {
          name: body.flow?.name ?? null,
          response: body.flow?.response ?? {},
          provider_token: body.flow?.flow_token ?? null
        }
      }
    case "unsupported":
      return {
        type: "unsupported",
        unsupported: { provider_type: body.unsupported?.provider_type ?? "video_note", reason: unsupportedReason }
      }
    case "unknown":
      return { type: "unknown", unknown: simulatedUnknown(body.unknown) }
  }
}

/** Returns the raw message that a provider would have sent, stored as `payload`. M-SBX-16, M-READ-24 */
export const simulatedPayload = (
  { context, media, referral, user_id }: Pick<SimulateInbound, "context" | "media" | "referral" | "user_id">,
  content: InboundContent,
  message: { readonly provider_message_id: string; readonly customer_id: string; readonly received_at: number }
): { readonly [key: string]: unknown } => {
  const { type, ...inner } = content
  return {
    id: message.provider_message_id,
    ...(message.customer_id !== "" && { from: message.customer_id.replace(/^\+/, "") }),
    ...(user_id !== undefined && { from_user_id: user_id }),
    timestamp: String(Math.floor(message.received_at / 1000)),
    type: content.type === "unknown" ? content.unknown.provider_type : type,
    ...inner,
    ...(context && { context }),
    ...(referral && { referral }),
    ...(content.type === "media" ? { media: { ...content.media, caption: media?.caption ?? null } } : {})
  }
}

/** The media types of the built-in file of each kind. */
const defaultTypes = {
  image: "image/png",
  document: "application/pdf",
  audio: "audio/ogg",
  video: "video/mp4",
  sticker: "image/webp"
} as const

const simulatedFile = ({ media }: SimulateInbound, asset_id: string): MediaDescriptor => {
  const { caption, filename = null, kind = "image", mime_type, voice } = media ?? {}
  return {
    asset_id,
    provider_media_id: sandboxMessageId(asset_id),
    kind,
    ...(voice === undefined ? {} : { voice }),
    mime_type: mime_type ?? defaultTypes[kind],
    byte_length: null,
    filename,
    ...(captionedKinds.has(kind) && { caption: caption || null }),
    status: "pending",
    failure: null,
    download: null
  }
}

const interactiveReply = ({ interactive }: SimulateInbound): InteractiveReply => {
  const list = interactive?.list_reply
  if (interactive?.type === "list_reply" && list) {
    return { type: "list_reply", list_reply: { ...list, description: list.description ?? null } }
  }
  const { id = "", title = "" } = interactive?.button_reply ?? {}
  return { type: "button_reply", button_reply: { id, title } }
}
