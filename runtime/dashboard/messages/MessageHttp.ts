import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Message } from "@carteiro/schema/messages/Message.ts"
import { Effect, Layer } from "effect"
import type { Environments } from "../../access/Access.ts"
import { MessageAdmin, type ShownMessage } from "../../messages/Messages.ts"
import { WebhookAdmin } from "../../webhooks/Webhooks.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, given, moment, none, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { deliveryTable } from "../webhooks/DeliveryParts.ts"
import { customerOf, messageBadge } from "./MessageParts.ts"

const address = "/dashboard/messages"
/** Deliveries shown of one message: each of its few events, to each of at most twenty endpoints. */
const mostDeliveries = 100

/** One message with its events and its deliveries. M-READ-11..31, A-WHV-01..10 */
export const MessageHttp = Layer.unwrap(
  Effect.gen(function* () {
    const messages = yield* MessageAdmin
    const webhooks = yield* WebhookAdmin

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "msg")
      const shown = (yield* messages.find(environment.id, environment.kind, id)) ?? (yield* new NotHere())
      const { content, message, subject } = shown
      const deliveries =
        subject === null ? [] : yield* webhooks.deliveriesAbout(environment.id, subject, id, mostDeliveries)
      const endpoints = yield* webhooks.endpoints(environment.id, environment.kind)
      return {
        title: message.direction === "inbound" ? "Message from a customer" : "Message to a customer",
        section: "messages",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Messages"],
        body: html`<div class="card">${factsOf(message, environmentName(environment), environment.id)}</div>
<section aria-labelledby="content"><h2 id="content">Content</h2>${contentOf(content)}</section>
${message.metadata !== null && html`<section aria-labelledby="metadata"><h2 id="metadata">Metadata</h2><pre>${written(message.metadata)}</pre></section>`}
<section aria-labelledby="events"><h2 id="events">Events</h2>${eventTable(message.events)}</section>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>${deliveryTable(environment.id, deliveries, endpoints)}</section>`
      }
    })

    return page({ operation: "message", path: `${address}/:environment/:id`, handler: show })
  })
)

const written = (value: unknown): string => JSON.stringify(value, null, 2)

const factsOf = (message: Message, where: string, environmentId: string): Html =>
  facts([
    ["Status", html`${messageBadge(message.status)} ${message.status_reason !== null && none(message.status_reason)}`],
    message.error_code === null
      ? undefined
      : ["Error", given(html`<code>${message.error_code}</code> ${message.error_message}`)],
    message.provider_error === null ? undefined : ["Provider's error", given(written(message.provider_error))],
    [
      "Customer",
      given(
        html`${customerOf(message) || none("withheld")}${
          message.sender.profile_name !== null && html` ${none(message.sender.profile_name)}`
        }`
      )
    ],
    ["Sender", html`<code>${message.direction === "inbound" ? message.recipient.id : message.sender.id}</code>`],
    ["Type", `${message.type}, ${message.channel}`],
    message.template_name === null
      ? undefined
      : [
          "Template",
          given(
            html`${templateLink(environmentId, message)}${
              message.template_version !== null && html`, version ${message.template_version}`
            }`
          )
        ],
    ["Provider", message.provider ?? none("not handed over")],
    message.provider_message_id === null
      ? undefined
      : ["Provider's id", given(html`<code>${message.provider_message_id}</code>`)],
    message.delivery_unconfirmed_at === null
      ? undefined
      : ["Unconfirmed since", moment(message.delivery_unconfirmed_at)],
    message.redacted_at === null ? undefined : ["Erased", moment(message.redacted_at)],
    ["Environment", where],
    ["Created", moment(message.created_at)],
    ["Changed", moment(message.updated_at)],
    ["Id", html`<code>${message.id}</code>`],
    ["Trace", html`<code>${message.trace_id}</code>`]
  ])

const templateLink = (environmentId: string, { template_id, template_name }: Message): Html =>
  template_id === null
    ? html`${template_name}`
    : html`<a href="/dashboard/templates/${environmentId}/${template_id}">${template_name}</a>`

const contentOf = (content: ShownMessage["content"]): Html => {
  if (content === null) return html`<p class="empty">The content was erased.</p>`
  const { type, ...rest } = content
  const text = type === "text" ? (rest.text as { readonly body?: unknown } | undefined)?.body : undefined
  return typeof text === "string" ? html`<p class="card message">${text}</p>` : html`<pre>${written(rest)}</pre>`
}

const eventTable = (events: Message["events"]): Html =>
  table(
    "Events, oldest first",
    ["Event", "Status", "When", "Error", "Details"],
    events.map((event) => [
      html`<span class="whole">${event.type}</span>`,
      messageBadge(event.status),
      moment(event.occurred_at),
      event.error_code ?? none("none"),
      event.details === null
        ? none("none")
        : html`<details><summary>show</summary><pre>${written(event.details)}</pre></details>`
    ]),
    "Nothing has happened."
  )
