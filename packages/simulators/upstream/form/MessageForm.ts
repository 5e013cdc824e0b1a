import { file, interactive } from "./InteractiveForm.ts"
import { anything, between, by, type Flaw, flag, list, matching, oneOf, type Rule, record, text } from "./Shape.ts"
import { template } from "./TemplateSendForm.ts"

const kind = oneOf("HOME", "WORK")
const short = text(1000, 0)
const caption = { caption: text(1024) }

/** A business card. */
const contact = record(
  {
    name: record(
      { formatted_name: text(1000) },
      { first_name: short, last_name: short, middle_name: short, suffix: short, prefix: short }
    )
  },
  {
    addresses: list(
      record(
        {},
        { street: short, city: short, state: short, zip: short, country: short, country_code: short, type: kind }
      ),
      0,
      100
    ),
    birthday: matching(/^\d{4}-\d{2}-\d{2}$/, "must be YYYY-MM-DD"),
    emails: list(record({}, { email: short, type: kind }), 0, 100),
    org: record({}, { company: short, department: short, title: short }),
    phones: list(record({}, { phone: short, type: text(20), wa_id: short }), 0, 100),
    urls: list(record({}, { url: short, type: kind }), 0, 100)
  }
)

/** The content of each type of message. */
const contents: Readonly<Record<string, Rule>> = {
  text: record({ body: text(4096) }, { preview_url: flag }),
  image: file(caption),
  video: file(caption),
  document: file({ ...caption, filename: text(240) }),
  audio: file({ voice: flag }),
  sticker: file(),
  location: record(
    { latitude: between(-90, 90), longitude: between(-180, 180) },
    { name: text(1000), address: text(1000) }
  ),
  contacts: list(contact, 1, 257),
  reaction: record({ message_id: text(512), emoji: text(10, 0) }),
  interactive,
  template
}

/** Types that a group takes. U-SND-11 */
const ofGroups: ReadonlySet<string> = new Set(["text", "image", "video", "document", "audio", "sticker", "template"])

const base = {
  recipient_type: oneOf("individual", "group"),
  to: text(512),
  recipient: text(512),
  context: record({ message_id: text(512) }),
  biz_opaque_callback_data: text(512)
}

const rule = by(
  "type",
  Object.fromEntries(
    Object.entries(contents).map(([type, content]) => [
      type,
      record({ messaging_product: anything, type: anything, [type]: content }, base)
    ])
  )
)

/** Returns what is wrong with the form of a send; its values are checked after it. */
export const messageFlaw = (body: Readonly<Record<string, unknown>>): Flaw | undefined => {
  if (typeof body.type === "string" && contents[body.type] === undefined) {
    return { code: 131051, details: `Message type ${body.type} is not supported.` }
  }
  const found = rule(body.type === undefined ? { ...body, type: "text" } : body, "")
  if (found !== undefined) return found
  if (body.recipient_type !== "group" || ofGroups.has(String(body.type ?? "text"))) return undefined
  return { code: 131051, details: "Message type is not supported for groups." }
}

/** Returns what is wrong with a read mark, which may show that an answer is being typed. */
export const readMarkFlaw = (body: Readonly<Record<string, unknown>>): Flaw | undefined =>
  record(
    { messaging_product: anything, status: oneOf("read"), message_id: text(512) },
    { typing_indicator: record({ type: oneOf("text") }) }
  )(body, "")
