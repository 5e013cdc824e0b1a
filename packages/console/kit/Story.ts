import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import { live } from "./LiveScript.ts"
import { table } from "./Parts.ts"

/** Returns a section of a page, which has an id and follows what happens. */
export const section = (id: string, title: Label, content: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${say(title)}</h2><div id="${id}-now"${live}>${content}</div></section>`

/** A step of what happened to a thing. */
export interface Step {
  readonly what: Piece
  /** When, as markup. */
  readonly at: Piece
  /** Why, or through whom. */
  readonly cause: Piece
}

/** Returns what happened to a thing, oldest first, each step with its cause. */
export const timeline = (steps: ReadonlyArray<Step>): Html =>
  table(
    "What happened, oldest first",
    ["What", "When", "Why"],
    steps.map(({ at, cause, what }) => [what, at, cause]),
    say("Nothing has happened.")
  )
