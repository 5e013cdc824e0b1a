import type {
  ChatCard,
  ChatContent,
  ChatHeaderFile,
  ChatTemplate,
  ChatTemplateButton,
  ChatTemplateValue
} from "@carteiro/provider/ChatContent.ts"
import type { ChatSend } from "@carteiro/provider/ChatProvider.ts"
import { userIdOf } from "./webhook/UpstreamIdentity.ts"

/** A content whose files the platform has, by the platform's ids. */
export type UploadedContent = {
  readonly content: ChatContent
  readonly file: string | undefined
}

/** Returns the body of `POST /{upstream_phone_number_id}/messages`. gaps-2 E "Who calls the upstream", M-MSG-18 */
export const messageBody = (send: ChatSend, { content, file }: UploadedContent, messaging_product: string) => ({
  messaging_product,
  // The platform takes persons and groups; channels are not posted there. U-SND-11, U-SND-12
  recipient_type: send.is_group === true ? "group" : "individual",
  // A customer who hides their phone is named by the platform's id, which never stands in `to`. U-HID-02
  ...(send.is_group === true || userIdOf(send.recipient) === null
    ? { to: send.recipient }
    : { recipient: send.recipient }),
  // A quote of a reaction is accepted and not forwarded: gaps-2 B "reply_to on reactions"
  ...(send.reply_to === null || content.type === "reaction" ? undefined : { context: { message_id: send.reply_to } }),
  biz_opaque_callback_data: send.message_id,
  ...contentBody(content, file)
})

const contentBody = (content: ChatContent, file: string | undefined): Readonly<Record<string, unknown>> => {
  switch (content.type) {
    case "text":
      return { type: "text", text: { body: content.body, preview_url: content.preview_url } }
    case "template":
      return { type: "template", template: templateBody(content.template, file) }
    case "media": {
      const { caption, filename, kind, voice } = content
      return {
        type: kind,
        [kind]: {
          id: file,
          ...(caption === null ? undefined : { caption }),
          ...(filename === null || kind !== "document" ? undefined : { filename }),
          ...(voice ? { voice } : undefined)
        }
      }
    }
    case "interactive":
      return { type: "interactive", interactive: interactiveBody(content.interactive, content.header, file) }
    case "flow":
      return {
        type: "interactive",
        interactive: {
          type: "flow",
          body: { text: content.body },
          action: { name: "flow", parameters: { flow_message_version: "3", ...content.parameters } }
        }
      }
    case "reaction":
      return { type: "reaction", reaction: { message_id: content.provider_message_id, emoji: content.emoji } }
    case "location":
      return { type: "location", location: content.location }
    case "contacts":
      return { type: "contacts", contacts: content.contacts.map(cardBody) }
  }
}

/** Returns content to tap as the platform names its parts. U-SND-06 */
const interactiveBody = (
  interactive: Readonly<Record<string, unknown>>,
  file: ChatHeaderFile | undefined,
  id: string | undefined
) => {
  if (interactive.type === "location_request") {
    return { ...interactive, type: "location_request_message", action: { name: "send_location" } }
  }
  if (file !== undefined) return { ...interactive, header: { type: file.kind, [file.kind]: headerFile(file, id) } }
  const { header } = interactive
  // The platform requires the type of a text header, which callers may leave out. U-SND-03
  return typeof header === "object" && header !== null && !("type" in header)
    ? { ...interactive, header: { type: "text", ...header } }
    : interactive
}

const headerFile = ({ filename, kind }: ChatHeaderFile, id: string | undefined) => ({
  id,
  ...(filename === null || kind !== "document" ? undefined : { filename })
})

/** Returns a card as the platform takes it: it demands a part of the name beside the whole one. U-SND-06 */
const cardBody = ({ emails, name, organization, phones }: ChatCard) => ({
  name: { formatted_name: name, first_name: name },
  ...(phones === undefined ? undefined : { phones: phones.map((phone) => ({ phone })) }),
  ...(emails === undefined ? undefined : { emails: emails.map((email) => ({ email })) }),
  ...(organization === undefined ? undefined : { org: { company: organization } })
})

const templateBody = ({ body, buttons, header, language, name }: ChatTemplate, file: string | undefined) => {
  const components: Array<unknown> = []
  if (header?.type === "text") components.push({ type: "header", parameters: header.values.map(parameter) })
  if (header?.type === "media") {
    components.push({ type: "header", parameters: [{ type: header.kind, [header.kind]: headerFile(header, file) }] })
  }
  if (body.length > 0) components.push({ type: "body", parameters: body.map(parameter) })
  for (const button of buttons) {
    const { index, type } = button
    components.push({ type: "button", sub_type: type, index: String(index), parameters: [buttonParameter(button)] })
  }
  return { name, language: { code: language }, ...(components.length === 0 ? undefined : { components }) }
}

/** Returns what a button demands of a send. U-SND-04 */
const buttonParameter = (button: ChatTemplateButton) => {
  switch (button.type) {
    case "url":
      return { type: "text", text: button.text }
    case "quick_reply":
      return { type: "payload", payload: button.payload }
    case "copy_code":
      return { type: "coupon_code", coupon_code: button.coupon_code }
    case "flow":
      return { type: "action", action: { flow_token: button.flow_token } }
  }
}

const parameter = ({ name, text }: ChatTemplateValue) => ({
  type: "text",
  ...(name === null ? undefined : { parameter_name: name }),
  text
})
