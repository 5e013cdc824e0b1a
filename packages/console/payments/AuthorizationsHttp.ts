import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type AgenticAuthorization, AuthorizationStatus } from "@carteiro/schema/payments/AgenticAuthorization.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { wordFilter } from "../kit/Filters.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { pageRows, positionOf } from "../kit/Lists.ts"
import { makeOperationList, narrowedBy, orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, instant, none, personText } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { agenticPaymentTable, authorizationBadge, authorizationsAddress, authorizationTable } from "./AgenticParts.ts"

/** Authorizations that agents pay by: looked at by everybody, revoked by owners and admins. */
export const AuthorizationsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const authorizations = (yield* makeOperationList)(
      "agentic.authorizations.list",
      operations.agentic.listAuthorizations
    )

    const { routes } = yield* environmentList({
      operation: "agenticAuthorizations",
      path: authorizationsAddress,
      title: "Agentic authorizations",
      section: "agentic",
      api: "agentic.authorizations.list",
      follows: "events",
      filters: { status: wordFilter("Status", AuthorizationStatus.literals, { thing: "authorization" }) },
      read: (environment, search, before, count, visit) =>
        authorizations(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => authorizationTable(id, rows, nothing),
      file: membersOf(
        (authorization: AgenticAuthorization) => authorization,
        "id",
        "status",
        "customer_name",
        "bank_id",
        "max_amount_brl",
        "external_reference",
        "created_at",
        "expires_at"
      ),
      empty: () => ({
        purpose: say("What customers allow your agents to pay for them, up to an amount, until they revoke it."),
        operation: "agentic.authorizations.create"
      })
    })

    const found = Effect.fnUntraced(function* (visit: Visit) {
      const environment = yield* environmentOf(visit)
      const authorization = yield* orNotHere(
        operations.agentic.getAuthorization(asVisitor(visit, environment), {
          params: { authorization_id: yield* idOf(visit, "aga") }
        })
      )
      return { authorization, environment, here: `${authorizationsAddress}/${environment.id}/${authorization.id}` }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { authorization, environment, here } = yield* found(visit)
      const { data: payments } = yield* operations.paymentLookups.byAuthorization(asVisitor(visit, environment), {
        params: { authorization_id: authorization.id },
        query: positionOf(undefined, pageRows)
      })
      const isOpen = authorization.status === "pending" || authorization.status === "authorized"
      return {
        title: "Agentic authorization",
        section: "agentic",
        environment: environment.id,
        up: [`${authorizationsAddress}?environment=${environment.id}`, "Agentic authorizations"],
        body: html`<div class="card">${factsOf(authorization, environment)}${visit.mayChange && isOpen && html`<div class="buttons"><a class="button danger" href="${here}/revoke">Revoke…</a></div>`}</div>
<section aria-labelledby="paid"><h2 id="paid">Payments by it</h2>${agenticPaymentTable(payments)}</section>`
      }
    })

    const askRevoke = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const { authorization, environment, here } = yield* found(visit)
      return confirmationPage({
        title: "Revoke this authorization?",
        section: "agentic",
        environment: environment.id,
        up: [here, "Agentic authorization"],
        action: `${here}/revoke`,
        csrf: visit.csrf,
        explanation: html`<p>No payment is accepted by it from now on. What is already under way goes on.</p>`,
        button: "Revoke",
        dangerous: true,
        name: { value: authorization.customer_name, error }
      })
    })

    const revoke = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const { authorization, environment, here } = yield* found(visit)
      const error = unconfirmed(sent, authorization.customer_name)
      if (error !== undefined) return yield* askRevoke(visit, error)
      yield* operations.agentic.revokeAuthorization(asVisitor(visit, environment), {
        params: { authorization_id: authorization.id },
        payload: {}
      })
      return { to: `${here}?done=authorization_revoked` }
    })

    const path = `${authorizationsAddress}/:environment/:id`
    return Layer.mergeAll(
      routes,
      page({ operation: "agenticAuthorization", path, handler: show }),
      page({ operation: "askRevokeAuthorization", path: `${path}/revoke`, handler: (visit) => askRevoke(visit) }),
      action({
        operation: "revokeAuthorization",
        audit: "agentic_authorization.revoked",
        path: `${path}/revoke`,
        handler: revoke
      })
    )
  })
)

const factsOf = (authorization: AgenticAuthorization, environment: EnvironmentEntry): Html =>
  facts([
    ["Status", authorizationBadge(authorization.status)],
    ["Customer", personText(authorization.customer_name)],
    ["Bank", authorization.bank_id],
    ["One payment up to", formatReais(authorization.max_amount_brl)],
    ["Environment", environmentName(environment)],
    [
      "Your reference",
      authorization.external_reference === null ? none("no reference") : personText(authorization.external_reference)
    ],
    ["Asked for", instant(authorization.created_at)],
    ["Given", instant(authorization.authorized_at)],
    authorization.rejected_at === null ? undefined : ["Rejected", instant(authorization.rejected_at)],
    authorization.revoked_at === null ? undefined : ["Revoked", instant(authorization.revoked_at)],
    ["Good until", instant(authorization.expires_at)],
    ["Id", html`<code>${authorization.id}</code>`],
    ["Trace", html`<code>${authorization.trace_id}</code>`]
  ])
