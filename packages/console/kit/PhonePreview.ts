import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import type { IconName } from "./design/IconNames.ts"
import { formattedText } from "./FormattedText.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { icon } from "./Icons.ts"
import { contractWord, say } from "./Language.ts"

type Values = Readonly<Record<string, string | undefined>>

/** Values of the variables of a template's header and of its text, by their keys. */
export interface PreviewValues {
  readonly header: Values
  readonly body: Values
}

/** Returns a template as the phone of its reader shows it under the name of the business that writes, between a light and a dark screen to choose from. */
export const phonePreview = (
  components: ReadonlyArray<TemplateComponent>,
  values: PreviewValues,
  business: Piece
): Html =>
  html`<div class="phones"><fieldset class="switch"><legend class="hidden">Screen</legend>
<label><input type="radio" name="screen" value="light" checked> <span>Light</span></label>
<label><input type="radio" name="screen" value="dark" class="dark"> <span>Dark</span></label></fieldset>
<div class="phone"><p class="who-writes"><span class="avatar" aria-hidden="true"></span>${business}</p>
<div class="screen">${templateMessage(components, values)}</div></div></div>`

/** Returns the message that a template makes: header, text and footer in a bubble, its buttons under it. */
export const templateMessage = (components: ReadonlyArray<TemplateComponent>, values: PreviewValues): Html => {
  const of = (type: TemplateComponent["type"]) => components.find((component) => component.type === type)
  const buttons = of("BUTTONS")?.buttons ?? []
  return html`<div class="letter"><div class="bubble business">${headerPiece(of("HEADER"), values.header)}<div class="message given">${bodyPiece(of("BODY"), values.body)}</div>${footerPiece(of("FOOTER"))}</div>${
    buttons.length > 0 && html`<ul class="taps">${buttons.map((button) => html`<li>${buttonPiece(button)}</li>`)}</ul>`
  }</div>`
}

const headerPiece = (header: TemplateComponent | undefined, values: Values): Piece => {
  if (header === undefined) return undefined
  if (header.format === undefined || header.format === null || header.format === "TEXT")
    return html`<p class="letter-head given">${formattedText(header.text ?? "", values)}</p>`
  const kind = header.format.toLowerCase()
  return html`<p class="letter-media">${icon(mediaIcons[kind] ?? "file")}${contractWord(kind)}</p>`
}

const mediaIcons: Readonly<Record<string, IconName>> = { image: "media", video: "video", document: "file" }

const bodyPiece = (body: TemplateComponent | undefined, values: Values): Piece =>
  body && (body.text == null ? say("The code, in the provider's words.") : formattedText(body.text, values))

const footerPiece = (footer: TemplateComponent | undefined): Piece =>
  footer &&
  html`<p class="letter-foot given">${footer.text ?? html`The code expires in ${footer.code_expiration_minutes ?? 0} minutes.`}</p>`

const buttonPiece = ({ phone_number, text, type, url }: TemplateButton): Html => {
  const label = text ?? (type === "REQUEST_CONTACT_INFO" ? say("Share your contact") : say("Copy the code"))
  return html`${icon(buttonIcons[type])}<span class="given" title="${url ?? phone_number ?? ""}">${label}</span>`
}

const buttonIcons: Readonly<Record<TemplateButton["type"], IconName>> = {
  QUICK_REPLY: "reply",
  URL: "link",
  PHONE_NUMBER: "call",
  COPY_CODE: "copy",
  FLOW: "flows",
  REQUEST_CONTACT_INFO: "contacts",
  OTP: "copy"
}
