import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookAttempt } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { Effect, Layer } from "effect"
import type { Environments } from "../../access/Access.ts"
import { WebhookAdmin, WebhookResends } from "../../webhooks/Webhooks.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, moment, none, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { endpointLink, outcome, statusBadge } from "./DeliveryParts.ts"

const path = "/dashboard/webhooks/:environment/deliveries/:id"

/** One delivery with every attempt; what it carried is read through the API only. A-WHV-01..10, A-WHV-17 */
export const DeliveriesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const board = yield* WebhookAdmin
    const resends = yield* WebhookResends

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError, Environments> {
      const environment = yield* environmentOf(visit)
      const delivery = (yield* board.delivery(environment.id, visit.request.params.id ?? "")) ?? (yield* new NotHere())
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
<section aria-labelledby="attempts"><h2 id="attempts">Attempts</h2>${attemptTable(delivery.attempts)}</section>`
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

const attemptTable = (attempts: ReadonlyArray<WebhookAttempt>): Html =>
  table(
    "Attempts, oldest first",
    ["Attempt", "Status", "Answer", "Message", "Answer body", "Made", "Next try"],
    attempts.map((attempt) => [
      html`<span class="whole">Attempt ${attempt.attempt}</span>`,
      statusBadge(attempt.status),
      outcome(attempt.status === "pending" ? undefined : attempt),
      attempt.error_message ?? none("none"),
      attempt.response_body_redacted === null || attempt.response_body_redacted === ""
        ? none("none")
        : html`<details><summary>show</summary><pre>${attempt.response_body_redacted}</pre></details>`,
      moment(attempt.created_at),
      moment(attempt.next_retry_at, "none")
    ]),
    "No attempt was made."
  )
