import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { WebhookAdmin } from "../../webhooks/Webhooks.ts"
import { chosenEnvironment } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { pager } from "../kit/Parts.ts"
import { deliveryTable } from "./DeliveryParts.ts"
import { endpointTable, webhooksAddress } from "./EndpointParts.ts"

/** Receivers with their health and the latest deliveries. A-WHE-01..11, A-WHE-24..30 */
export const WebhooksHttp = Layer.unwrap(
  Effect.gen(function* () {
    const admin = yield* WebhookAdmin

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { environment } = yield* chosenEnvironment(visit)
      const id = environment?.id ?? ""
      const endpoints = environment === undefined ? [] : yield* admin.endpoints(id, environment.kind)
      const before = asked(visit.request, "before")
      const rows = environment === undefined ? [] : yield* admin.deliveries(id, { before }, pageRows + 1)
      const { last, shown } = cutPage(rows)
      const here = { environment: environment?.id }
      return {
        title: "Webhooks",
        section: "webhooks",
        environment: environment?.id,
        body: html`<section aria-labelledby="endpoints"><h2 id="endpoints">Endpoints</h2>${endpointTable(id, endpoints)}
${
  visit.mayChange &&
  environment !== undefined &&
  html`<div class="buttons pager"><a class="button primary" href="${webhooksAddress}/${id}/new">Add an endpoint</a></div>`
}</section>
<section aria-labelledby="recent"><h2 id="recent">Latest deliveries</h2>${deliveryTable(id, shown, endpoints)}
${pager("deliveries", before && addressOf(webhooksAddress, here), last && addressOf(webhooksAddress, { ...here, before: last.id }))}</section>`
      }
    })

    return page({ operation: "webhooks", path: webhooksAddress, handler: list })
  })
)
