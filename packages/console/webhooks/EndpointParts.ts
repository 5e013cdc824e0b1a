import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { badge, facts, instant, notice, table } from "../kit/Parts.ts"
import { endedOf, lastAnswerOf, outcome } from "./DeliveryParts.ts"

/** The page of all endpoints and deliveries of an environment. */
export const webhooksAddress = "/dashboard/webhooks"

/** Where one endpoint is shown. */
export const endpointAddress = (environmentId: string, id: string): string =>
  `${webhooksAddress}/${environmentId}/endpoints/${id}`

/** Returns the name of an endpoint: the note about it, else the host of its URL. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, "description" | "url">): string =>
  description ?? URL.parse(url)?.host ?? url

/** How well an endpoint is, in words and colour. */
export const healthBadges = (endpoint: WebhookEndpoint): Html =>
  endpoint.status === "disabled"
    ? badge(endpoint.disabled_reason === "manual" ? "disabled by hand" : "disabled after failures", "bad")
    : endpoint.probation
      ? html`${badge("active", "good")} ${badge("on probation", "warn")}`
      : isFailing(endpoint)
        ? html`${badge("active", "plain")} ${badge("failing", "warn")}`
        : badge("active", "good")

/** Its last attempt failed, and none has succeeded since. */
export const isFailing = ({ last_failure_at, last_success_at }: WebhookEndpoint): boolean =>
  last_failure_at !== null && (last_success_at === null || last_failure_at > last_success_at)

/**
 * Says of an endpoint whose last delivery failed what its receiver answered, what happens by itself and what a person can do;
 * nothing of any other. `shown` are the deliveries that the page shows, newest first.
 */
export const failingNotice = (
  endpoint: WebhookEndpoint,
  shown: ReadonlyArray<Pick<WebhookEvent, "attempts">>
): Html | undefined => {
  if (endpoint.status !== "active" || !isFailing(endpoint)) return undefined
  const failed = shown.map(({ attempts }) => endedOf(attempts).at(-1)).find((attempt) => attempt?.status === "failed")
  return notice(
    "warn",
    html`<p>${failed ? html`The last delivery failed: ${outcome(failed)}` : say("The last delivery failed: open it below to see why.")}</p><p>${say("Pending ones are tried again by themselves, with growing pauses; those that failed for good stand under Missed events, to be sent again together.")}</p>`
  )
}

/** The endpoints of an environment with their health, each leading to its page. */
export const endpointTable = (environmentId: string, endpoints: ReadonlyArray<WebhookEndpoint>): Html =>
  table(
    "Webhook endpoints of the environment",
    ["URL", "Health", "Events", "Last success", "Last failure"],
    endpoints.map((endpoint) => [
      html`<a class="url" href="${endpointAddress(environmentId, endpoint.id)}">${endpoint.url}</a>${
        endpoint.description !== null && html`<br><span class="given muted">${endpoint.description}</span>`
      }`,
      healthBadges(endpoint),
      endpoint.subscribed_events.length,
      instant(endpoint.last_success_at),
      instant(endpoint.last_failure_at)
    ]),
    html`This environment has no webhook endpoint. An endpoint is an address of yours to which events are posted as they happen: a message arrives, a payment is paid.`
  )

/** Shows the facts of an endpoint that its headline does not say. */
export const endpointFacts = (endpoint: WebhookEndpoint, where: Html): Html =>
  facts([
    endpoint.disabled_detail === null
      ? undefined
      : [
          "Last answer",
          html`${lastAnswerOf(endpoint.disabled_detail)}${
            endpoint.disabled_detail.probation_retrip && html` ${badge("failed on probation", "bad")}`
          }`
        ],
    ["Environment", where],
    ["Last success", instant(endpoint.last_success_at)],
    ["Last failure", instant(endpoint.last_failure_at)],
    ["Events", endpoint.subscribed_events.map((type) => html`<code class="scope">${type}</code> `)],
    ["Created", instant(endpoint.created_at)],
    ["Id", html`<code>${endpoint.id}</code>`]
  ])
