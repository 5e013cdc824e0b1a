import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { StreamedEvent } from "@carteiro/schema/webhooks/EventLogApi.ts"
import type { WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { csrfField, instant, none } from "../kit/Parts.ts"
import { contentPiece, tapsOf, ticks } from "../messages/Bubble.ts"
import { messageMarks } from "../messages/MessageMarks.ts"
import { memberOf, textAt } from "../messages/MessageParts.ts"
import { letterOf, type SentTemplates } from "../messages/SentTemplates.ts"
import { statusBadge } from "../webhooks/DeliveryParts.ts"

/** Where a conversation is, and who may write there. */
export interface Talk {
  readonly environment: string
  readonly customer: string
  /** Id of the number that the customer writes to. */
  readonly number: string
  readonly csrf: string
  readonly mayWrite: boolean
  readonly maySend: boolean
}

/** Returns a form by which the customer of a conversation writes. */
export const writeForm = ({ csrf, customer, environment, number }: Talk, type: string, content: Piece): Html =>
  html`<form method="post" action="/dashboard/chat/${environment}/write">${csrfField(csrf)}<input type="hidden" name="from" value="${customer}"><input type="hidden" name="to" value="${number}">
<input type="hidden" name="type" value="${type}">${content}</form>`

/** Returns a form by which the business of a conversation writes. */
export const sendForm = ({ csrf, customer, environment, number }: Talk, content: Piece, id?: string): Html =>
  html`<form method="post"${id !== undefined && html` id="${id}"`} action="/dashboard/chat/${environment}/send#write">${csrfField(csrf)}<input type="hidden" name="customer" value="${customer}"><input type="hidden" name="number" value="${number}">${content}</form>`

/** Writes instants of a page as days and times of day of its reader. */
export interface ReaderClock {
  readonly day: (at: string) => string
  readonly time: (at: string) => string
}

export const readerClock = (zone: string): ReaderClock => {
  const days = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" })
  const times = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" })
  return { day: (at) => days.format(new Date(at)), time: (at) => times.format(new Date(at)) }
}

interface ConversationOptions {
  readonly talk: Talk
  readonly rows: ReadonlyArray<ShownMessage>
  /** The side that its reader writes for. */
  readonly side: "customer" | "business"
  readonly templates: SentTemplates
  readonly clock: ReaderClock
  /** The control that reacts to a message of the other side. */
  readonly reactionsTo: (side: "customer" | "business", messageId: string) => Html
}

/** Messages back from the newest whose reactions the page offers. */
const mostReactedTo = 12

/** Returns the conversation, oldest first, as both sides see it: reactions stand at their message, and each day has its name. */
export const conversation = ({ clock, reactionsTo, rows, side, talk, templates }: ConversationOptions): Html => {
  const reactions = reactionsIn(rows)
  const shown = rows.filter(({ message }) => !reactions.hidden.has(message.id))
  const reactable = new Set(shown.slice(0, mostReactedTo).map(({ message }) => message.id))
  const items = shown.toReversed().map((one, index, all) => {
    const { direction, created_at: at, id } = one.message
    const before = all[index - 1]?.message.created_at
    const isFirst = before === undefined || clock.day(before) !== clock.day(at)
    const may = direction === "inbound" ? talk.maySend : talk.mayWrite
    const extras = {
      time: clock.time(at),
      templates,
      taps: talk.mayWrite && tapForms(talk, one),
      reactions: reactions.of.get(id),
      react: may && reactable.has(id) && reactionsTo(direction === "inbound" ? "business" : "customer", id)
    }
    return html`${isFirst && html`<li class="day exact">${instant(at)}</li>`}${bubble(talk.environment, one, extras)}`
  })
  return html`<div id="talk" class="talk"${live} role="log" aria-label="Conversation" tabindex="0">${
    rows.length === 0
      ? html`<p class="empty">${
          !talk.maySend
            ? say("Write the first message below. It costs nothing and reaches no real phone.")
            : side === "business"
              ? say(
                  "This customer has not written yet. Send a template below, or write as the customer first: then the business may answer with a text."
                )
              : say(
                  "Write as the customer below, then answer as the business. It costs nothing and reaches no real phone."
                )
        }</p>`
      : html`<ol>${items}</ol>`
  }</div>`
}

/** Returns the newest reaction of each side by message, and the messages that are no more than such a reaction. */
const reactionsIn = (newestFirst: ReadonlyArray<ShownMessage>) => {
  const ids = new Set(newestFirst.map(({ message }) => message.id))
  const of = new Map<string, Map<string, string>>()
  const hidden = new Set<string>()
  for (const { content, message } of newestFirst) {
    const reaction = content?.type === "reaction" ? memberOf(content, "reaction") : undefined
    const target = textAt(reaction, "message_id")
    if (target === undefined || !ids.has(target) || message.status === "failed") continue
    hidden.add(message.id)
    const sides = of.get(target) ?? new Map<string, string>()
    of.set(target, sides)
    if (!sides.has(message.direction)) sides.set(message.direction, textAt(reaction, "emoji") ?? "")
  }
  return { of, hidden }
}

interface BubbleExtras {
  readonly time?: string
  readonly templates?: SentTemplates
  readonly taps?: Piece
  readonly reactions?: ReadonlyMap<string, string> | undefined
  readonly react?: Piece
}

/** One message of a conversation, with what can be done about it. */
export const bubble = (environmentId: string, shown: ShownMessage, extras: BubbleExtras = {}): Html => {
  const { content, message } = shown
  const inbound = message.direction === "inbound"
  const emojis = [...(extras.reactions?.values() ?? [])].filter((emoji) => emoji !== "")
  const letter = extras.templates && letterOf(shown, extras.templates)
  return html`<li class="said ${inbound ? "customer" : "business"}">
<span class="hidden">${inbound ? say("Customer") : say("Business")}:</span>
${letter ?? html`<div class="bubble ${inbound ? "customer" : "business"}"><div class="message given">${messageMarks(message)}${contentPiece(content)}</div></div>`}
${extras.taps}${emojis.length > 0 && html`<p class="reacted">${emojis.join(" ")}</p>`}
<div class="meta"><a href="/dashboard/messages/${environmentId}/${message.id}"><time datetime="${message.created_at}" class="exact" title="${message.created_at}">${extras.time ?? message.created_at.slice(11, 16)}</time></a> ${
    !inbound && ticks(message.status)
  } ${message.error_code && html`<code>${message.error_code}</code>`}${extras.react}</div>
</li>`
}

const tapForms = (talk: Talk, { content, message }: ShownMessage): Piece => {
  const offered = message.direction === "inbound" ? [] : tapsOf(content)
  return (
    offered.length > 0 &&
    html`<div class="taps">${offered.map(({ id, reply, title }) =>
      writeForm(
        talk,
        reply,
        html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="title" value="${title}"><button>${title}</button>`
      )
    )}</div>`
  )
}

/** Returns the last events of the environment, newest first, each with the webhooks that it went out by. */
export const happenings = (
  environment: string,
  events: ReadonlyArray<StreamedEvent>,
  deliveries: ReadonlyArray<WebhookEvent>,
  clock: ReaderClock
): Html => {
  const sent = Map.groupBy(deliveries, ({ payload }) => textAt(payload, "id") ?? "")
  return html`<div id="events"${live}>${
    events.length === 0
      ? html`<p class="empty">Nothing has happened yet. Every step of a message is an event, and receivers of <a href="/dashboard/webhooks?environment=${environment}">webhooks</a> get it at once.</p>`
      : html`<ol class="events">${events.map(
          (
            event
          ) => html`<li><details id="${event.id}"><summary>${event.type} <time datetime="${event.created_at}" class="exact muted" title="${event.created_at}">${clock.time(event.created_at)}</time></summary>
<pre>${JSON.stringify(event.envelope, null, 2)}</pre></details>
${(sent.get(event.id) ?? []).map(
  ({ id, status }) =>
    html`<p class="webhook"><a href="/dashboard/webhooks/${environment}/deliveries/${id}">webhook</a> ${statusBadge(status)}</p>`
)}</li>`
        )}</ol>${sent.size === 0 && html`<p>${none("No webhook went out: no endpoint is subscribed to these events.")}</p>`}`
  }</div>`
}
