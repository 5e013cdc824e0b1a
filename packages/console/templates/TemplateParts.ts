import type { TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { badge, personText, type Tone, table } from "../kit/Parts.ts"

const tones: Readonly<Record<TemplateStatus, Tone>> = {
  draft: "plain",
  submitted: "info",
  approved: "good",
  rejected: "bad",
  paused: "warn",
  disabled: "bad",
  orphaned: "warn"
}

/** Where a template or one of its versions stands. */
export const templateBadge = (status: TemplateStatus, thing: "template" | "version" = "template"): Html =>
  badge(statusWord(thing, status), tones[status])

/** Shows the parts of a template; addresses are shown as text, never linked. */
export const preview = (components: ReadonlyArray<TemplateComponent>): Html => html`${components.map(partOf)}`

const partOf = (component: TemplateComponent): Html => {
  switch (component.type) {
    case "HEADER":
      return html`<p class="message"><strong>${component.text ?? `[${(component.format ?? "TEXT").toLowerCase()}]`}</strong></p>`
    case "BODY":
      return html`<p class="message">${component.text ?? say("The code, in the provider's words.")}</p>`
    case "FOOTER":
      return html`<p class="message muted">${component.text ?? html`The code expires in ${component.code_expiration_minutes ?? 0} minutes.`}</p>`
    case "BUTTONS":
      return table(
        "Buttons",
        ["Button", "Kind", "Does"],
        (component.buttons ?? []).map((button) => [
          personText(button.text ?? say("Copy the code")),
          contractWord(button.type.toLowerCase()),
          effectOf(button)
        ]),
        say("No button.")
      )
  }
}

const effectOf = (button: TemplateButton): Html => {
  const { type, url, phone_number, flow_id, otp_type, package_name, payload, text } = button
  const target =
    type === "URL" ? url : type === "PHONE_NUMBER" ? phone_number : type === "FLOW" ? flow_id : package_name
  const copies = type === "COPY_CODE" || otp_type === "COPY_CODE"
  return target === undefined
    ? html`${copies ? say("copies the code of the send") : html`answers ${payload ?? text ?? ""}`}`
    : html`<code class="url">${target}</code>`
}
