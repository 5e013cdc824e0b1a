import { type Html, html } from "./Html.ts"
import { type Label, say } from "./Language.ts"

/** A text that people hand on, in one line with a button that copies it. */
export const copyField = ({
  id,
  label,
  value
}: {
  readonly id: string
  readonly label: Label
  readonly value: string
}): Html => html`<div class="field">
<label for="${id}">${say(label)}</label>
<input id="${id}" type="text" class="copied-whole" value="${value}" readonly autocomplete="off" spellcheck="false">
</div>`

/** A text of several lines that people hand on, with a button that copies all of it. */
export const copyText = ({
  id,
  label,
  value
}: {
  readonly id: string
  readonly label: Label
  readonly value: string
}): Html => html`<div class="field">
<label for="${id}">${say(label)}</label>
<textarea id="${id}" class="copied-whole" rows="${Math.min(24, value.split("\n").length + 1)}" readonly autocomplete="off" spellcheck="false">
${value}</textarea>
</div>`

/** A secret that is shown once, ready to be copied. */
export const secret = (label: Label, value: string, id = "secret"): Html => html`<div class="field">
<label for="${id}">${say(label)}</label>
<textarea id="${id}" class="secret" rows="3" readonly autocomplete="off" spellcheck="false">${value}</textarea>
</div>`

/**
 * Offers secrets as a file for programs. The link holds the file, so that no request asks for it: nothing caches or logs it, and
 * it needs no script.
 */
export const envFile = (variables: ReadonlyArray<readonly [name: string, value: string]>): Html => {
  const lines = variables.map(([name, value]) => `${name}=${value}\n`).join("")
  return html`<p class="buttons"><a class="button" download="carteiro.env" href="data:text/plain;charset=utf-8,${encodeURIComponent(lines)}">Download .env</a></p>`
}
