import type {
  ChatContent,
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
  // The platform takes persons and groups; channels are not posted there. U-SND-12
  recipient_type: "individual",
  // A customer who hides their phone is named by the platform's id, which never stands in `to`. U-HID-02
  ...(userIdOf(send.recipient) === null ? { to: send.recipient } : { recipient: send.recipient }),
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
      return { type: "interactive", interactive: withHeaderType(content.interactive) }
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
  }
}

/** Names the type of a text header that the caller left out; the platform requires it. U-SND-03 */
const withHeaderType = (interactive: Readonly<Record<string, unknown>>) => {
  const { header } = interactive
  return typeof header === "object" && header !== null && !("type" in header)
    ? { ...interactive, header: { type: "text", ...header } }
    : interactive
}

const templateBody = ({ body, buttons, header, language, name }: ChatTemplate, file: string | undefined) => {
  const components: Array<unknown> = []
  if (header?.type === "text") components.push({ type: "header", parameters: header.values.map(parameter) })
  if (header?.type === "media") {
    const { filename, kind } = header
    const media = { id: file, ...(filename === null || kind !== "document" ? undefined : { filename }) }
    components.push({ type: "header", parameters: [{ type: kind, [kind]: media }] })
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
