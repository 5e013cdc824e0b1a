import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { StreamedEvent } from "@carteiro/schema/webhooks/EventLogApi.ts"
import type { WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { form, none } from "../kit/Parts.ts"
import { contentPiece, tapsOf, ticks } from "../messages/Bubble.ts"
import { messageMarks } from "../messages/MessageMarks.ts"
import { textAt } from "../messages/MessageParts.ts"
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

/** Returns the hidden fields of everything that the customer of a conversation writes. */
export const writeForm = ({ csrf, customer, environment, number }: Talk, type: string, content: Piece): Html =>
  form(
    `/dashboard/chat/${environment}/write`,
    csrf,
    html`<input type="hidden" name="from" value="${customer}"><input type="hidden" name="to" value="${number}">
<input type="hidden" name="type" value="${type}">${content}`
  )

/** Returns the conversation, oldest first, as both sides see it. */
export const conversation = (talk: Talk, newestFirst: ReadonlyArray<ShownMessage>): Html =>
  html`<div id="talk" class="talk"${live} role="log" aria-label="Conversation" tabindex="0">${
    newestFirst.length === 0
      ? html`<p class="empty">Write the first message below. It costs nothing and reaches no real phone.</p>`
      : html`<ol>${newestFirst.toReversed().map((shown) => bubble(talk.environment, shown, talk.mayWrite && taps(talk, shown)))}</ol>`
  }</div>`

/** One message of a conversation, with what can be done about it. */
export const bubble = (environmentId: string, { content, message }: ShownMessage, taps?: Piece): Html => {
  const inbound = message.direction === "inbound"
  return html`<li class="bubble ${inbound ? "customer" : "business"}">
<span class="hidden">${inbound ? say("Customer") : say("Business")}:</span>
<div class="message given">${messageMarks(message)}${contentPiece(content)}</div>
${taps}
<p class="muted"><a href="/dashboard/messages/${environmentId}/${message.id}">${clock(message.created_at)}</a> ${
    !inbound && ticks(message.status)
  } ${message.error_code && html`<code>${message.error_code}</code>`}</p>
</li>`
}

const taps = (talk: Talk, { content, message }: ShownMessage): Piece => {
  const offered = message.direction === "inbound" ? [] : tapsOf(content)
  return (
    offered.length > 0 &&
    html`<div class="buttons">${offered.map(({ id, reply, title }) =>
      writeForm(
        talk,
        reply,
        html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="title" value="${title}"><button>${title}</button>`
      )
    )}</div>`
  )
}

/** Returns the time of day, with the whole instant as its title. */
const clock = (at: string): Html => html`<time datetime="${at}" class="exact" title="${at}">${at.slice(11, 19)}</time>`

/** Returns the last events of the environment, newest first, each with the webhooks that it went out by. */
export const happenings = (
  environment: string,
  events: ReadonlyArray<StreamedEvent>,
  deliveries: ReadonlyArray<WebhookEvent>
): Html => {
  const sent = Map.groupBy(deliveries, ({ payload }) => textAt(payload, "id") ?? "")
  return html`<div id="events"${live}>${
    events.length === 0
      ? html`<p class="empty">Nothing has happened yet. Every step of a message is an event, and receivers of <a href="/dashboard/webhooks?environment=${environment}">webhooks</a> get it at once.</p>`
      : html`<ol class="events">${events.map(
          (
            event
          ) => html`<li><details id="${event.id}"><summary>${event.type} <span class="muted">${clock(event.created_at)}</span></summary>
<pre>${JSON.stringify(event.envelope, null, 2)}</pre></details>
${(sent.get(event.id) ?? []).map(
  ({ id, status }) =>
    html`<p class="webhook"><a href="/dashboard/webhooks/${environment}/deliveries/${id}">webhook</a> ${statusBadge(status)}</p>`
)}</li>`
        )}</ol>${sent.size === 0 && html`<p>${none("No webhook went out: no endpoint is subscribed to these events.")}</p>`}`
  }</div>`
}
