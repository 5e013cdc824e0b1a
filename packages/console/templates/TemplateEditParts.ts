import { environmentName } from "../kit/Environments.ts"
import { errorAt, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Label, say, sentence } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { csrfField, input, notice, select } from "../kit/Parts.ts"
import {
  buttonKinds,
  categories,
  componentsOf,
  filled,
  type TemplateField,
  type TypedTemplate,
  variablesOf
} from "./TemplateForm.ts"
import { preview } from "./TemplateParts.ts"

/** Limits of the parts in characters. gaps-2 G "Component shapes" */
const limits = { header: 60, body: 1024, footer: 60, button: 25 } as const

interface EditorOptions {
  readonly action: string
  readonly back: string
  readonly csrf: string
  readonly typed: TypedTemplate
  readonly refused?: Refused<TemplateField> | undefined
  /** Name and language of a template stay what they are. */
  readonly isNew: boolean
  readonly where: Parameters<typeof environmentName>[0]
}

/** Returns the editor: the form beside what it looks like, with examples for each variable. */
export const editor = ({
  action,
  back,
  csrf,
  isNew,
  refused,
  typed,
  where
}: EditorOptions): Html => html`<p>In ${environmentName(where)}.</p>
${refused?.field === "form" && notice("bad", refused.error)}
<form method="post" action="${action}" class="editor">${csrfField(csrf)}
<div>${heads(typed, refused, isNew)}
${text("header", "Header (optional)", typed, refused)}
${bodyField(typed, refused)}
${text("footer", "Footer (optional)", typed, refused)}
${buttonFields(typed, refused)}</div>
<div><section class="card" aria-labelledby="preview"><h2 id="preview">What it looks like</h2>
<div id="look"${live}>${look(typed)}</div></section>
<section class="card" aria-labelledby="values"><h2 id="values">Examples for the review</h2>
${refused?.field === "examples" && html`<p class="error" role="alert">${sentence(refused.error)}</p>`}
<div id="examples"${live}>${examples(typed)}</div></section>
<div class="buttons"><button name="intent" value="save" class="primary">Save as a draft</button>
<button name="intent" value="submit">Save and submit for review</button>
<button name="intent" value="look">Show what it looks like</button>
<a class="button" href="${back}">Go back</a></div></div>
</form>`

const heads = (
  typed: TypedTemplate,
  refused: Refused<TemplateField> | undefined,
  isNew: boolean
): Html => html`<div class="pair">${
  isNew
    ? [
        input({
          name: "name",
          label: "Name",
          value: typed.name,
          error: errorAt(refused, "name"),
          hint: say("Small letters, digits and underscores, such as order_shipped."),
          required: true,
          maxLength: 512,
          plain: true
        }),
        input({
          name: "language",
          label: "Language",
          value: typed.language,
          error: errorAt(refused, "language"),
          hint: say("Such as pt_BR or en."),
          required: true,
          maxLength: 5,
          plain: true
        })
      ]
    : html`<input type="hidden" name="name" value="${typed.name}"><input type="hidden" name="language" value="${typed.language}">`
}
${select({ name: "category", label: "Category", choices: categories.map((category) => [category, contractWord(category)]), chosen: typed.category, error: errorAt(refused, "category") })}</div>
<p class="hint">An authentication template has the provider's texts: leave all texts and buttons empty.</p>`

const text = (
  name: "header" | "footer",
  label: Label,
  typed: TypedTemplate,
  refused: Refused<TemplateField> | undefined
): Html =>
  html`${input({ name, label, value: typed[name], error: errorAt(refused, name), hint: counter(name, typed[name].length, limits[name]) })}`

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
  COPY_CODE: "Copies a code"
} as const

const buttonFields = ({ buttons }: TypedTemplate, refused: Refused<TemplateField> | undefined): Html => {
  const error = errorAt(refused, "buttons")
  return html`<fieldset class="card"><legend>Buttons (optional)</legend>
${error !== undefined && html`<p class="error" role="alert">${sentence(error)}</p>`}
${buttons.map(
  ({ kind, target, text }, place) => html`<div class="triple">${select({
    name: `button_${place}_kind`,
    label: html`Button ${place + 1}`,
    choices: [["", "none"], ...buttonKinds.map((one) => [one, kinds[one]] as const)],
    chosen: kind
  })}
${input({ name: `button_${place}_text`, label: "Label", value: text, maxLength: limits.button })}
${input({ name: `button_${place}_target`, label: "Address, number, code or payload", value: target, maxLength: 2000, plain: true })}</div>`
)}</fieldset>`
}

const look = (typed: TypedTemplate): Piece => {
  const parts = componentsOf(typed).filter(({ text, type }) => text !== undefined || type === "BUTTONS")
  return parts.length === 0
    ? html`<p class="empty">Write a text, and it stands here as a customer reads it.</p>`
    : html`<div class="talk"><div class="bubble business">${preview(
        parts.map((part) => (part.text === undefined ? part : { ...part, text: filled(part.text, typed.examples) }))
      )}</div></div>`
}

const examples = (typed: TypedTemplate): Piece => {
  const keys = variablesOf(typed)
  return keys.length === 0
    ? html`<p class="muted">The text has no variables.</p>`
    : keys.map((key) =>
        input({
          name: `example_${key}`,
          label: html`Example of {{${key}}}`,
          value: typed.examples.get(key) ?? "",
          maxLength: 1024
        })
      )
}
