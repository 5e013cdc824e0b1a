import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, listPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply, withWarning } from "@carteiro/http-edge/Reply.ts"
import { type RequestOf, Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { AgenticBank } from "@carteiro/provider/payments/AgenticProvider.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { AgenticApi } from "@carteiro/schema/payments/AgenticApi.ts"
import {
  AgenticAuthorizationNotFound,
  AgenticConnectionRequired,
  AgenticPaymentNotFound
} from "@carteiro/schema/payments/PaymentErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import { AgenticBanks, bankRefusal, banksAfter, sandboxBanks } from "../agentic/AgenticBanks.ts"
import { unitsOf } from "../agentic/AgenticPayment.ts"
import { AgenticRepo } from "../agentic/AgenticRepo.ts"
import { insertAuthorization } from "../agentic/AgenticWrites.ts"
import { expiryOf, newAuthorization, readAuthorization } from "../agentic/Authorization.ts"
import { createPayment } from "../agentic/CreatePayment.ts"
import { sealColumn } from "../sealing/SealedColumns.ts"
import { AgenticWorker } from "../worker/AgenticWorker.ts"
import { AgenticActions, agenticPaymentView } from "./AgenticActions.ts"
import { taxIdWarning } from "./TaxIdWarning.ts"

type CallerEnvironment = Pick<Caller, "environment" | "environment_id">

/** Routes of `/v1/agentic`. C-AGT-01, gaps-3 C "Agentic banks", "Agentic authorizations", "Agentic payments" */
export const AgenticHttp = Routes.group(
  AgenticApi,
  Effect.gen(function* () {
    const repo = yield* AgenticRepo
    const actions = yield* AgenticActions
    const banks = yield* AgenticBanks
    const connections = yield* PaymentsConnections
    const pay = yield* createPayment.caller
    const workers = yield* AgenticWorker.client
    const commit = yield* Commit
    const ids = yield* Ids
    const cursors = yield* Cursors
    const unitMs = yield* SandboxUnitMs
    const secrets = yield* Secrets

    /** Returns the connected account of a production environment; a sandbox needs none. */
    const connectionOf = Effect.fnUntraced(function* ({ environment, environment_id }: CallerEnvironment) {
      if (environment === "sandbox") return undefined
      return (yield* connections.agentic(environment_id)) ?? (yield* new AgenticConnectionRequired())
    })

    const authorizationOf = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const found = parseId("aga", id) ? yield* repo.authorization(environmentId, id) : undefined
      return found ?? (yield* new AgenticAuthorizationNotFound())
    })

    return Routes.handlers(AgenticApi, {
      banks: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const after = query.starting_after
        // The cursor is checked before any look-up. gaps-1 A "Order of checks in one request"
        const [name, id] = after === undefined ? [] : yield* cursors.decode(operation, scope, after)
        const connection = yield* connectionOf(caller)
        const all = connection === undefined ? sandboxBanks : yield* banks.of(connection, request.now)
        if (all === undefined) return yield* new ProviderError()
        const rest = id === undefined || name === undefined ? all : banksAfter(all, { id, name })
        return pageReply(request, yield* bankPage(rest, pageSize(query.limit), request, cursors))
      }),

      createAuthorization: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now, traceId } = request
        const expires_at = expiryOf(body.expires_at, now)
        if (isApiError(expires_at)) return yield* expires_at
        const connection = yield* connectionOf(caller)
        const refusal = bankRefusal(
          connection === undefined ? sandboxBanks : yield* banks.of(connection, now),
          body.bank_id
        )
        if (refusal !== undefined) return yield* refusal
        const { environment_id } = caller
        const row = newAuthorization(body, {
          environment_id,
          id: ids.mint("aga", now),
          expires_at,
          provider_connection_id: connection?.id ?? null,
          trace_id: traceId,
          created_at: now
        })
        const customer_tax_id_sealed = sealColumn(secrets, row, "customer_tax_id", row.customer_tax_id)
        const due_at = connection === undefined ? now + unitMs : now
        const response = reply(request, 201, readAuthorization(row, caller.environment))
        yield* commit.write([insertAuthorization.row({ ...row, customer_tax_id_sealed, due_at })], { claim, response })
        workers.wake(environment_id)
        return withWarning(response, taxIdWarning(body.customer_tax_id))
      }),

      listAuthorizations: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.listAuthorizations(scope, query.status, before, count),
          (row) => readAuthorization(row, caller.environment)
        )
        return pageReply(request, page)
      }),

      getAuthorization: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const row = yield* authorizationOf(environment_id, request.params.authorization_id)
        return reply(request, 200, readAuthorization(row, environment))
      }),

      revokeAuthorization: Effect.fnUntraced(function* (request) {
        const { caller, claim, now, params } = request
        const after = yield* actions.revoke(caller, params.authorization_id, now, (shown) => ({
          claim,
          response: reply(request, 200, shown)
        }))
        return reply(request, 200, after)
      }),

      createPayment: Effect.fnUntraced(function* (request) {
        const { environment, environment_id, organization_id } = request.caller
        const account = environment === "production" ? organization_id : environment_id
        const { body: shownPayment, status } = yield* pay(account, askedPayment(request, ids))
        workers.wake(environment_id)
        return rawReply(status, shownPayment)
      }),

      listPayments: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.listPayments(scope, before, count),
          (row) => agenticPaymentView(row, caller.environment, now)
        )
        return pageReply(request, page)
      }),

      getPayment: Effect.fnUntraced(function* (request) {
        const { environment_id } = request.caller
        const { payment_id } = request.params
        const row = parseId("agp", payment_id) ? yield* repo.payment(environment_id, payment_id) : undefined
        if (row === undefined) return yield* new AgenticPaymentNotFound()
        return reply(request, 200, agenticPaymentView(row, request.caller.environment, request.now))
      })
    })
  })
)

type PaymentRequest = RequestOf<(typeof AgenticApi)["endpoints"]["createPayment"]>

/** Returns a payment as the account decides on it. gaps-3 C "Agentic payments" */
const askedPayment = (
  { body, caller: { environment_id, project_id }, claim, now, traceId }: PaymentRequest,
  ids: Ids["Service"]
) => ({
  id: ids.mint("agp", now),
  initiation_reservation_id: ids.mint("rsv", now),
  completion_reservation_id: ids.mint("rsv", now),
  project_id,
  environment_id,
  // An id of another form names no authorization and is not looked up.
  authorization_id: parseId("aga", body.authorization_id) ? body.authorization_id : "",
  amount: unitsOf(body.amount_brl_centavos),
  description: body.description ?? null,
  external_reference: body.external_reference ?? null,
  metadata: jsonTextOrNull(body.metadata),
  trace_id: traceId,
  created_at: now,
  ...(claim === undefined ? undefined : { claim })
})

/** Returns the first banks of a list as a page. gaps-3 C "Agentic banks" */
const bankPage = (
  banks: ReadonlyArray<AgenticBank>,
  size: number,
  { caller: { environment_id: scope }, operation }: { readonly caller: CallerEnvironment; readonly operation: string },
  cursors: Cursors["Service"]
) =>
  listPage(
    scope,
    banks.slice(0, size + 1),
    size,
    (bank) => ({ ...bank, object: "agentic_bank" as const }),
    (last) => cursors.encode(operation, scope, [last.name, last.id])
  )
