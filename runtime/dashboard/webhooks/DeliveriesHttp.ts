import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookAttempt } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect, Layer } from "effect"
import type { Environments } from "../../access/Access.ts"
import { type ShownDelivery, WebhookAdmin, WebhookResends } from "../../webhooks/Webhooks.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, moment, none, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { endpointLink, outcome, statusBadge } from "./DeliveryParts.ts"

const path = "/dashboard/webhooks/:environment/deliveries/:id"

/** One delivery with every attempt and what it sent, credentials masked. A-WHV-01..10, A-WHV-17 */
export const DeliveriesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const board = yield* WebhookAdmin
    const resends = yield* WebhookResends

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const shown = (yield* board.delivery(environment.id, visit.request.params.id ?? "")) ?? (yield* new NotHere())
      const { dueAt, event: delivery, request } = shown
      const endpoint = delivery.endpoint_id
      const endpoints = yield* board.endpoints(environment.id, environment.kind)
      return {
        title: delivery.type,
        section: "webhooks",
        environment: environment.id,
        up: [`/dashboard/webhooks?environment=${environment.id}`, "Webhooks"],
        body: html`<div class="card">${facts([
          ["Status", statusBadge(delivery.status)],
          ["About", html`${delivery.source_type} <code>${delivery.source_id}</code>`],
          ["Endpoint", endpointLink(environment.id, endpoint, endpoints)],
          ["Environment", environmentName(environment)],
          ["Created", moment(delivery.created_at)],
          ["Id", html`<code>${delivery.id}</code>`],
          ["Trace", html`<code>${delivery.trace_id}</code>`]
        ])}
${visit.mayChange && endpoint !== null && resendForm(visit, environment.id, delivery.id)}</div>
<section aria-labelledby="attempts"><h2 id="attempts">Attempts</h2>${attemptTable(delivery.attempts, dueAt)}</section>
<section aria-labelledby="sent"><h2 id="sent">Sent</h2>${sent(request, delivery.payload === null)}</section>`
      }
    })

    const resend = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const id = visit.request.params.id ?? ""
      const caller = { environment_id: environment.id, environment: environment.kind }
      yield* resends.one({ caller, now: visit.now, traceId: visit.request.traceId }, id)
      return { to: `/dashboard/webhooks/${environment.id}/deliveries/${id}?done=resent` }
    })

    return Layer.merge(
      page({ operation: "delivery", path, handler: show }),
      action({ operation: "resendDelivery", path: `${path}/resend`, handler: resend })
    )
  })
)

const resendForm = (visit: Visit, environmentId: string, id: string): Html =>
  form(
    `/dashboard/webhooks/${environmentId}/deliveries/${id}/resend`,
    visit.csrf,
    html`<div class="buttons"><button>Send again</button></div>`
  )

/** The last attempt's request. */
const sent = (request: ShownDelivery["request"], cleared: boolean): Html =>
  request === undefined
    ? html`<p class="empty">${cleared ? "The payload was cleared." : "Nothing was sent yet."}</p>`
    : html`<pre>${Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
<p class="muted">The last attempt's headers. The signature is made again, with the endpoint's present secret. Credentials in the body are masked.</p>
<pre>${request.body}</pre>`

const attemptTable = (attempts: ReadonlyArray<WebhookAttempt>, dueAt: ShownDelivery["dueAt"]): Html =>
  table(
    "Attempts, oldest first",
    ["Attempt", "Status", "Answer", "Message", "Answer body", "Due", "Went out", "Took", "Next try"],
    attempts.map((attempt) => [
      html`<span class="whole">Attempt ${attempt.attempt}</span>`,
      statusBadge(attempt.status),
      outcome(attempt.status === "pending" ? undefined : attempt),
      attempt.error_message ?? none("none"),
      attempt.response_body_redacted === null || attempt.response_body_redacted === ""
        ? none("none")
        : html`<details><summary>show</summary><pre>${attempt.response_body_redacted}</pre></details>`,
      moment(dueAt.get(attempt.id) ?? null),
      moment(attempt.attempted_at, attempt.status === "pending" ? "not yet" : "not recorded"),
      attempt.duration_ms === null ? none("none") : `${attempt.duration_ms} ms`,
      moment(attempt.next_retry_at, "none")
    ]),
    "No attempt was made."
  )
