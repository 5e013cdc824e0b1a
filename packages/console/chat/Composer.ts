import type { ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { contractWord, type Label, say } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { csrfField, input, instant, select, textarea } from "../kit/Parts.ts"
import { templateMessage } from "../kit/PhonePreview.ts"
import { exampleSend, type SendValues, shownValues, valueFields } from "../templates/TemplateSend.ts"
import { addressed, answerButtons } from "./ChatForms.ts"
import { sendForm, type Talk, writeForm } from "./ChatParts.ts"

/** The side that a person writes for. */
export type Side = "customer" | "business"

/** Where the template picker stands: closed, open with the approved templates, or at one of them. */
export type Picking =
  | { readonly templates: ReadonlyArray<SendableTemplate> }
  | { readonly template: SendableTemplate; readonly values: SendValues | undefined }

interface ComposerOptions {
  readonly talk: Talk
  readonly rows: ReadonlyArray<ShownMessage>
  readonly side: Side
  /** The text of a message that was refused. */
  readonly draft: string
  /** When the customer's service window closed, in epoch milliseconds; null where they never wrote, undefined while it is open. */
  readonly closedAt: number | null | undefined
  /** The contact of a customer who wants no messages. */
  readonly optedOut: ContactEntry | undefined
  readonly picking: Picking | undefined
  readonly base: string
}

/** Returns the line that a person writes in, as the customer or as the business, with everything else that each can send. */
export const composer = (options: ComposerOptions): Html => {
  const { draft, rows, side, talk } = options
  const isBusiness = talk.maySend && side === "business"
  const sideOf = (one: Side, text: Label) =>
    html`<label><input type="radio" name="side" value="${one}"${(one === "business") === isBusiness && html` checked`}> <span>${say(text)}</span></label>`
  return html`<div class="composer" id="write">
${talk.maySend && html`<fieldset class="switch sides"><legend class="hidden">Write as</legend>${sideOf("customer", "As the customer")}${sideOf("business", "As the business")}</fieldset>`}
<div class="side as-customer">${customerSide(talk, rows, isBusiness ? "" : draft)}</div>
${talk.maySend && html`<div class="side as-business">${businessSide(options, isBusiness ? draft : "")}</div>`}</div>`
}

const line = (name: string, label: Label, button: Label, draft: string): Html =>
  html`<div class="line"><label class="hidden" for="${name}">${say(label)}</label><textarea id="${name}" name="${name}" rows="1" maxlength="4096" placeholder="Message" required>
${draft}</textarea><button class="primary" title="${say(button)}">${icon("send")}<span class="hidden">${say(button)}</span></button></div>`

/** After the first words of a customer the page is the business's. */
const answersNext = html`<input type="hidden" name="next" value="business">`

const customerSide = (talk: Talk, rows: ReadonlyArray<ShownMessage>, draft: string): Html =>
  html`${writeForm(
    talk,
    "text",
    html`${rows.length === 0 && talk.maySend && answersNext}${line("body", "Write as the customer", "Send as the customer", draft)}
<details class="more" id="customer-name"><summary>${icon("contacts")} <span>Name</span></summary>
<div class="pair">${input({ name: "profile_name", label: "Customer's name (optional)", hint: say("As the customer's phone shows it: by this name you find them."), maxLength: 255 })}</div></details>`
  )}
<div class="more-row"><details class="more" id="customer-more"><summary>${icon("attach")} <span>File, tap, reaction, flow answer, unknown type</span></summary>
<div class="columns">
${writeForm(talk, "media", mediaFields)}
${writeForm(talk, "button_reply", replyFields("button", "Tap a button"))}
${writeForm(talk, "list_reply", replyFields("row", "Choose a row of a list"))}
${reactionForm(talk, rows)}
${writeForm(talk, "flow", flowFields)}
${writeForm(talk, "unsupported", typeFields("unsupported", "Send an unsupported type"))}
${writeForm(talk, "unknown", typeFields("unknown", "Send an unknown type"))}
</div></details></div>`

const kinds = ["image", "document", "audio", "video", "sticker"] as const satisfies ReadonlyArray<
  NonNullable<SimulateInbound["media"]>["kind"]
>

const kindChoices = kinds.map((kind) => [kind, contractWord(kind)] as const)

const mediaFields = html`${select({ name: "kind", label: "File", choices: kindChoices, chosen: "image" })}
${input({ name: "filename", label: "Name of the file (optional)", maxLength: 255 })}
<button>Send the file</button>`

const replyFields = (what: "button" | "row", button: Label): Html => html`${input({
  name: "id",
  id: `${what}-id`,
  label: what === "button" ? "Id of the button" : "Id of the row",
  plain: true,
  maxLength: 256,
  required: true
})}
${input({ name: "title", id: `${what}-title`, label: what === "button" ? "Title of the button" : "Title of the row", maxLength: 256, required: true })}
<button>${say(button)}</button>`

const reactionForm = (talk: Talk, rows: ReadonlyArray<ShownMessage>): Html | undefined => {
  const theirs = rows.filter(({ message }) => message.direction === "outbound").slice(0, 5)
  return theirs.length === 0
    ? undefined
    : writeForm(
        talk,
        "reaction",
        html`${select({
          name: "message_id",
          label: "Message of the business",
          choices: theirs.map(({ message }) => [
            message.id,
            html`${contractWord(message.type)}, ${message.created_at.slice(11, 19)}`
          ]),
          chosen: undefined
        })}
${input({ name: "emoji", label: "Emoji", value: "👍", maxLength: 16 })}
<button>React</button>`
      )
}

const flowFields = html`${input({ name: "name", label: "Name of the flow (optional)", plain: true, maxLength: 128 })}
${input({ name: "flow_token", label: "Token that it was sent with (optional)", plain: true, maxLength: 256 })}
${textarea({ name: "response", label: "Answers, a JSON object", value: '{"rating":"5"}' })}
<button>Answer the flow</button>`

const typeFields = (type: string, button: Label): Html => html`${input({
  name: "provider_type",
  id: `${type}-type`,
  label: "The provider's name of the type",
  value: type === "unknown" ? "location" : "video_note",
  plain: true,
  maxLength: 64
})}
<button>${say(button)}</button>`

const businessSide = (options: ComposerOptions, draft: string): Html => {
  const { base, closedAt, optedOut, picking, talk } = options
  const offered = picking !== undefined && "templates" in picking ? picking.templates : undefined
  return html`<div id="service-window"${live}>${optedOut ? optedOutNotice(talk, optedOut) : closedAt !== undefined && windowNotice(closedAt)}</div>
<div id="offered"${live}>${offered && templateChoice(talk, offered)}</div>
${picking && "template" in picking && pickedTemplate(talk, picking)}
${sendForm(
  talk,
  html`${line("answer", "Text of the business", "Send as the business", draft)}
<details class="more" id="business-buttons"><summary>${icon("taps")} <span>Buttons</span></summary>
<div class="triple">${answerButtons.map((place) =>
    input({ name: `button_${place}`, id: `answer-button-${place}`, label: html`Button ${place + 1}`, maxLength: 20 })
  )}</div></details>`,
  answerForm
)}
<div class="more-row"><span id="offer"${live}>${picking === undefined && pick("choose", html`${icon("templates")}<span>Template</span>`, "quiet")}</span>
<details class="more" id="business-file"><summary>${icon("attach")} <span>File</span></summary>
${sendForm(
  talk,
  html`<input type="hidden" name="type" value="media"><div class="triple">${[
    select({ name: "kind", id: "answer-kind", label: "File", choices: kindChoices, chosen: "image" }),
    input({
      name: "source",
      label: "Id of a file of your media library, or an https address.",
      plain: true,
      maxLength: 2048,
      required: true
    }),
    input({ name: "answer", id: "caption", label: "Caption (optional)", maxLength: 1024 })
  ]}</div><button>Send the file</button>`
)}</details>
<details class="more" id="business-call"><summary>${icon("keys")} <span>Send it by the API</span></summary>
<p>Or send it as your service would, with a key of this sandbox:</p>
<pre>curl -X POST ${base}/v1/messages -H "Authorization: Bearer svc_sbx_…" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ ...addressed(talk.number, talk.customer), message: { type: "text", text: { body: "Hello" } } })}'</pre></details></div>`
}

/** Id of the form of the line in which the business writes. */
const answerForm = "answer-form"

/** Returns a button that opens the template picker, or one of its templates, and keeps what the line holds. */
const pick = (template: string, content: Piece, style: "quiet" | "plain"): Html =>
  html`<button form="${answerForm}" formnovalidate name="pick" value="${template}"${style === "quiet" && html` class="quiet"`}>${content}</button>`

const optedOutNotice = ({ environment }: Talk, { id, opted_out_at }: ContactEntry): Html =>
  html`<p class="window">${icon("failed")} <span>The customer opted out ${instant(opted_out_at)}: every message to them is refused until they opt in again. <a href="/dashboard/contacts/${environment}/${id}">Their choices</a></span></p>`

const windowNotice = (closedAt: number | null): Html =>
  html`<p class="window">${icon("clock")} <span>${
    closedAt === null
      ? say("The customer has not written yet: only a template reaches them. Choose one below.")
      : html`The service window closed ${instant(closedAt)}: only a template reaches the customer.`
  }</span></p>`

const pickedTemplate = (talk: Talk, { template, values }: Extract<Picking, { readonly template: unknown }>): Html => {
  return html`<section class="picked" aria-labelledby="picked"><h3 id="picked">${template.name} <span class="muted">${template.language}</span></h3>
${sendForm(
  talk,
  html`<input type="hidden" name="template" value="${template.id}"><div class="picked-parts"><div>${valueFields(template, values)}
<div class="buttons"><button class="primary">Send the template</button> ${pick("choose", html`Another template`, "plain")}</div></div>
${templateMessage(template.components, shownValues(template, values ?? exampleSend(template)))}</div>`
)}</section>`
}

const templateChoice = (talk: Talk, templates: ReadonlyArray<SendableTemplate>): Html =>
  templates.length === 0
    ? html`<p class="empty">No template was approved yet. <a href="/dashboard/templates/${talk.environment}/new">Write one</a></p>`
    : html`<ul class="choices" aria-label="Templates">${templates.map(
        ({ components, id, language, name }) =>
          html`<li>${pick(id, html`<strong>${name}</strong> <span class="muted">${language}</span> <span class="given">${firstLine(components)}</span>`, "plain")}</li>`
      )}</ul>`

const firstLine = (components: SendableTemplate["components"]): Piece =>
  components.find(({ type }) => type === "BODY")?.text?.slice(0, 90) ?? say("The code, in the provider's words.")

/** Emojis that a tap reacts with. */
const emojis = ["👍", "❤️", "😂", "😮", "🙏"] as const

/** Returns what reacts to a message of the other side; its buttons belong to the form of `reactionForms`. */
export const reactionsTo = (side: Side, messageId: string): Html =>
  html`<details class="react" id="react-${messageId}"><summary title="React">${icon("react")}<span class="hidden">React</span></summary><div>${emojis.map(
    (emoji) => html`<button form="react-${side}" name="reaction" value="${messageId} ${emoji}">${emoji}</button>`
  )}</div></details>`

/** Returns the forms that reactions of both sides are sent by. */
export const reactionForms = ({ csrf, customer, environment, maySend, mayWrite, number }: Talk): Html =>
  html`${
    mayWrite &&
    html`<form method="post" id="react-customer" action="/dashboard/chat/${environment}/write">${csrfField(csrf)}<input type="hidden" name="from" value="${customer}"><input type="hidden" name="to" value="${number}"></form>`
  }${
    maySend &&
    html`<form method="post" id="react-business" action="/dashboard/chat/${environment}/send">${csrfField(csrf)}<input type="hidden" name="customer" value="${customer}"><input type="hidden" name="number" value="${number}"></form>`
  }`
