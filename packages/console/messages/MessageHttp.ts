import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Message, MessagePricing } from "@carteiro/schema/messages/Message.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { Effect, Layer } from "effect"
import { channelName } from "../kit/Channels.ts"
import { contactLink, makeContactOf } from "../kit/CustomerNames.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, type Label, type Saying, say, sentence, statusWord } from "../kit/Language.ts"
import { type NumberLink, numberLinker } from "../kit/NumberLinks.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, moment, none, personText } from "../kit/Parts.ts"
import { dialled, phoneText } from "../kit/PhoneText.ts"
import { fold, section, storyPage, timeline } from "../kit/Story.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories, type StoryCall } from "../story/Stories.ts"
import { contentPiece, tapsOf, ticks } from "./Bubble.ts"
import { messageMarks } from "./MessageMarks.ts"
import { customerOf, excerptOf, invalidNumber, messageBadge, messageTones, sendBody } from "./MessageParts.ts"
import { letterOf, makeSentTemplates } from "./SentTemplates.ts"

const address = "/dashboard/messages"

/** One message with its events and its deliveries. */
export const MessageHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { messageLookups } = operations
    const numberLinks = numberLinker(operations)
    const sentTemplates = yield* makeSentTemplates
    const stories = yield* Stories
    const contactOf = yield* makeContactOf

    /** Returns the customer of a message by name and phone, with the way to the contact. */
    const customerLink = Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry, message: Message) {
      const customer = customerOf(message)
      if (customer === "") return none("withheld")
      const contact = yield* contactOf(asVisitor(visit, environment), customer)
      const name = contact?.profile_name ?? message.sender.profile_name
      const shown = contactLink(environment.id, contact, personText(name ?? dialled(customer)))
      return html`${shown}${name !== null && html` · ${personText(dialled(customer))}`}${invalidNumber(message)}`
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "msg")
      const found = messageLookups.get(asVisitor(visit, environment), { params: { message_id: id } })
      const shown = yield* orNotHere(found)
      const { message, subject } = shown
      const deliveries = yield* stories.deliveries(visit, environment, id, subject)
      const made = yield* stories.request(visit, environment, message.trace_id)
      const ledger = yield* stories.ledger(visit, environment, [id])
      const numberLink = yield* numberLinks(visit, environment)
      const letter = letterOf(shown, yield* sentTemplates(asVisitor(visit, environment), [shown]))
      const said = shown.content === null ? "" : excerptOf(shown.content)
      const kind = message.direction === "inbound" ? "Message from a customer" : "Message to a customer"
      return {
        title: said === "" ? kind : html`${said}`,
        section: "messages",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Messages"],
        follows: "events",
        ...storyPage({
          headline: {
            ...(said !== "" && { kind }),
            state: messageBadge(message.status),
            about: [
              yield* customerLink(visit, environment, message),
              message.template_name !== null && personText(templateLink(environment.id, message)),
              message.error_code !== null && html`<code>${message.error_code}</code>`
            ],
            next:
              visit.mayChange &&
              sendBody(shown) &&
              html`<a class="button" href="${address}/${environment.id}/${id}/again">Send again…</a>`
          },
          story: html`${section("timeline", "What happened", timelineOf(message, made))}
${section("content", "As the customer sees it", bubbleOf(shown, letter))}
${deliveries}
${stories.calls(callsOf(shown))}`,
          facts: factsOf(message, environment, numberLink),
          aside: html`${message.metadata !== null && fold("metadata", "Metadata", html`<pre>${written(message.metadata)}</pre>`)}
${shown.content !== null && shown.content.type !== "text" && fold("whole", "All of its content", html`<pre>${written(shown.content)}</pre>`)}
${ledger}`
        })
      }
    })

    return page({ operation: "message", path: `${address}/:environment/:id`, handler: show })
  })
)

const written = (value: unknown): string => JSON.stringify(value, null, 2)

/** The platform's words for kinds of prices; of others that may appear, its own word stands there. */
const priceWords: ReadonlyMap<string, Saying> = new Map<string, Saying>([
  ["regular", "regular price"],
  ["free_customer_service", "free within the service window"],
  ["free_entry_point", "free after an advertisement"],
  ["PMP", "priced by message"],
  ["CBP", "priced by conversation"]
])

const priceWord = (word: string): Html => {
  const known = priceWords.get(word)
  return known === undefined ? html`<code>${word}</code>` : say(known)
}

/** Whether the platform charges, and its own words for the price. A sandbox simulates these and charges nothing. */
const pricingPiece = ({ billable, category, model, type }: MessagePricing, kind: EnvironmentEntry["kind"]): Html => {
  const words = html`${category !== null && contractWord(category)} ${[type, model].map((word) => word !== null && html`· ${priceWord(word)} `)}`
  if (kind === "sandbox") {
    return html`<strong>Nothing is charged in a sandbox.</strong> <span class="muted">${billable === true ? say("In production the platform would charge it:") : say("In production the platform would charge nothing:")} ${words}</span>`
  }
  return html`${billable !== null && badge(billable ? "billable" : "free of charge", "plain")} ${words}`
}

const factsOf = (message: Message, environment: EnvironmentEntry, numberLink: NumberLink): Html =>
  facts([
    message.status_reason === null ? undefined : ["Waits for", contractWord(message.status_reason)],
    message.error_code === null
      ? undefined
      : [
          "Error",
          personText(
            html`<code>${message.error_code}</code> ${message.error_message && sentence(message.error_message)}`
          )
        ],
    message.provider_error === null ? undefined : ["Provider's error", personText(written(message.provider_error))],
    [
      "Customer",
      personText(
        html`${phoneText(customerOf(message)) || none("withheld")}${invalidNumber(message)}${
          message.sender.profile_name !== null && html` ${none(html`${message.sender.profile_name}`)}`
        }`
      )
    ],
    message.sender.user_id ? ["Platform's id", html`<code>${message.sender.user_id}</code>`] : undefined,
    ["Your number", numberLink(message.direction === "inbound" ? message.recipient.id : message.sender.id)],
    quotedOf(environment.id, message),
    ["Type", html`${contractWord(message.type)} · ${channelName(message.channel)}`],
    message.provider_group_id === undefined ? undefined : ["Group", groupOf(environment.id, message)],
    message.context?.referral === undefined
      ? undefined
      : ["Advertisement or post", personText(written(message.context.referral))],
    message.template_name === null
      ? undefined
      : [
          "Template",
          personText(
            html`${templateLink(environment.id, message)}${
              message.template_version !== null && html`, version ${message.template_version}`
            }`
          )
        ],
    ["Provider", message.provider ?? none("not handed over")],
    message.provider_message_id === null
      ? undefined
      : ["Provider's id", personText(html`<code>${message.provider_message_id}</code>`)],
    message.pricing === undefined
      ? undefined
      : ["Price at the platform", personText(pricingPiece(message.pricing, environment.kind))],
    message.delivery_unconfirmed_at === null
      ? undefined
      : ["Unconfirmed since", moment(message.delivery_unconfirmed_at)],
    message.redacted_at === null ? undefined : ["Erased", moment(message.redacted_at)],
    ["Environment", environmentName(environment)],
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

/** Shows the content as the customer sees it, that of a template as `letter`. */
const bubbleOf = ({ content, message }: ShownMessage, letter: Html | undefined): Html => {
  const inbound = message.direction === "inbound"
  if (letter !== undefined) {
    return html`<div class="talk"><ol><li class="said business">${letter}<div class="meta">${moment(message.created_at)} ${ticks(message.status)}</div></li></ol></div>`
  }
  const taps = tapsOf(content)
  return html`<div class="talk"><ol><li class="bubble ${inbound ? "customer" : "business"}">
<div class="message given">${messageMarks(message)}${contentPiece(content)}</div>
${taps.length > 0 && html`<p>${taps.map(({ title }) => badge(html`${title}`, "plain"))}</p>`}
<p class="muted">${moment(message.created_at)} ${!inbound && ticks(message.status)}</p></li></ol></div>`
}

/** Returns the message that this one answers. */
const quotedOf = (environment: string, { context }: Message): readonly [Label, Piece] | undefined => {
  const quoted = context?.reply_to?.message_id ?? null
  return quoted === null
    ? undefined
    : ["Answers", html`<a href="${address}/${environment}/${quoted}"><code>${quoted}</code></a>`]
}

/** Returns the calls that read a message and, of one to a customer, that send it once more. */
const callsOf = (shown: ShownMessage): ReadonlyArray<StoryCall> => {
  const read: StoryCall = { title: "Read it", method: "GET", path: `/v1/messages/${shown.message.id}` }
  const body = sendBody(shown)
  return body === undefined
    ? [read]
    : [read, { title: "Send it once more", method: "POST", path: "/v1/messages", body }]
}

/** Returns the steps of a message, the first with what made it. */
const timelineOf = ({ direction, events }: Message, request: Html | undefined): Html =>
  timeline(
    events.map(({ details, error_code, occurred_at, status, type }, index) => ({
      what: statusWord("message", status),
      at: occurred_at,
      tone: messageTones[status],
      cause: html`<code>${type}</code>${index === 0 && html` ${originOf(direction, request)}`}${
        error_code !== null && html` <code>${error_code}</code>`
      }${details !== null && html`<details><summary>Details</summary><pre>${written(details)}</pre></details>`}`
    }))
  )

/** Returns what made a message, as far as the request log goes back. */
const originOf = (direction: Message["direction"], request: Html | undefined): Html | undefined => {
  if (direction === "inbound")
    return request === undefined ? say("A provider reported it.") : html`Simulated by ${request}.`
  return request && html`Made by ${request}.`
}
