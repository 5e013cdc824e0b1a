import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import { live } from "./LiveScript.ts"

/** The head of a page of one thing: what it is, where it stands, whom it is about, and what comes next. */
export interface Headline {
  /** The kind of thing, above a title that is a text of the thing itself. */
  readonly kind?: Label
  /** An amount, larger than the title. */
  readonly amount?: string
  /** Where it stands, as a badge. */
  readonly state: Piece
  /** Whom or what it is about, each a few words in one line. */
  readonly about: ReadonlyArray<Piece>
  /** Buttons of what can be done with it now. */
  readonly next?: Piece
}

/** Returns the title of a page, with what its headline says of the thing. */
export const titleOf = (title: Label, headline: Headline | undefined): Html =>
  headline === undefined
    ? html`<h1>${say(title)}</h1>`
    : html`<div class="headline${headline.amount !== undefined && " of-money"}"><div>
${headline.kind && html`<p class="muted">${say(headline.kind)}</p>`}
<h1>${say(title)}</h1>
<div id="state"${live}><p class="standing">${headline.amount !== undefined && html`<strong>${headline.amount}</strong> `}${headline.state}</p>
<ul class="about">${headline.about.filter(isSaid).map((piece) => html`<li>${piece}</li> `)}</ul></div></div>
<div class="buttons" id="next"${live}>${headline.next}</div></div>`

const isSaid = (piece: Piece): boolean => piece !== undefined && piece !== null && piece !== false
