import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { badge, none } from "../kit/Parts.ts"
import { ticks } from "../messages/Bubble.ts"
import { excerptOf } from "../messages/MessageParts.ts"
import type { ReaderClock } from "./ChatParts.ts"

/** A conversation by its newest message. */
export interface Conversation {
  /** The phone with +, or the platform's id of a customer who hides it. */
  readonly customer: string
  /** The profile name of the customer. */
  readonly name: string | undefined
  readonly isOptedOut: boolean
  readonly newest: ShownMessage
}

/** Returns who a message is with; undefined for one with nobody who could write, such as a group. */
export const customerIn = ({ message: { direction, recipient, sender } }: ShownMessage): string | undefined =>
  (direction === "inbound" ? sender.id || sender.user_id : recipient.id) || undefined

interface ListOptions {
  readonly conversations: ReadonlyArray<Conversation>
  readonly environment: string
  /** The customer whose conversation is open. */
  readonly open: string
  readonly clock: ReaderClock
  /** The day of now, as the clock writes it. */
  readonly today: string
  readonly maySend: boolean
}

/** Returns the conversations of a sandbox in their order; one that waits for an answer leads to answering it. */
export const conversationList = ({ clock, conversations, environment, maySend, open, today }: ListOptions): Html =>
  html`<div id="talks" class="talks"${live}>${
    conversations.length === 0
      ? html`<p class="none">${none("No conversation yet.")}</p>`
      : html`<ul>${conversations.map(({ customer, isOptedOut, name, newest }) => {
          const { content, message } = newest
          const waits = message.direction === "inbound"
          const to = addressOf("/dashboard/chat", {
            environment,
            customer,
            as: waits && maySend ? "business" : undefined
          })
          const day = clock.day(message.created_at)
          return html`<li><a href="${to}#write"${customer === open && html` aria-current="true"`}>${avatar(name ?? customer)}
<span class="talk-name given">${name ?? readablePhone(customer).text}</span><time class="exact muted" datetime="${message.created_at}" title="${message.created_at}">${day === today ? clock.time(message.created_at) : day.slice(5).split("-").reverse().join("/")}</time>
<span class="talk-last">${isOptedOut && html`${badge("opted out", "bad")} `}${!waits && ticks(message.status)}${content === null ? say("erased") : excerptOf(content)}</span>${waits && html`<span class="waits"><span class="hidden">waits for an answer</span></span>`}</a></li>`
        })}</ul>`
  }</div>`

/** Returns the first letters of a name, or the last digits of a phone, in a circle. */
export const avatar = (name: string): Piece => {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  const letters = words.length === 0 ? name.slice(-2) : [...words.slice(0, 2)].map((word) => [...word][0]).join("")
  return html`<span class="avatar" aria-hidden="true">${letters.toUpperCase()}</span>`
}
