import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import { csrfField, input } from "./Parts.ts"

/** Fields of a form that was sent before, and that it is confirmed now. */
const confirmedFields = (typed: Iterable<readonly [name: string, value: string]>): Html =>
  html`<input type="hidden" name="confirmed" value="1">${[...typed].map(
    ([name, value]) => !notTyped.has(name) && html`<input type="hidden" name="${name}" value="${value}">`
  )}`

const notTyped: ReadonlySet<string> = new Set(["csrf", "confirmed", "back"])

/** Asks before something is done; going back changes nothing. */
export const confirmation = (options: {
  readonly action: string
  readonly csrf: string
  readonly explanation: Piece
  readonly button: Label
  readonly back: string
  readonly dangerous: boolean
  /** Fields of its own. */
  readonly fields?: Piece
  /** The form that was sent, where its step is said before it is done: it goes along, confirmed. Decision 0180 */
  readonly typed?: URLSearchParams
  /** Going back shows that form again, filled as it was sent: its action asks `goesBack`. */
  readonly refills?: boolean
  /** The name that a person types before a step that cannot be undone, and the error of a wrong one. */
  readonly name?: { readonly value: string; readonly error: Html | undefined }
}): Html => html`<div class="card narrow">
${options.explanation}
<form method="post" action="${options.action}">${csrfField(options.csrf)}${options.fields}${options.typed && confirmedFields(options.typed)}
${options.name && input({ name: "name", label: html`Type ${options.name.value} to confirm`, error: options.name.error, required: true, plain: true })}
<div class="buttons"><button class="${options.dangerous ? "danger" : "primary"}">${say(options.button)}</button>
${options.refills ? html`<button name="back" value="1" formnovalidate>Go back</button>` : html`<a class="button" href="${options.back}">Go back</a>`}</div>
</form>
</div>`
