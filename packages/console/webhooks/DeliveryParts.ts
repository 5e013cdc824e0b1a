import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { WebhookAttempt, WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, sentence, statusWord } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { badge, moment, none, type Table, table } from "../kit/Parts.ts"

/** The members of a delivery that a table shows. */
type ShownRow = Omit<WebhookEvent, "payload" | "signature_preview">

/** How good or bad it is where a delivery or an attempt stands. */
export const statusTones = { delivered: "good", succeeded: "good", pending: "info", failed: "bad" } as const

/** Where a delivery or an attempt stands. */
export const statusBadge = (status: keyof typeof statusTones, thing: "delivery" | "attempt" = "delivery"): Html =>
  badge(statusWord(thing, status), statusTones[status])

/** Deliveries of an environment, each leading to its attempts; with endpoints given, each says where it went. */
export const deliveryTable = (
  environmentId: string,
  rows: ReadonlyArray<ShownRow>,
  endpoints?: ReadonlyArray<WebhookEndpoint>,
  nothing: Piece = say("No webhook was sent.")
): Table => {
  const went = ({ endpoint_id }: ShownRow): ReadonlyArray<Piece> => {
    if (endpoints === undefined) return []
    return [endpointLink(environmentId, endpoint_id, endpoints.find(({ id }) => id === endpoint_id)?.url)]
  }
  return table(
    "Deliveries, newest first",
    ["Event", "About", ...(endpoints === undefined ? [] : (["Endpoint"] as const)), "Status", "Last answer", "Created"],
    rows.map((row) => [
      html`<a href="/dashboard/webhooks/${environmentId}/deliveries/${row.id}">${row.type}<span class="hidden"> ${row.source_id}</span></a>`,
      html`<code>${row.source_id}</code>`,
      ...went(row),
      statusBadge(row.status),
      lastAnswer(row.attempts),
      moment(row.created_at)
    ]),
    nothing
  )
}

/** The endpoint a delivery goes to, by where its address leads. */
export const endpointLink = (environmentId: string, id: string | null, url: string | null | undefined): Html =>
  id === null
    ? none("deleted")
    : html`<a class="cut" href="/dashboard/webhooks/${environmentId}/endpoints/${id}">${(url ?? id).replace(/^https?:\/\//, "")}</a>`

/** Sections of the console that show what an event is about. */
const sections: Readonly<Record<string, string>> = {
  message: "messages",
  payment_request: "payments",
  template: "templates",
  flow: "flows",
  group: "groups",
  webhook_test: "webhooks"
}

/** Returns what an event is about, with the way to its page where it has one. */
export const sourceLink = (
  environmentId: string,
  { source_id, source_type }: Pick<WebhookEvent, "source_id"> & { readonly source_type: string }
): Html => {
  const section = sections[source_type]
  const name = html`${contractWord(source_type)} <code>${source_id}</code>`
  if (section === undefined) return name
  const place = section === "webhooks" ? `${section}/${environmentId}/endpoints` : `${section}/${environmentId}`
  return html`<a href="/dashboard/${place}/${source_id}">${name}</a>`
}

/** The requests of a trace are found by the search. */
export const traceLink = (traceId: string): Html =>
  html`<a href="${addressOf("/dashboard/search", { q: traceId })}"><code>${traceId}</code></a>`

/** Returns why an attempt failed; a code of the TLS library stands behind its sentence. */
export const attemptError = (message: string | null): Html | undefined => {
  if (message === null) return undefined
  const [, said = "", code] = /^(.*) \((\w+)\)\.$/.exec(message) ?? []
  return code === undefined ? sentence(message) : html`${sentence(`${said}.`)} <code>${code}</code>`
}

/** Returns the result of an attempt in a few words. */
export const outcome = (attempt: WebhookAttempt | undefined): Html =>
  attempt === undefined
    ? none("none yet")
    : html`${attempt.status_code}${attempt.status_code !== null && attempt.failure_class !== null && " "}${attempt.failure_class && contractWord(attempt.failure_class)}${
        attempt.status_code === null && attempt.failure_class === null && attemptError(attempt.error_message)
      }`

/** Returns the last answer that an endpoint was disabled for, with the class of its failure. */
export const lastAnswerOf = (detail: WebhookEndpoint["disabled_detail"]): Html =>
  html`${detail?.last_status_code ?? say("no answer")}${detail?.failure_class && html` (${contractWord(detail.failure_class)})`}`

/** Returns the attempts of a delivery that had a result. */
export const endedOf = (attempts: ReadonlyArray<WebhookAttempt>): ReadonlyArray<WebhookAttempt> =>
  attempts.filter(({ status }) => status !== "pending")

const lastAnswer = (attempts: ReadonlyArray<WebhookAttempt>): Html => {
  const ended = endedOf(attempts)
  return html`${outcome(ended.at(-1))}${ended.length > 1 && html` ${none(html`after ${ended.length} attempts`)}`}`
}
