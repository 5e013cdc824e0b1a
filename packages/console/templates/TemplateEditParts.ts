import type { MediaAsset } from "@carteiro/schema/media/MediaAsset.ts"
import type { AuthoringSignal } from "@carteiro/schema/templates/Template.ts"
import { environmentName } from "../kit/Environments.ts"
import { errorAt, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, declared, type Label, say, sentence } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { csrfField, input, notice, select } from "../kit/Parts.ts"
import { phonePreview } from "../kit/PhonePreview.ts"
import {
  buttonTargets,
  categories,
  componentsOf,
  headerKinds,
  type TemplateField,
  type TypedTemplate,
  variablesOf
} from "./TemplateForm.ts"
import { languageChoices } from "./TemplateLanguages.ts"

/** Limits of the parts in characters. */
const limits = { header: 60, body: 1024, footer: 60, button: 25 } as const

/** What a review would say of the template as it is typed. */
export interface ReviewNotes {
  readonly signals: ReadonlyArray<AuthoringSignal>
  /** Why the API would refuse it. */
  readonly fault: Html | undefined
}

interface EditorOptions {
  readonly action: string
  readonly back: string
  readonly csrf: string
  readonly typed: TypedTemplate
  readonly refused?: Refused<TemplateField> | undefined
  /** Name and language of a template stay what they are. */
  readonly isNew: boolean
  readonly where: Parameters<typeof environmentName>[0]
  readonly notes: ReviewNotes
  /** Files that a media header may show to the review. */
  readonly files: ReadonlyArray<MediaAsset>
}

/** Returns the editor: the form beside what it looks like on a phone, with examples for each variable and what a review would say. */
export const editor = ({
  action,
  back,
  csrf,
  files,
  isNew,
  notes,
  refused,
  typed,
  where
}: EditorOptions): Html => html`<p class="muted">In ${environmentName(where)}.</p>
${refused?.field === "form" && notice("bad", refused.error)}
<form method="post" action="${action}" class="editor">${csrfField(csrf)}
<div>${heads(typed, refused, isNew)}
${headerFields(typed, refused, files)}
${bodyField(typed, refused)}
<div id="examples"${live}>${examples(typed, refused)}</div>
${footerField(typed, refused)}
${buttonFields(typed, refused)}
<div class="buttons"><button name="intent" value="save" class="primary">Save as a draft</button>
<button name="intent" value="submit">Save and submit for review</button>
<button name="intent" value="look">Show what it looks like</button>
<a class="button quiet" href="${back}">Go back</a></div>
<p class="jump"><a class="button" href="#preview">Preview</a></p></div>
<div class="beside"><section aria-labelledby="preview"><h2 id="preview">What it looks like</h2>
<div id="look"${live}>${look(typed, where.project_name)}</div></section>
<section aria-labelledby="notes-title"><h2 id="notes-title">Notes for the review</h2>
<div id="notes"${live}>${notesPart(notes)}</div></section></div>
</form>`

const heads = (
  typed: TypedTemplate,
  refused: Refused<TemplateField> | undefined,
  isNew: boolean
): Html => html`<div class="triple">${
  isNew
    ? [
        input({
          name: "name",
          label: "Name",
          value: typed.name,
          error: errorAt(refused, "name"),
          hint: say("Small letters, digits and underscores. A name such as Order shipped is saved as order_shipped."),
          required: true,
          maxLength: 512,
          plain: true
        }),
        select({
          name: "language",
          label: "Language",
          choices: languageChoices(typed.language),
          chosen: typed.language,
          error: errorAt(refused, "language")
        })
      ]
    : html`<input type="hidden" name="name" value="${typed.name}"><input type="hidden" name="language" value="${typed.language}">`
}
${select({ name: "category", label: "Category", choices: categories.map((category) => [category, contractWord(category)]), chosen: typed.category, error: errorAt(refused, "category"), hint: say("Utility is about an order, a payment or an account of the customer. Marketing is any offer, news or invitation. Authentication is a code.") })}</div>
<p class="hint for-authentication">An authentication template has the provider's texts: leave all texts and buttons empty.</p>`

const headerFields = (
  typed: TypedTemplate,
  refused: Refused<TemplateField> | undefined,
  files: ReadonlyArray<MediaAsset>
): Html => html`<div class="header-parts">${select({
  name: "header_kind",
  label: "Kind of the header",
  choices: headerKinds.map((kind) => [kind, contractWord(kind.toLowerCase())]),
  chosen: typed.headerKind
})}
<div class="for-text">${input({ name: "header", label: "Header (optional)", value: typed.header, error: errorAt(refused, "header"), hint: counter("header", typed.header.length, limits.header) })}</div>
<div class="for-file">${fileField(typed, files)}</div></div>`

const fileField = ({ headerFile }: TypedTemplate, files: ReadonlyArray<MediaAsset>): Html =>
  html`<div class="field"><label for="header_file">File for the review</label>
<input id="header_file" name="header_file" type="text" list="files" value="${headerFile}" maxlength="1024" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="header_file-hint">
<datalist id="files">${files.map(({ filename, id, kind }) => html`<option value="${id}">${filename ?? kind}</option>`)}</datalist>
<p class="hint" id="header_file-hint">Id of a file of your media library. Each send brings its own file.</p></div>`

const footerField = (typed: TypedTemplate, refused: Refused<TemplateField> | undefined): Html =>
  input({
    name: "footer",
    label: "Footer (optional)",
    value: typed.footer,
    error: errorAt(refused, "footer"),
    hint: counter("footer", typed.footer.length, limits.footer)
  })

const bodyField = (typed: TypedTemplate, refused: Refused<TemplateField> | undefined): Html => {
  const error = errorAt(refused, "body")
  return html`<div class="field"><label for="body">Text</label>
<textarea id="body" name="body" rows="7" aria-describedby="body-hint${error !== undefined && " body-error"}"${error !== undefined && html` aria-invalid="true" autofocus`}>
${typed.body}</textarea>
${error !== undefined && html`<p class="error" id="body-error">${sentence(error)}</p>`}
<p class="hint" id="body-hint">${counter("body", typed.body.length, limits.body)} Variables are <code>{{1}}</code>, <code>{{2}}</code> or <code>{{first_name}}</code>.</p></div>`
}

/** Says how much of a limit is used; the script keeps it up to date. */
const counter = (part: string, used: number, limit: number): Html =>
  html`<span id="count-${part}"${live}>${used > limit ? html`<strong class="error">${used} of ${limit} characters.</strong>` : html`${used} of ${limit} characters.`}</span>`

const kinds = {
  QUICK_REPLY: "Quick reply",
  URL: "Opens an address",
  PHONE_NUMBER: "Calls a number",
  COPY_CODE: "Copies a code",
  FLOW: "Opens a flow",
  REQUEST_CONTACT_INFO: "Asks for the contact"
} as const satisfies Record<keyof typeof buttonTargets, Label>

const kindChoices = [["", "none"], ...Object.entries(kinds)] as ReadonlyArray<readonly [string, Label]>

/** The field of each kind of button that says what a tap does. */
const targets = {
  url: { label: "Address", hint: "https://loja.example/p/{{1}}", most: 2000 },
  phone: { label: "Phone number", hint: "+551140028922", most: 16 },
  code: { label: "Code", hint: "MAIO10", most: 15 },
  payload: { label: "Payload (optional)", hint: "", most: 256 },
  flow: { label: "Id of the flow", hint: "flw_…", most: 255 }
} as const satisfies Record<string, { readonly label: Label; readonly hint: string; readonly most: number }>

/** Shows the first row, and each one after a row that has a kind: the style sheet hides the rest, and the fields of other kinds. */
const buttonFields = ({ buttons }: TypedTemplate, refused: Refused<TemplateField> | undefined): Html => {
  const error = errorAt(refused, "buttons")
  return html`<fieldset class="button-rows"><legend>Buttons (optional)</legend>
${error !== undefined && html`<p class="error" role="alert">${sentence(error)}</p>`}
${buttons.map(
  ({ kind, target, text }, place) => html`<div class="button-row">${select({
    name: `button_${place}_kind`,
    label: html`Button ${place + 1}`,
    choices: kindChoices,
    chosen: kind
  })}
<div class="for-label">${input({ name: `button_${place}_text`, label: "Label", value: text, maxLength: limits.button })}</div>
${Object.entries(targets).map(
  ([name, { hint, label, most }]) =>
    html`<div class="for-${name} field"><label for="button_${place}_${name}">${say(label)}</label><input id="button_${place}_${name}" name="button_${place}_${name}" type="text" value="${isTargetOf(kind, name) ? target : ""}" maxlength="${most}" placeholder="${hint}" autocomplete="off"></div>`
)}</div>`
)}</fieldset>`
}

const isTargetOf = (kind: string, name: string): boolean =>
  Object.entries(buttonTargets).some(([one, target]) => one === kind && target === name)

const look = (typed: TypedTemplate, business: string): Piece => {
  const values = Object.fromEntries(typed.examples)
  const isEmpty = typed.body === "" && typed.category !== "authentication"
  // Only the provider's own text of a code has none here; a text that is not written yet is no such text.
  const written = componentsOf(typed).filter(({ type }) => !isEmpty || type !== "BODY")
  return html`${phonePreview(written, { header: values, body: values }, business)}${
    isEmpty && html`<p class="hint">Write a text, and it stands here as a customer reads it.</p>`
  }`
}

const examples = (typed: TypedTemplate, refused: Refused<TemplateField> | undefined): Piece => {
  const keys = variablesOf(typed)
  const error = errorAt(refused, "examples")
  return (
    (keys.length > 0 || error !== undefined) &&
    html`<fieldset><legend>Examples for the review</legend>
${error !== undefined && html`<p class="error" role="alert">${sentence(error)}</p>`}
<div class="triple">${keys.map((key) =>
      input({
        name: `example_${key}`,
        label: html`Example of {{${key}}}`,
        value: typed.examples.get(key) ?? "",
        maxLength: 1024
      })
    )}</div></fieldset>`
  )
}

const notesPart = ({ fault, signals }: ReviewNotes): Piece =>
  fault === undefined && signals.length === 0
    ? html`<p class="muted">Nothing that reviewers tend to refuse.</p>`
    : html`<ul class="notes">${fault !== undefined && html`<li class="bad">${fault}</li>`}${signals.map(
        ({ code, component, message }) =>
          html`<li class="warn"><strong>${component === "BODY" ? say("Text") : contractWord(component.toLowerCase())}</strong> ${declared(code, message)}</li>`
      )}</ul>`
