import { recordOf } from "../../kit/Routes.ts"
import type { World } from "../World.ts"

/** A customer's message, in the platform's format. */
interface Written {
  readonly id: string
  readonly type: string
  readonly message: unknown
  readonly contact: unknown
}

const media = new Set(["image", "audio", "video", "document", "sticker"])

/** One pixel, for a picture without bytes. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/**
 * Returns a customer's message from the control route's body: `{from, type, <type>: {...}}` in the platform's spelling,
 * `text` by default. A file without an id is made from `data_base64`. Returns a sentence when it cannot.
 */
export const inboundMessage = (world: World, body: Readonly<Record<string, unknown>>): Written | string => {
  const { context, errors, from, id: given, profile_name, timestamp, type = "text" } = body
  if (typeof type !== "string") return "type: expected the platform's name of a type"
  const withheld = from === null
  const digits = typeof from === "string" ? from.replace(/\D/g, "") : ""
  if (!withheld && digits === "") return "from: expected the customer's phone, or null for a withheld one"
  const id = typeof given === "string" ? given : world.messageId()
  const name = typeof profile_name === "string" ? profile_name : "Customer"
  if (!withheld) world.profiles.set(digits, name)
  const content = recordOf(body[type])
  const made = media.has(type) && content.id === undefined ? fileOf(world, content) : content
  return {
    id,
    type,
    message: {
      ...(withheld ? {} : { from: digits }),
      id,
      timestamp: String(timestamp ?? Math.floor(world.options.now() / 1000)),
      type,
      ...(type === "unsupported" ? { errors: errors ?? [unsupported] } : { [type]: made }),
      ...(context === undefined ? {} : { context })
    },
    contact: {
      profile: { name },
      ...(withheld ? {} : { wa_id: digits })
    }
  }
}

const unsupported = {
  code: 131051,
  title: "Message type unknown",
  message: "Message type unknown",
  error_data: { details: "Message type is currently not supported." }
}

const fileOf = (world: World, content: Readonly<Record<string, unknown>>) => {
  const { data_base64, mime_type = "image/png", ...rest } = content
  const bytes = typeof data_base64 === "string" ? Buffer.from(data_base64, "base64") : pixel
  const file = world.addFile(bytes, String(mime_type))
  return { ...rest, id: file.id, mime_type: file.mime_type, sha256: file.sha256 }
}
