import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import type { CreatePayment } from "@carteiro/schema/payments/PaymentRequest.ts"
import { PaymentsApi, SandboxPaymentsApi } from "@carteiro/schema/payments/PaymentsApi.ts"
import { Effect, Layer, type Result } from "effect"
import { BillingAccountEntity, readFees } from "../../billing/Billing.ts"
import type { Caller } from "../../platform/admission/Admission.ts"
import { Commit } from "../../platform/commit/Commit.ts"
import type { Row } from "../../platform/commit/Write.ts"
import { type Reply, rawReply, reply } from "../../platform/http/contract/Reply.ts"
import { Routes } from "../../platform/http/contract/Routes.ts"
import type { Claim } from "../../platform/idempotency/Claim.ts"
import { Ids, parseId } from "../../platform/ids/Ids.ts"
import { Cursors } from "../../platform/paging/Cursors.ts"
import { idPage, pageSize } from "../../platform/paging/Page.ts"
import { SandboxUnitMs } from "../../platform/tenancy/SandboxUnit.ts"
import { unitsOf } from "../agentic/AgenticPayment.ts"
import { acceptPaymentName } from "../payment/AcceptPayment.ts"
import { finishPaymentName, learnt } from "../payment/FinishPayment.ts"
import { type PaymentRow, showPayment } from "../payment/Payment.ts"
import { isApprovedInSandbox, judgeApproval, judgeCancel } from "../payment/PaymentCommands.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { askForApproval, askForCancel } from "../payment/PaymentWrites.ts"
import { SandboxPaymentsEntity } from "../sandbox/SandboxPaymentsEntity.ts"
import { PaymentWorkerEntity } from "../worker/PaymentWorkerEntity.ts"

/** A payment of the caller's, by whatever stands in the path. */
const paymentOf = Effect.fnUntraced(function* (environmentId: string, id: string) {
  const repo = yield* PaymentRepo
  const found = parseId("pay", id) ? yield* repo.find(environmentId, id) : undefined
  return found ?? (yield* new PaymentNotFound())
})

/** Routes of `/v1/payments`. C-PAY, C-PCAN */
const payments = Routes.group(
  PaymentsApi,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const accounts = yield* BillingAccountEntity.client
    const sandboxes = yield* SandboxPaymentsEntity.client
    const workers = yield* PaymentWorkerEntity.client
    const commit = yield* Commit
    const ids = yield* Ids
    const cursors = yield* Cursors
    const unitMs = yield* SandboxUnitMs
    const find = (environmentId: string, id: string) =>
      Effect.provideService(paymentOf(environmentId, id), PaymentRepo, repo)

    const wake = ({ environment, environment_id }: Pick<Caller, "environment" | "environment_id">) => {
      const owners = environment === "sandbox" ? sandboxes : workers
      owners.wake(environment_id)
    }

    interface Asked {
      readonly caller: Caller
      readonly claim?: Claim
      readonly now: number
      readonly params: { readonly payment_id: string }
    }

    /** Answers without a change, under the caller's key. C-PCAN-11, C-FEE-19 */
    const unchanged = Effect.fnUntraced(function* ({ claim }: Asked, response: Reply) {
      if (claim !== undefined) yield* commit.write([], { claim, response })
      return response
    })

    /** Changes a payment by a row that is written only while it is as it was read; otherwise it is judged again. */
    const change = (
      asked: Asked,
      judge: (row: PaymentRow) => Result.Result<boolean, ApiError>,
      make: (row: PaymentRow) => { readonly row: Row; readonly after: PaymentRow }
    ): Effect.Effect<Reply, ApiError> =>
      Effect.gen(function* () {
        const { caller, claim, now, params } = asked
        const before = yield* find(caller.environment_id, params.payment_id)
        const begins = yield* Effect.fromResult(judge(before))
        if (!begins) return yield* unchanged(asked, show(before, now))
        const { after, row } = make(before)
        const response = show(after, now)
        const written = yield* commit.write([row], { claim, response })
        if (!written(row.write.name).has(before.id)) return yield* change(asked, judge, make)
        wake(caller)
        return response
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
          metadata: textOf(body.metadata),
          options: optionsOf(body.provider_options),
          trace_id: traceId,
          created_at: now,
          ...(claim === undefined ? undefined : { claim })
        }
        const account = environment === "production" ? organization_id : environment_id
        const text = yield* accounts.Act(account, { act: acceptPaymentName, request: asked })
        wake(caller)
        return rawReply(201, text)
      }),

      list: Effect.fnUntraced(function* (request) {
        const { caller, now, operation, query } = request
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) },
          (before, count) => repo.list(scope, query.status, before, count),
          (row) => showPayment(row, now, readFees)
        )
        return reply(request, 200, page)
      }),

      get: Effect.fnUntraced(function* ({ caller, now, params }) {
        return show(yield* find(caller.environment_id, params.payment_id), now)
      }),

      cancel: (request) =>
        change(request, judgeCancel, (before) => {
          const { caller, now } = request
          const { environment_id, id } = before
          const at = caller.environment === "sandbox" ? now + unitMs : now
          const row = askForCancel.row({ environment_id, id, cancel_requested_at: now, at })
          return { row, after: before }
        }),

      requestApproval: (request) =>
        change(request, judgeApproval, (before) => {
          const { body, now } = request
          const { environment, environment_id, id } = before
          const inSandbox = environment === "sandbox"
          const approval_metadata = textOf(body.metadata)
          const provider_approval_id = inSandbox ? `sbapr_${id.slice("pay_".length)}` : null
          const row = askForApproval.row({
            environment_id,
            id,
            approval_requested_at: now,
            approval_note: body.note ?? null,
            approval_metadata,
            approval_due: !inSandbox || isApprovedInSandbox(approval_metadata),
            provider_approval_id,
            at: inSandbox ? now + unitMs : now
          })
          const moved = { status: "approval_requested", approval_requested_at: now, updated_at: now } as const
          return { row, after: { ...before, ...moved, provider_approval_id } }
        })
    })
  })
)

/** POST /v1/sandbox/payments/{payment_id}/status. C-PSBX-01..07 */
const sandboxPayments = Routes.group(
  SandboxPaymentsApi,
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const accounts = yield* BillingAccountEntity.client
    const ids = yield* Ids
    return Routes.handlers(SandboxPaymentsApi, {
      setStatus: Effect.fnUntraced(function* ({ body, caller, claim, now, params }) {
        const found = yield* Effect.provideService(
          paymentOf(caller.environment_id, params.payment_id),
          PaymentRepo,
          repo
        )
        const { account_id, completion_reservation_id, id } = found
        const request = {
          ...learnt,
          id,
          completion_reservation_id,
          outcome: body.status,
          operation: "sandbox_status",
          is_proven: true,
          provider_event_id: body.provider_event_id ?? ids.mint("evt", now).replace("evt_", "sbevt_"),
          sandbox: "status_route",
          sandbox_metadata: textOf(body.metadata),
          ...(claim === undefined ? undefined : { claim })
        }
        return rawReply(200, yield* accounts.Act(account_id, { act: finishPaymentName, request }))
      })
    })
  })
)

/** Routes of payments that somebody is asked for. */
export const PaymentsHttp = Layer.merge(payments, sandboxPayments)

const show = (row: PaymentRow, now: number): Reply => rawReply(200, JSON.stringify(showPayment(row, now, readFees)))

const textOf = (map: object | undefined): string | null => (map === undefined ? null : JSON.stringify(map))

const optionsOf = (options: CreatePayment["provider_options"]) => {
  const provider = options?.pixprov2 !== undefined ? "pixprov2" : options?.pixprov1 !== undefined ? "pixprov1" : null
  return {
    provider,
    mode: options?.pixprov2?.mode ?? null,
    expires_in_seconds: options?.pixprov2?.expires_in_seconds ?? options?.pixprov1?.expires_in_seconds ?? null,
    success_url: options?.pixprov2?.success_url ?? null
  }
}
