import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { WebhookEndpointWithSecret } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { envFile, secret } from "../kit/CopyParts.ts"
import { environmentName, environmentOf } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, notice } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { endpointFinder, type FoundEndpoint } from "./EndpointCalls.ts"
import {
  createBody,
  endpointForm,
  newEndpoint,
  type RefusedEndpoint,
  refusedField,
  storedEndpoint,
  type TypedEndpoint,
  typedEndpoint,
  updateBody
} from "./EndpointForm.ts"
import { endpointAddress, endpointName, webhooksAddress } from "./EndpointParts.ts"

/** Forms that make, change and delete endpoints and rotate their secrets, as the routes of the API do. */
export const EndpointFormsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const requireEndpoint = endpointFinder(operations)

    const create = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const typed = typedEndpoint(sent)
      return yield* Effect.fromResult(createBody(typed)).pipe(
        Effect.flatMap((payload) => operations.webhookEndpoints.create(asVisitor(visit, environment), { payload })),
        Effect.map((added): Outcome => secretsPage("Endpoint added", environment, added)),
        orAtField((refused) => newPage(visit.csrf, environment, typed, refused), typed.url)
      )
    })

    const edit = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const found = yield* requireEndpoint(visit)
      const { endpoint, environment } = found
      const typed = typedEndpoint(sent)
      const params = { webhook_endpoint_id: endpoint.id }
      return yield* Effect.fromResult(updateBody(typed)).pipe(
        Effect.flatMap((payload) =>
          operations.webhookEndpoints.update(asVisitor(visit, environment), { params, payload })
        ),
        Effect.as<Outcome>({ to: `${endpointAddress(environment.id, endpoint.id)}?done=saved` }),
        orAtField((refused) => editPage(visit.csrf, found, typed, refused), typed.url)
      )
    })

    const rotate = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { endpoint, environment } = yield* requireEndpoint(visit)
      const rotated = yield* operations.webhookEndpoints.rotateSecret(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: endpoint.id }
      })
      return secretsPage("Secrets rotated", environment, rotated)
    })

    const remove = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const found = yield* requireEndpoint(visit)
      const { endpoint, environment } = found
      const error = unconfirmed(sent, endpointName(endpoint))
      if (error !== undefined) return deletePage(visit.csrf, found, error)
      yield* operations.webhookEndpoints.delete(asVisitor(visit, environment), {
        params: { webhook_endpoint_id: endpoint.id }
      })
      return { to: `${webhooksAddress}?environment=${environment.id}&done=endpoint_deleted` }
    })

    const endpointPath = `${webhooksAddress}/:environment/endpoints/:id`
    const newPath = `${webhooksAddress}/:environment/new`
    return Layer.mergeAll(
      page({
        operation: "newEndpoint",
        path: newPath,
        handler: (visit) =>
          Effect.map(environmentOf(visit), (environment) => newPage(visit.csrf, environment, newEndpoint))
      }),
      action({
        operation: "createEndpoint",
        audit: "webhook_endpoint.created",
        keeps: ["subscribed_events"],
        path: newPath,
        handler: create
      }),
      page({
        operation: "editEndpoint",
        path: `${endpointPath}/edit`,
        handler: (visit) =>
          Effect.map(requireEndpoint(visit), (found) => editPage(visit.csrf, found, storedEndpoint(found.endpoint)))
      }),
      action({
        operation: "saveEndpoint",
        audit: "webhook_endpoint.edited",
        keeps: ["subscribed_events"],
        path: `${endpointPath}/edit`,
        handler: edit
      }),
      page({
        operation: "askRotateEndpoint",
        path: `${endpointPath}/rotate`,
        handler: (visit) => Effect.map(requireEndpoint(visit), (found) => rotatePage(visit.csrf, found))
      }),
      action({
        operation: "rotateEndpoint",
        audit: "webhook_endpoint.secrets_rotated",
        path: `${endpointPath}/rotate`,
        handler: rotate
      }),
      page({
        operation: "askDeleteEndpoint",
        path: `${endpointPath}/delete`,
        handler: (visit) => Effect.map(requireEndpoint(visit), (found) => deletePage(visit.csrf, found))
      }),
      action({
        operation: "deleteEndpoint",
        audit: "webhook_endpoint.deleted",
        path: `${endpointPath}/delete`,
        handler: remove
      })
    )
  })
)

/** Shows what the API refuses at its field; a failure of the server stays one. */
const orAtField =
  (show: (refused: RefusedEndpoint) => Page, url: string) =>
  <R>(work: Effect.Effect<Outcome, ApiError, R>): Effect.Effect<Outcome, ApiError, R> =>
    Effect.catchIf(
      work,
      (error) => error.status < 500,
      (error) => Effect.succeed<Outcome>(show(refusedField(error, url)))
    )

const newPage = (
  csrf: string,
  environment: EnvironmentEntry,
  typed: TypedEndpoint,
  refused?: RefusedEndpoint
): Page => ({
  title: "Add a webhook endpoint",
  section: "webhooks",
  environment: environment.id,
  ...(refused && { status: 400 }),
  up: [`${webhooksAddress}?environment=${environment.id}`, "Webhooks"],
  body: html`<p>In ${environmentName(environment)}.</p>
${endpointForm({
  action: `${webhooksAddress}/${environment.id}/new`,
  csrf,
  button: "Add the endpoint",
  back: `${webhooksAddress}?environment=${environment.id}`,
  typed,
  refused
})}`
})

const editPage = (
  csrf: string,
  { endpoint, environment }: FoundEndpoint,
  typed: TypedEndpoint,
  refused?: RefusedEndpoint
): Page => {
  const here = endpointAddress(environment.id, endpoint.id)
  return {
    title: "Edit the endpoint",
    section: "webhooks",
    environment: environment.id,
    ...(refused && { status: 400 }),
    up: [here, "Webhook endpoint"],
    body: endpointForm({ action: `${here}/edit`, csrf, button: "Save", back: here, typed, refused })
  }
}

const rotatePage = (csrf: string, { endpoint, environment }: FoundEndpoint): Page => {
  const here = endpointAddress(environment.id, endpoint.id)
  return confirmationPage({
    title: "Rotate its secrets?",
    section: "webhooks",
    environment: environment.id,
    up: [here, "Webhook endpoint"],
    action: `${here}/rotate`,
    csrf,
    explanation: html`<p><code class="url">${endpoint.url}</code></p>
<p><code>svc-webhook-signature</code> is made with the new secret from the next attempt on, without overlap: let your receiver accept both secrets first. The Standard Webhooks header carries the signatures of both for 24 hours.</p>`,
    button: "Rotate the secrets",
    dangerous: true
  })
}

const deletePage = (csrf: string, { endpoint, environment }: FoundEndpoint, error?: Html): Page => {
  const here = endpointAddress(environment.id, endpoint.id)
  return confirmationPage({
    title: "Delete this endpoint?",
    section: "webhooks",
    environment: environment.id,
    up: [here, "Webhook endpoint"],
    action: `${here}/delete`,
    csrf,
    explanation: html`${notice("warn", html`<strong>This is for good.</strong> Deliveries that wait end as failed, and its secrets are gone. The log of its deliveries stays.`)}
<p><code class="url">${endpoint.url}</code></p>`,
    button: "Delete the endpoint",
    dangerous: true,
    name: { value: endpointName(endpoint), error }
  })
}

/** The only page that shows the secrets of an endpoint. */
const secretsPage = (title: Label, environment: EnvironmentEntry, endpoint: WebhookEndpointWithSecret): Outcome => ({
  audited: { subject: endpoint.id },
  title,
  section: "webhooks",
  environment: environment.id,
  status: 201,
  up: [endpointAddress(environment.id, endpoint.id), "Webhook endpoint"],
  body: html`<div class="card">
${notice("warn", say("Keep the secret that your receiver verifies with: the first one for the examples of our documentation, the second for libraries of Standard Webhooks. Not sure yet? Download both. They are shown this once."))}
${secret("Signing secret, for svc-webhook-signature", endpoint.signing_secret)}
${secret("Standard Webhooks secret, for webhook-signature", endpoint.standard_webhooks_secret, "standard-secret")}
${envFile([
  ["CARTEIRO_WEBHOOK_SECRET", endpoint.signing_secret],
  ["STANDARD_WEBHOOKS_SECRET", endpoint.standard_webhooks_secret]
])}
${facts([
  ["URL", html`<code class="url">${endpoint.url}</code>`],
  ["Environment", environmentName(environment)],
  ["Id", html`<code>${endpoint.id}</code>`]
])}
<div class="buttons"><a class="button primary" href="${endpointAddress(environment.id, endpoint.id)}">To the endpoint</a></div></div>`
})
