import {
  type InboundContent,
  type InteractiveReply,
  unsupportedReason
} from "@carteiro/schema/messages/InboundContent.ts"
import type { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Result } from "effect"
import { type Customer, readPossiblePhone } from "../message/Recipient.ts"

/** Who a simulation speaks for; a phone must be a possible one, other senders are opaque. M-SBX-13..15 */
export const simulatedCustomer = (
  body: Pick<SimulateInbound, "channel" | "from">
): Result.Result<Customer, InvalidPhoneE164> =>
  body.channel === "chatapp"
    ? readPossiblePhone(body.from, "from")
    : Result.succeed({ type: customerTypes[body.channel], id: body.from, key: body.from })

/** The content a simulation stands for, with the documented defaults. M-SBX-07..11, gaps-2 J "Inbound simulation shapes" */
export const simulatedContent = (body: SimulateInbound): InboundContent => {
  switch (body.type) {
    case "text":
      return { type: "text", text: { body: body.text?.body ?? "" } }
    case "interactive":
      return { type: "interactive", interactive: reply(body) }
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
      return { type: "unknown", unknown: { provider_type: body.unknown?.provider_type ?? "location" } }
  }
}

/** The raw message a provider would have sent, kept as `payload`. M-SBX-16, M-READ-24 */
export const simulatedPayload = (
  content: InboundContent,
  message: { readonly provider_message_id: string; readonly customer_id: string; readonly received_at: number }
): { readonly [key: string]: unknown } => {
  const { type, ...inner } = content
  return {
    id: message.provider_message_id,
    from: message.customer_id.replace(/^\+/, ""),
    timestamp: String(Math.floor(message.received_at / 1000)),
    type: content.type === "unknown" ? content.unknown.provider_type : type,
    ...inner
  }
}

const reply = ({ interactive }: SimulateInbound): InteractiveReply => {
  const list = interactive?.list_reply
  if (interactive?.type === "list_reply" && list) {
    return { type: "list_reply", list_reply: { ...list, description: list.description ?? null } }
  }
  const { id = "", title = "" } = interactive?.button_reply ?? {}
  return { type: "button_reply", button_reply: { id, title } }
}
