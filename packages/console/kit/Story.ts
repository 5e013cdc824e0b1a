import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Headline } from "./Headline.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { live } from "./LiveScript.ts"
import { exactMoment, none, type Tone } from "./Parts.ts"

/** A section of a page, which has an id and follows what happens. */
export const section = (id: string, title: Label, content: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${say(title)}</h2><div id="${id}-now"${live}>${content}</div></section>`

/** A section whose heading unfolds it; `now` is the id of its part that follows what happens. */
export const fold = (
  id: string,
  title: Label,
  content: Piece,
  { isOpen = false, now = `${id}-now` }: { readonly isOpen?: boolean; readonly now?: string } = {}
): Html =>
  html`<section aria-labelledby="${id}" class="fold"><details${isOpen && html` open`}><summary><h2 id="${id}">${say(title)}</h2></summary><div id="${now}"${live}>${content}</div></details></section>`

/** The parts of a page of one thing. */
interface Story {
  readonly headline: Headline
  /** Messages above everything else. */
  readonly warnings?: Piece
  /** What happened and what it looks like, the first thing that is read. */
  readonly story: Piece
  /** Names and values of the thing. */
  readonly facts: Html
  /** More of what stands beside the story, each folded. */
  readonly aside?: Piece
}

/**
 * Returns the page of one thing as every such page is arranged: the headline, the story, and beside it, below it on a phone,
 * what else is known of the thing.
 */
export const storyPage = ({ aside, facts, headline, story, warnings }: Story): Pick<Page, "headline" | "body"> => ({
  headline,
  body: html`${warnings}<div class="story"><div class="told">${story}</div>
<div class="aside">${fold("details", "Details", facts, { isOpen: true, now: "facts" })}
${aside}</div></div>`
})

/** A step of what happened to a thing. */
export interface Step {
  readonly what: Piece
  /** When, in milliseconds or as the contract writes it; null for what is true now. */
  readonly at: number | string | null
  /** Why, or through whom. */
  readonly cause?: Piece
  /** How good or bad it is. */
  readonly tone?: Tone
}

const timeOf = ({ at }: Step): number | undefined => (typeof at === "string" ? parseTimestamp(at) : (at ?? undefined))

/** Returns steps in the order of their times; what is true now stands last. */
export const inOrder = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.toSorted((one, other) => (timeOf(one) ?? Infinity) - (timeOf(other) ?? Infinity) || 0)

/** Returns what happened to a thing, oldest first: each step with its time, how long it took, and its cause. */
export const timeline = (steps: ReadonlyArray<Step>): Html => {
  const times = steps.map(timeOf)
  return steps.length === 0
    ? html`<p class="empty">Nothing has happened.</p>`
    : html`<ol class="timeline">${steps.map(({ at, cause, tone = "plain", what }, index) => {
        const [before, time] = [times[index - 1], times[index]]
        const gap = before === undefined || time === undefined ? undefined : gapOf(time - before)
        return html`<li class="tone-${tone}"><div class="step"><strong>${what}</strong> <span class="when">${at === null ? none("now") : exactMoment(at)}</span>${gap && html` <span class="gap">${gap}</span>`}</div>${cause && html`<div class="cause">${cause}</div>`}</li>
`
      })}</ol>`
}

/** Returns how long after the step before it a step happened, in milliseconds; nothing for one at the same time or of another order. */
const gapOf = (ms: number): Html | undefined => {
  if (ms <= 0) return undefined
  if (ms < 1000) return html`+${ms} ms`
  const tenths = Math.floor(ms / 100)
  if (tenths < 100) return html`+${Math.floor(tenths / 10)}.${tenths % 10} s`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return html`+${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return html`+${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return html`+${hours} h ${minutes % 60} min`
  return html`+${Math.floor(hours / 24)} days`
}
