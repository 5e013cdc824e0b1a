import { readGuides } from "@carteiro/guides/Guides.ts"
import { timeIn } from "@carteiro/owners/TenantTime.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { DeliveryDetails, DueAttempt, SentRequest } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import type { WebhookAttempt } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect, Layer } from "effect"
import { copyText } from "../kit/CopyParts.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, moment, none } from "../kit/Parts.ts"
import { storyPage, timeline } from "../kit/Story.ts"
import {
  attemptError,
  endpointLink,
  outcome,
  sourceLink,
  statusBadge,
  statusTones,
  traceLink
} from "./DeliveryParts.ts"
import { endpointAddress } from "./EndpointParts.ts"
import { programsOf, verificationOf, verifyParts } from "./VerifyParts.ts"

const path = "/dashboard/webhooks/:environment/deliveries/:id"

/** A new delivery is looked at again by itself for so long, in milliseconds; an attempt ends within 15 seconds. */
const movesMs = 60_000
/** Seconds between two looks without a script. */
const again = 2

/** One delivery: request, response, attempts, and how to verify it; credentials are masked. */
export const DeliveriesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const programs = yield* Effect.cached(Effect.sync(() => programsOf(readGuides().get("webhooks"))))

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { webhook_event_id: visit.request.params.id ?? "" }
      const delivery = yield* orNotHere(operations.deliveryLog.get(asVisitor(visit, environment), { params }))
      const { endpoint_id: endpoint, request } = delivery
      const moves = isMoving(delivery, yield* timeIn(environment.id, visit.now))
      const verification = request === null ? undefined : verificationOf(request)
      return {
        title: html`${delivery.type}`,
        section: "webhooks",
        environment: environment.id,
        up: [`/dashboard/webhooks?environment=${environment.id}`, "Webhooks"],
        follows: "events",
        again: moves ? again : undefined,
        ...storyPage({
          headline: {
            state: statusBadge(delivery.status),
            about: [
              endpointLink(environment.id, endpoint, delivery.endpoint_url),
              sourceLink(environment.id, delivery)
            ],
            next: visit.mayChange && endpoint !== null && resendForm(visit, environment.id, endpoint, delivery)
          },
          story: html`<section aria-labelledby="attempts"><h2 id="attempts">Attempts</h2><div id="tries"${live}>${moves && html`<p class="muted" role="status"${moving()}>This page moves by itself until the receiver has answered.</p>`}${timelineOf(delivery.attempts)}</div></section>
<section aria-labelledby="sent"><h2 id="sent">Request</h2><div id="request"${live}>${sent(request, delivery.is_cleared)}</div></section>
<section aria-labelledby="answered"><h2 id="answered">Response</h2><div id="response"${live}>${response(delivery.attempts)}</div></section>
${verification !== undefined && html`<section aria-labelledby="verify"><h2 id="verify">How to verify this one</h2>${verifyParts(verification, yield* programs)}</section>`}
${besideLinks(environment.id, delivery)}`,
          facts: facts([
            ["About", sourceLink(environment.id, delivery)],
            ["Endpoint", endpointLink(environment.id, endpoint, delivery.endpoint_url)],
            ["Environment", environmentName(environment)],
            ["Created", moment(delivery.created_at)],
            ["Id", html`<code>${delivery.id}</code>`],
            ["Trace", traceLink(delivery.trace_id)]
          ])
        })
      }
    })

    const resend = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = visit.request.params.id ?? ""
      yield* operations.webhookEvents.resend(asVisitor(visit, environment), { params: { webhook_event_id: id } })
      return { to: `/dashboard/webhooks/${environment.id}/deliveries/${id}?done=resent` }
    })

    return Layer.merge(
      page({ operation: "delivery", path, handler: show }),
      action({ operation: "resendDelivery", audit: "webhook_delivery.resent", path: `${path}/resend`, handler: resend })
    )
  })
)

/** True when its last attempt is likely to end while the page is open. */
const isMoving = ({ attempts, created_at }: DeliveryDetails, now: number): boolean => {
  const last = attempts.at(-1)
  return (
    last?.status === "pending" && now - (parseTimestamp(last.created_at) ?? parseTimestamp(created_at) ?? 0) < movesMs
  )
}

/** Leads along the deliveries to one endpoint, the way they went out. */
const besideLinks = (environmentId: string, { beside: { earlier, later } }: DeliveryDetails): Piece => {
  const to = (id: string, text: Label) =>
    html`<a class="button" href="/dashboard/webhooks/${environmentId}/deliveries/${id}">${say(text)}</a>`
  return (
    (earlier !== null || later !== null) &&
    html`<nav class="buttons" aria-label="Deliveries to the same endpoint">${[
      earlier !== null && to(earlier, "Delivery before this one"),
      later !== null && to(later, "Delivery after this one")
    ]}</nav>`
  )
}

/** Sends the delivery again; of a test, which is about no thing, another test of its endpoint. */
const resendForm = (
  visit: Visit,
  environmentId: string,
  endpoint: string,
  { id, source_type }: DeliveryDetails
): Html =>
  form(
    source_type === "webhook_test"
      ? `${endpointAddress(environmentId, endpoint)}/test`
      : `/dashboard/webhooks/${environmentId}/deliveries/${id}/resend`,
    visit.csrf,
    html`<button>Send again</button>`
  )

/** The last attempt's request. */
const sent = (request: SentRequest | null, cleared: boolean): Html =>
  request === null
    ? html`<p class="empty">${cleared ? say("The payload was cleared.") : say("Nothing was sent yet.")}</p>`
    : html`<pre tabindex="0">${Object.entries(request.headers).map(([name, value]) => [name, ": ", value, "\n"])}</pre>
<p class="muted">The last attempt's headers.${request.raw_body === null && html` Secrets and credentials in the body are masked.`}</p>
${copyText({ id: "request-body", label: "Request body", value: request.body })}`

/** The response of the receiver to the last attempt that ended. */
const response = (attempts: ReadonlyArray<WebhookAttempt>): Html => {
  const last = attempts.findLast(({ attempted_at, status }) => status !== "pending" && attempted_at !== null)
  if (last === undefined) return html`<p class="empty">There is no answer yet.</p>`
  const { duration_ms, response_body_redacted: body } = last
  return html`<p>${outcome(last)}${duration_ms !== null && html` ${none(html`after ${duration_ms} ms`)}`}</p>
${body === null || body === "" ? html`<p class="muted">The answer has no body.</p>` : copyText({ id: "response-body", label: "Response body", value: body })}`
}

/** Returns the attempts, oldest first, each with its answer, when it was due and went out, and when the next one is. */
const timelineOf = (attempts: ReadonlyArray<DueAttempt>): Html =>
  attempts.length === 0
    ? html`<p class="empty">No attempt was made.</p>`
    : timeline(
        attempts.map((attempt) => ({
          what: html`<span class="whole">Attempt ${attempt.attempt}</span> ${statusBadge(attempt.status, "attempt")} ${outcome(attempt.status === "pending" ? undefined : attempt)}`,
          at: attempt.attempted_at ?? attempt.due_at,
          tone: statusTones[attempt.status],
          cause: html`${attempt.error_message !== null && html`<p>${attemptError(attempt.error_message)}</p>`}${timesOf(attempt)}${
            attempt.response_body_redacted !== null &&
            attempt.response_body_redacted !== "" &&
            html`<details><summary>Answer body</summary><pre>${attempt.response_body_redacted}</pre></details>`
          }`
        }))
      )

const timesOf = ({ attempted_at, due_at, duration_ms, next_retry_at, status }: DueAttempt): Html =>
  html`<ul class="about"><li>Due ${moment(due_at)}</li> <li>Went out ${moment(attempted_at, status === "pending" ? "not yet" : "not recorded")}</li>${
    duration_ms !== null && html` <li>Took ${duration_ms} ms</li>`
  }${next_retry_at !== null && html` <li>Next try ${moment(next_retry_at)}</li>`}</ul>`
