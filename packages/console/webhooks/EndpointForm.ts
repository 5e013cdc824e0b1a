import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { AnyEvent } from "@carteiro/schema/conventions/Event.ts"
import { subscribableEvents } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { eventExamples } from "@carteiro/schema/webhooks/EventExamples.ts"
import {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  type WebhookEndpoint
} from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { InvalidWebhookEndpointRequest } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Result } from "effect"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece, trustedMarkup } from "../kit/Html.ts"
import { declared, type Label, say, sentence } from "../kit/Language.ts"
import { checkbox, form, input, notice } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"

/** The fields of an endpoint as they were typed. */
export interface TypedEndpoint {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
}

/** The field of a refusal; `form` stands for all of it. */
export type RefusedEndpoint = Refused<"url" | "description" | "subscribed_events" | "form">

/** The form before anything was typed: what becomes of messages and payments is ticked. */
export const newEndpoint: TypedEndpoint = {
  url: "",
  description: "",
  events: [
    "message.received",
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "payment.paid",
    "payment.failed",
    "payment.expired"
  ]
}

/** Returns the fields of the form as an endpoint has them. */
export const storedEndpoint = ({
  description,
  subscribed_events,
  url
}: Pick<WebhookEndpoint, "url" | "description" | "subscribed_events">): TypedEndpoint => ({
  url,
  description: description ?? "",
  events: subscribed_events
})

/** Returns an address as it is called: one that begins with a name of the internet, as people write it, is of https. */
const withScheme = (typed: string): string =>
  /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?:[:/?]|$)/iu.test(typed) ? `https://${typed}` : typed

export const typedEndpoint = (sent: URLSearchParams): TypedEndpoint => ({
  url: withScheme(field(sent, "url").trim()),
  description: field(sent, "description").trim(),
  events: sent.getAll("subscribed_events")
})

const { code } = InvalidWebhookEndpointRequest
const decodeCreate = bodyDecoder(CreateWebhookEndpoint, { code, strict: true })
const decodeUpdate = bodyDecoder(UpdateWebhookEndpoint, { code, strict: true })

/** Returns the body that a request of the API would carry, or the refusal that the route answers. */
export const createBody = ({
  description,
  events,
  url
}: TypedEndpoint): Result.Result<CreateWebhookEndpoint, ApiError> =>
  decoded<CreateWebhookEndpoint>(
    decodeCreate({ url, ...(description === "" ? {} : { description }), subscribed_events: events })
  )

/** Returns the body of a change; an empty description takes the old one away. */
export const updateBody = ({
  description,
  events,
  url
}: TypedEndpoint): Result.Result<UpdateWebhookEndpoint, ApiError> =>
  decoded<UpdateWebhookEndpoint>(
    decodeUpdate({ url, description: description === "" ? null : description, subscribed_events: events })
  )

const decoded = <Body>(body: unknown): Result.Result<Body, ApiError> =>
  isRefusal(body) ? Result.fail(body) : Result.succeed(body as Body)

/** Returns the field that a refusal of the API is about; `url` is what was typed. */
export const refusedField = (refusal: ApiError, url: string): RefusedEndpoint => {
  const [name] = (refusal.param ?? "").split(/[.[]/u)
  if (name === "subscribed_events") return { field: name, error: "Choose at least one event." }
  if (name === "url" && refusal._tag === code) return { field: name, error: wholeAddress }
  const isLocal = refusal._tag === "unsafe_webhook_url" && localAddress.test(url)
  return {
    field: name === "url" || name === "description" ? name : "form",
    error: isLocal ? localRefusal : refusalText(refusal)
  }
}

const wholeAddress = html`Write a whole address, such as https://loja.example/webhooks, without # in it.`

/** An address of the machine itself, as a person writes it who tries a receiver there. */
const localAddress = /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/iu

const localRefusal = html`An address of your own machine is called in development alone, as http://127.0.0.1:4020 with any path, unless CARTEIRO_WEBHOOK_TARGET_ALLOWLIST names others. To any other port of it, the command carteiro listen --forward-to hands events on. Elsewhere events are posted to an https address that the internet reaches.`

interface EndpointFormOptions {
  readonly action: string
  readonly csrf: string
  readonly button: Label
  readonly back: string
  readonly typed: TypedEndpoint
  readonly refused: RefusedEndpoint | undefined
}

/** The form of a new endpoint or of a change, empty or as it was sent. */
export const endpointForm = ({ action, back, button, csrf, refused, typed }: EndpointFormOptions): Html =>
  html`${refused?.field === "form" && notice("bad", refused.error)}
${form(
  action,
  csrf,
  html`<div class="card">${input({
    name: "url",
    label: "URL",
    value: typed.url,
    hint: say(
      "Where events are posted: https, reachable from the internet, without credentials and fragment. In development also http://127.0.0.1:4020 with any path, where npm run receiver listens."
    ),
    error: errorAt(refused, "url"),
    required: true,
    plain: true,
    maxLength: 2048
  })}
${input({
  name: "description",
  label: "Description (optional)",
  value: typed.description,
  hint: say("What it is for, so that people know this endpoint again."),
  error: errorAt(refused, "description"),
  maxLength: 255
})}</div>
${eventFields(typed.events, errorAt(refused, "subscribed_events"))}
<div class="buttons"><button class="primary">${say(button)}</button><a class="button" href="${back}">Go back</a></div>`
)}`

/** The families of events by the first word of their types, in the documented order. */
const families: ReadonlyMap<string, ReadonlyArray<AnyEvent>> = Map.groupBy(
  subscribableEvents,
  ({ type }) => type.split(".")[0] ?? type
)

const familyNames: Readonly<Record<string, Label>> = {
  message: "Messages",
  flow: "Flows",
  upstream_signup_session: "Signups",
  payment: "Payments",
  group: "Groups",
  template: "Templates"
}

const eventFields = (ticked: ReadonlyArray<string>, error: string | Html | undefined): Html =>
  html`<section aria-labelledby="events"><h2 id="events">Events</h2>
<p class="hint">Only these are posted. An event carries its type, the instant, a trace id, and the data shown as an example.</p>
${example(say("Example of a whole event"), wholeEvent)}
${error !== undefined && html`<p class="error" role="alert">${sentence(error)}</p>`}
${[...families].map(([family, events]) => {
  const name = say(familyNames[family] ?? html`${family}`)
  const chosen = events.filter(({ type }) => ticked.includes(type)).length
  // All are folded: what is sent is read at one look, and the button is in reach below them.
  return html`<details class="card family"><summary>${name} <span class="muted">${chosen} of ${events.length} chosen</span></summary><fieldset><legend class="hidden">${name}</legend>
${events.map(
  ({ description, timed, type }) => html`<div class="event">${checkbox(
    "subscribed_events",
    type,
    html`<code>${type}</code> <span class="muted">${declared(type, description)}</span>`,
    ticked.includes(type)
  )}
${example(html`Example<span class="hidden"> of ${type}</span>`, ownPart(type, timed))}</div>`
)}</fieldset></details>`
})}</section>`

const example = (summary: Piece, event: object): Html =>
  html`<details><summary>${summary}</summary><pre tabindex="0">${exampleText(event)}</pre></details>`

/** Returns an example of this repository as text: its many quotes stay as they are, which halves what they weigh. */
const exampleText = (event: object): Html =>
  trustedMarkup(JSON.stringify(event, null, 2).replaceAll("&", "&amp;").replaceAll("<", "&lt;"))

/** An event as a receiver gets it, but for what is its type's own. Events, "Envelope" */
const wholeEvent = {
  id: "evt_01kjqa8x1v3m7c5d9e2f4g6h8x",
  type: "…",
  created_at: "2026-03-02T14:05:09.000Z",
  environment: "sandbox",
  trace_id: "1be67667766637c3a3d5e6ec8f03d25e",
  data: {}
}

/** Returns the members of an event that differ from type to type: an envelope for each would double the page. */
const ownPart = (type: string, isTimed: boolean) => ({
  type,
  ...(isTimed && { occurred_at: "2026-03-02T14:05:08.000Z" }),
  data: eventExamples[type as keyof typeof eventExamples]
})
