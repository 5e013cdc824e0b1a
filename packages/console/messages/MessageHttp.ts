import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Message, MessagePricing } from "@carteiro/schema/messages/Message.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { live } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, moment, none, personText, table } from "../kit/Parts.ts"
import { section } from "../kit/Story.ts"
import { Stories, type StoryCall } from "../story/Stories.ts"
import { contentPiece, tapsOf, ticks } from "./Bubble.ts"
import { messageMarks } from "./MessageMarks.ts"
import { customerOf, invalidNumber, messageBadge, sendBody } from "./MessageParts.ts"

const address = "/dashboard/messages"

/** One message with its events and its deliveries. M-READ-11..31, A-WHV-01..10 */
export const MessageHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { messageLookups } = yield* Operations
    const stories = yield* Stories

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "msg")
      const found = messageLookups.get(asVisitor(visit, environment), { params: { message_id: id } })
      const shown = yield* orNotHere(found)
      const { message, subject } = shown
      const deliveries = yield* stories.deliveries(visit, environment, id, subject)
      const made = yield* stories.request(visit, environment, message.trace_id)
      const ledger = yield* stories.ledger(visit, environment, [id])
      return {
        title: message.direction === "inbound" ? "Message from a customer" : "Message to a customer",
        section: "messages",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Messages"],
        follows: "events",
        body: html`<div class="card"><div id="facts"${live}>${factsOf(message, environmentName(environment), environment.id)}</div>
${visit.mayChange && sendBody(shown) && html`<div class="buttons"><a class="button" href="${address}/${environment.id}/${id}/again">Send again…</a></div>`}</div>
${section("content", "As the customer sees it", bubbleOf(shown))}
<section aria-labelledby="origin"><h2 id="origin">Where it comes from</h2>${originOf(environment.id, message, made)}</section>
${message.metadata !== null && html`<section aria-labelledby="metadata"><h2 id="metadata">Metadata</h2><pre>${written(message.metadata)}</pre></section>`}
${section("events", "Events", eventTable(message.events))}
${deliveries}
${ledger}
${stories.calls(callsOf(shown))}`
      }
    })

    return page({ operation: "message", path: `${address}/:environment/:id`, handler: show })
  })
)

const written = (value: unknown): string => JSON.stringify(value, null, 2)

/** Whether the platform charges, and its own words for the price. U-STA-01 */
const pricingPiece = ({ billable, category, model, type }: MessagePricing): Html => {
  const words = [category, type, model].filter((word) => word !== null).join(", ")
  return html`${billable !== null && badge(billable ? "billable" : "free of charge", "plain")} ${words}`
}

const factsOf = (message: Message, where: Html, environmentId: string): Html =>
  facts([
    [
      "Status",
      html`${messageBadge(message.status)} ${message.status_reason !== null && none(html`${message.status_reason}`)}`
    ],
    message.error_code === null
      ? undefined
      : ["Error", personText(html`<code>${message.error_code}</code> ${message.error_message}`)],
    message.provider_error === null ? undefined : ["Provider's error", personText(written(message.provider_error))],
    [
      "Customer",
      personText(
        html`${customerOf(message) || none("withheld")}${invalidNumber(message)}${
          message.sender.profile_name !== null && html` ${none(html`${message.sender.profile_name}`)}`
        }`
      )
    ],
    message.sender.user_id ? ["Platform's id", html`<code>${message.sender.user_id}</code>`] : undefined,
    ["Sender", html`<code>${message.direction === "inbound" ? message.recipient.id : message.sender.id}</code>`],
    ["Type", `${message.type}, ${message.channel}`],
    message.provider_group_id === undefined ? undefined : ["Group", groupOf(environmentId, message)],
    message.context?.referral === undefined
      ? undefined
      : ["Advertisement or post", personText(written(message.context.referral))],
    message.template_name === null
      ? undefined
      : [
          "Template",
          personText(
            html`${templateLink(environmentId, message)}${
              message.template_version !== null && html`, version ${message.template_version}`
            }`
          )
        ],
    ["Provider", message.provider ?? none("not handed over")],
    message.provider_message_id === null
      ? undefined
      : ["Provider's id", personText(html`<code>${message.provider_message_id}</code>`)],
    message.pricing === undefined ? undefined : ["Price at the platform", personText(pricingPiece(message.pricing))],
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

const groupOf = (environmentId: string, { group_id, provider_group_id }: Message): Html =>
  group_id == null
    ? personText(html`<code>${provider_group_id}</code>`)
    : html`<a href="/dashboard/groups/${environmentId}/${group_id}"><code>${group_id}</code></a>`

const bubbleOf = ({ content, message }: ShownMessage): Html => {
  const inbound = message.direction === "inbound"
  const taps = tapsOf(content)
  return html`<div class="talk"><ol><li class="bubble ${inbound ? "customer" : "business"}">
<div class="message given">${messageMarks(message)}${contentPiece(content)}</div>
${taps.length > 0 && html`<p>${taps.map(({ title }) => badge(html`${title}`, "plain"))}</p>`}
<p class="muted">${moment(message.created_at)} ${!inbound && ticks(message.status)}</p></li></ol></div>
${content !== null && content.type !== "text" && html`<details><summary>All of its content</summary><pre>${written(content)}</pre></details>`}`
}

/** Returns the message that this one answers, and the request that made it as far as the request log goes back. */
const originOf = (environment: string, { context, direction }: Message, request: Html | undefined): Html => {
  const quoted = context?.reply_to?.message_id ?? null
  return html`${quoted !== null && html`<p>It answers <a href="${address}/${environment}/${quoted}"><code>${quoted}</code></a>.</p>`}
${
  request === undefined
    ? html`<p class="empty">${direction === "inbound" ? say("A provider reported it.") : say("The request log holds no request of its trace.")}</p>`
    : html`<p>${direction === "inbound" ? html`Simulated by ${request}.` : html`Made by ${request}.`}</p>`
}`
}

/** Returns the calls that read a message and, of one to a customer, that send it once more. */
const callsOf = (shown: ShownMessage): ReadonlyArray<StoryCall> => {
  const read: StoryCall = { title: "Read it", method: "GET", path: `/v1/messages/${shown.message.id}` }
  const body = sendBody(shown)
  return body === undefined
    ? [read]
    : [read, { title: "Send it once more", method: "POST", path: "/v1/messages", body }]
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
    say("Nothing has happened.")
  )
