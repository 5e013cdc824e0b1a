import { clip } from "../../kit/Clip.ts"
import { recordOf } from "../../kit/Routes.ts"
import type { SimNumber, World } from "../World.ts"
import { type Customer, customerFrom } from "./CustomerIds.ts"

/** A customer's message, in the platform's format. */
interface CustomerMessage {
  readonly id: string
  readonly type: string
  readonly message: unknown
  /** The sender's entry beside the message; undefined for reports of the system. */
  readonly contact: unknown
}

type Body = Readonly<Record<string, unknown>>

const media = new Set(["image", "audio", "video", "document", "sticker"])

/** Members of a message that stand beside its content. */
const besides = ["context", "referral", "group_id", "origin"] as const

/** One pixel, for a picture without bytes. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/**
 * Returns a customer's message from the control route's body: `{from, user_id, username, type, <type>: {...}}` in the
 * platform's spelling, `text` by default. A file without an id is made from `data_base64`. `from: null` hides the
 * phone. Returns a sentence when it cannot.
 */
export const inboundMessage = (world: World, body: Body): CustomerMessage | string => {
  const { errors, id: given, timestamp, type = "text" } = body
  if (typeof type !== "string") return "type: expected the platform's name of a type"
  const customer = customerFrom(world, body)
  if (typeof customer === "string") return customer
  const id = typeof given === "string" ? given : world.messageId()
  const content = contentOf(world, type, body[type])
  const beside = besides.filter((name) => body[name] !== undefined).map((name) => [name, body[name]])
  return {
    id,
    type,
    message: {
      ...fromOf(customer),
      id,
      timestamp: String(timestamp ?? Math.floor(world.options.now() / 1000)),
      type,
      ...(type === "unsupported" ? { errors: errors ?? [unsupported] } : { [type]: content }),
      ...Object.fromEntries(beside)
    },
    contact: type === "system" ? undefined : contactOf(customer)
  }
}

/** Returns an answer that staff gives in the phone app: `{to, type, <type>: {...}}`. U-INB-07 */
export const echoedMessage = (world: World, number: SimNumber, body: Body): CustomerMessage | string => {
  const { id: given, timestamp, to, type = "text" } = body
  if (typeof type !== "string") return "type: expected the platform's name of a type"
  const customer = customerFrom(world, { ...body, from: to })
  if (typeof customer === "string") return customer
  const id = typeof given === "string" ? given : world.messageId()
  const message = {
    from: number.display_phone_number.replace(/\D/g, ""),
    ...(customer.phone === undefined ? {} : { to: customer.phone }),
    to_user_id: customer.user_id,
    id,
    timestamp: String(timestamp ?? Math.floor(world.options.now() / 1000)),
    type,
    [type]: contentOf(world, type, body[type])
  }
  return { id, type, message, contact: contactOf(customer) }
}

const fromOf = ({ phone, user_id }: Customer) => ({
  ...(phone === undefined ? {} : { from: phone }),
  from_user_id: user_id
})

/** Returns the entry of a customer in `contacts`. U-HID-01 */
export const contactOf = ({ name, phone, user_id, username }: Customer) => ({
  profile: { name, ...(username === undefined ? {} : { username }) },
  ...(phone === undefined ? {} : { wa_id: phone }),
  user_id
})

const unsupported = {
  code: 131051,
  title: "Message type unknown",
  message: "Message type unknown",
  error_data: { details: "Message type is currently not supported." }
}

const contentOf = (world: World, type: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value
  const content = recordOf(value)
  return media.has(type) && content.id === undefined ? fileOf(world, type, content) : content
}

/** A file that a control call does not bring is a second of silence for audio, else a picture of one pixel. */
const fileOf = (world: World, type: string, content: Body) => {
  const usual = type === "audio" ? { bytes: clip, mime_type: "audio/ogg" } : { bytes: pixel, mime_type: "image/png" }
  const { data_base64, mime_type = usual.mime_type, ...rest } = content
  const bytes = typeof data_base64 === "string" ? Buffer.from(data_base64, "base64") : usual.bytes
  const file = world.addFile(bytes, String(mime_type))
  // Webhooks carry the hash in base64, a read of the file in hexadecimal.
  const sha256 = Buffer.from(file.sha256, "hex").toString("base64")
  return { ...rest, id: file.id, mime_type: file.mime_type, sha256 }
}
