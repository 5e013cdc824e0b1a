import { type GraphAnswer, ok, refuse } from "./GraphAnswer.ts"
import { aboutNumber, messageId, type Platform } from "./Platform.ts"

/** The members of every message, by the description's `BaseMessageProperties`, and the kinds that this platform takes. */
const members = [
  "messaging_product",
  "recipient_type",
  "to",
  "recipient",
  "type",
  "context",
  "biz_opaque_callback_data"
]
const kinds = ["text", "template"]

/** Takes a message, or refuses it as the description says; its statuses follow by the webhook. */
export const takeMessage = (platform: Platform, body: Readonly<Record<string, unknown>>): GraphAnswer => {
  if (body.messaging_product !== "whatsapp")
    return refuse(400, 100, "(#100) The parameter messaging_product is required.")
  if (body.status === "read") return ok({ success: true })
  const kind = typeof body.type === "string" ? body.type : "text"
  if (!kinds.includes(kind)) return refuse(400, 131051, "(#131051) Unsupported message type")
  const unknown = Object.keys(body).find((name) => !members.includes(name) && name !== kind)
  if (unknown !== undefined) return refuse(400, 100, "(#100) Invalid parameter", `Unexpected key "${unknown}"`)
  if (typeof body.to !== "string") return refuse(400, 100, "(#100) The parameter to is required.")
  const content = body[kind]
  if (typeof content !== "object" || content === null)
    return refuse(400, 131008, `(#131008) Parameter ${kind} is required`)
  if (kind === "text" && !("body" in content && typeof content.body === "string" && content.body !== "")) {
    return refuse(400, 131008, "(#131008) Required parameter is missing", "Parameter text.body is required")
  }
  if (platform.number.platformType !== "CLOUD_API") return refuse(400, 133010, "(#133010) Phone number not registered")
  const id = messageId()
  const recipient = body.to.replaceAll(/\D/g, "")
  platform.taken.push({ id, body })
  void tellStatuses(platform, id, recipient, body.biz_opaque_callback_data)
  return ok({
    messaging_product: "whatsapp",
    contacts: [{ input: body.to, wa_id: recipient }],
    messages: [{ id, message_status: "accepted" }]
  })
}

/** Reports sent, delivered and read, one webhook each. */
const tellStatuses = async (platform: Platform, id: string, recipient_id: string, data: unknown): Promise<void> => {
  for (const status of ["sent", "delivered", "read"]) {
    const pricing = { billable: false, pricing_model: "PMP", type: "free_customer_service", category: "service" }
    const one = {
      id,
      status,
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id,
      ...(data === undefined ? {} : { biz_opaque_callback_data: data }),
      ...(status === "read" ? {} : { pricing })
    }
    await platform.post(aboutNumber(platform, { statuses: [one] }))
  }
}
