import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import type { Page } from "./Layout.ts"
import type { Section } from "./Menu.ts"
import { csrfField, input } from "./Parts.ts"

/** Fields of a form that was sent before, and that it is confirmed now. */
const confirmedFields = (typed: Iterable<readonly [name: string, value: string]>): Html =>
  html`<input type="hidden" name="confirmed" value="1">${[...typed].map(
    ([name, value]) => !notTyped.has(name) && html`<input type="hidden" name="${name}" value="${value}">`
  )}`

const notTyped: ReadonlySet<string> = new Set(["csrf", "confirmed", "back"])

/** The question that a page asks before a step is done. */
interface Confirmation {
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
}

/** A page of its own that asks, one level below the one that it leads back to. */
interface ConfirmationPage extends Omit<Confirmation, "back">, Pick<Page, "environment" | "title"> {
  readonly section: Section
  readonly up: readonly [address: string, text: Label]
}

/** Returns the page that asks before something is done; a wrong name answers it with its error, and looking changes nothing. */
export const confirmationPage = ({ environment, section, title, up, ...asked }: ConfirmationPage) => ({
  title,
  section,
  environment,
  up,
  status: asked.name?.error === undefined ? 200 : 400,
  ...(asked.typed && { changes: false as const }),
  body: confirmation({ ...asked, back: up[0] })
})

/** Asks before something is done; going back changes nothing. */
export const confirmation = (options: Confirmation): Html => html`<div class="card narrow">
${options.explanation}
<form method="post" action="${options.action}">${csrfField(options.csrf)}${options.fields}${options.typed && confirmedFields(options.typed)}
${options.name && input({ name: "name", label: html`Type ${options.name.value} to confirm`, error: options.name.error, required: true, plain: true })}
<div class="buttons"><button class="${options.dangerous ? "danger" : "primary"}">${say(options.button)}</button>
${options.refills ? html`<button name="back" value="1" formnovalidate>Go back</button>` : html`<a class="button" href="${options.back}">Go back</a>`}</div>
</form>
</div>`
