import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { type Reply, rawReply, reply, withWarning } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { CreatePayment } from "@carteiro/schema/payments/PaymentRequest.ts"
import { PaymentsApi, SandboxPaymentsApi } from "@carteiro/schema/payments/PaymentsApi.ts"
import { jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect, Layer } from "effect"
import { unitsOf } from "../agentic/AgenticPayment.ts"
import { acceptPayment } from "../payment/AcceptPayment.ts"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { PaymentActions, readPaymentRequest } from "./PaymentActions.ts"
import { sandboxEventId } from "./SandboxEventId.ts"
import { taxIdWarning } from "./TaxIdWarning.ts"

/** Routes of `/v1/payments`. C-PAY, C-PCAN */
const payments = Routes.group(
  PaymentsApi,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const accept = yield* acceptPayment.caller
    const actions = yield* PaymentActions
    const ids = yield* Ids
    const cursors = yield* Cursors

    const askedOf = ({ caller, claim, now, params }: PaymentCall) => ({
      place: caller,
      id: params.payment_id,
      now,
      claim
    })

    return Routes.handlers(PaymentsApi, {
      create: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now, traceId } = request
        const { environment, environment_id, organization_id, project_id } = caller
        const asked = {
          id: ids.mint("pay", now),
          initiation_reservation_id: ids.mint("rsv", now),
          completion_reservation_id: ids.mint("rsv", now),
          project_id,
          environment_id,
          amount: unitsOf(body.amount_brl_centavos),
          description: body.description ?? null,
          customer_name: body.customer_name ?? null,
          customer_tax_id: body.customer_tax_id ?? null,
          customer_phone: body.customer_phone ?? null,
          customer_email: body.customer_email || null,
          external_reference: body.external_reference ?? null,
          metadata: jsonTextOrNull(body.metadata),
          options: optionsOf(body.provider_options),
          trace_id: traceId,
          created_at: now,
          ...(claim === undefined ? undefined : { claim })
        }
        const account = environment === "production" ? organization_id : environment_id
        const { body: shownPayment, status } = yield* accept(account, asked)
        actions.wake(caller)
        return withWarning(rawReply(status, shownPayment), taxIdWarning(body.customer_tax_id))
      }),

      list: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.list(scope, query.status, before, count),
          (row) => readPaymentRequest(row, now)
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* (request) {
        const { caller, now, params } = request
        return reply(
          request,
          200,
          readPaymentRequest(yield* actions.find(caller.environment_id, params.payment_id), now)
        )
      }),

      cancel: (request) => Effect.map(actions.cancel(askedOf(request)), shown),

      requestApproval: (request) => {
        const { metadata, note } = request.body
        const approval = { note: note ?? null, metadata: jsonTextOrNull(metadata) }
        return Effect.map(actions.requestApproval(askedOf(request), approval), shown)
      }
    })
  })
)

interface PaymentCall {
  readonly caller: Caller
  readonly claim?: Claim
  readonly now: number
  readonly params: { readonly payment_id: string }
}

/** POST /v1/sandbox/payments/{payment_id}/status. C-PSBX-01..07 */
const sandboxPayments = Routes.group(
  SandboxPaymentsApi,
  Effect.gen(function* () {
    const actions = yield* PaymentActions
    const finish = yield* finishPayment.caller
    const ids = yield* Ids
    return Routes.handlers(SandboxPaymentsApi, {
      setStatus: Effect.fnUntraced(function* ({ body, caller, claim, now, params }) {
        const found = yield* actions.find(caller.environment_id, params.payment_id)
        const { account_id, completion_reservation_id, id } = found
        const request = {
          ...learnt,
          id,
          completion_reservation_id,
          outcome: body.status,
          operation: "sandbox_status",
          is_proven: true,
          provider_event_id: body.provider_event_id ?? sandboxEventId(ids, now),
          sandbox: "status_route",
          sandbox_metadata: jsonTextOrNull(body.metadata),
          ...(claim === undefined ? undefined : { claim })
        } as const
        const reply = yield* finish(account_id, request)
        return rawReply(reply.status, reply.body)
      })
    })
  })
)

/** The routes of payments by link or code. */
export const PaymentsHttp = Layer.merge(payments, sandboxPayments)

const shown = (text: string): Reply => rawReply(200, text)

const optionsOf = (options: CreatePayment["provider_options"]) => {
  const provider: "pixprov1" | "pixprov2" | null =
    options?.pixprov2 !== undefined ? "pixprov2" : options?.pixprov1 !== undefined ? "pixprov1" : null
  return {
    provider,
    mode: options?.pixprov2?.mode ?? null,
    expires_in_seconds: options?.pixprov2?.expires_in_seconds ?? options?.pixprov1?.expires_in_seconds ?? null,
    success_url: options?.pixprov2?.success_url ?? null
  }
}
