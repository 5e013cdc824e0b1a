import { Claim } from "@carteiro/owners/Idempotency.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import {
  AgenticAuthorizationNotActive,
  AgenticAuthorizationNotFound,
  InvalidPaymentRequest
} from "@carteiro/schema/payments/PaymentErrors.ts"
import { JsonTextOf } from "@carteiro/tables/StoredJson.ts"
import { Effect, Result, Schema } from "effect"
import {
  acceptFee,
  defineAccountAct,
  FeeFacts,
  handleAct,
  type PaymentFeeFacts,
  type RulesOf,
  readFees,
  StoredReply,
  takeFee
} from "../../billing/Billing.ts"
import { SandboxUnitMs } from "../../tenancy/SandboxUnit.ts"
import { type AgenticPaymentRow, readPayment, standingOf } from "./AgenticPayment.ts"
import { AgenticRepo } from "./AgenticRepo.ts"
import { insertPayment } from "./AgenticWrites.ts"
import type { AuthorizationRow } from "./Authorization.ts"

const nullableText = Schema.NullOr(Schema.String)

/** A payment to accept, with the ids of its objects. Amount in 1/10,000 BRL, instant in epoch milliseconds. */
const PaymentRequest = Schema.Struct({
  id: Schema.String,
  initiation_reservation_id: Schema.String,
  completion_reservation_id: Schema.String,
  project_id: Schema.String,
  environment_id: Schema.String,
  authorization_id: Schema.String,
  amount: Schema.Int,
  description: nullableText,
  external_reference: nullableText,
  metadata: Schema.NullOr(JsonTextOf<Metadata>()),
  trace_id: Schema.String,
  created_at: Schema.Number,
  claim: Schema.optionalKey(Claim)
})

interface CreateFacts {
  readonly fees: PaymentFeeFacts
  readonly authorizations: ReadonlyMap<string, AuthorizationRow>
  /** The payments that an earlier call accepted, whose response was lost. */
  readonly accepted: ReadonlyMap<string, AgenticPaymentRow>
}

/**
 * Accepts a payment: it checks cap, prices and balance first, so that none of their refusals is masked, then the
 * authorization; fees, payment and the response are one commit. C-AGT-03, gaps-3 C "Order inside payment create",
 * "Agentic payments"
 */
export const createPayment = defineAccountAct("agentic_payment.create", {
  request: PaymentRequest,
  result: StoredReply
})

const rules = Effect.gen(function* () {
  const repo = yield* AgenticRepo
  const fees = yield* FeeFacts
  const unitMs = yield* SandboxUnitMs
  return {
    reservations: () => [],
    read: Effect.fnUntraced(function* (requests, account, now) {
      const projects = [...new Set(requests.map(({ project_id }) => project_id))]
      const ids = requests.map(({ id }) => id)
      const read = yield* Effect.all({
        fees: fees.read(account, projects, now),
        authorizations: repo.authorizations(requests),
        accepted: repo.payments(account.account_id, ids)
      })
      return {
        fees: read.fees,
        authorizations: new Map(read.authorizations.map((row) => [placeOf(row.environment_id, row.id), row])),
        accepted: new Map(read.accepted.map((row) => [row.id, row]))
      }
    }),
    decide: (request, facts, change) => {
      const { account, now } = change
      const { claim, project_id, ...asked } = request
      const production = account.environment === "production"
      const shown = (row: AgenticPaymentRow) => {
        const fees = readFees(standingOf(row), account.environment, now)
        return { status: 201, body: JSON.stringify(readPayment(row, account.environment, fees)) }
      }
      const before = facts.accepted.get(request.id)
      if (before !== undefined) return { _tag: "Answer", result: shown(before) }
      const accepted = acceptFee(facts.fees, request, change)
      if (Result.isFailure(accepted)) return { _tag: "Refuse", error: accepted.failure }
      const fee = accepted.success
      const authorization = facts.authorizations.get(placeOf(request.environment_id, request.authorization_id))
      if (authorization === undefined) return { _tag: "Refuse", error: new AgenticAuthorizationNotFound() }
      if (request.amount > authorization.max_amount) {
        const message = "amount_brl_centavos is more than the authorization lets one payment take."
        return { _tag: "Refuse", error: new InvalidPaymentRequest({ param: "amount_brl_centavos", message }) }
      }
      if (authorization.status !== "authorized" || now >= authorization.expires_at) {
        return { _tag: "Refuse", error: new AgenticAuthorizationNotActive() }
      }
      const { environment_id, id, trace_id } = request
      takeFee(change, fee, { project_id, environment_id, trace_id, payment: { object: "agentic_payment", id } })
      const row: AgenticPaymentRow = {
        ...asked,
        ...fee,
        account_id: account.account_id,
        status: "processing",
        provider_connection_id: authorization.provider_connection_id,
        provider_authorization_id: authorization.provider_authorization_id,
        provider_payment_id: null,
        error_code: null,
        error_message: null,
        completion_state: "held",
        updated_at: request.created_at,
        paid_at: null,
        failed_at: null
      }
      const due_at = production ? request.created_at : request.created_at + unitMs
      change.add(insertPayment.row({ ...row, due_at }))
      const reply = shown(row)
      return { _tag: "Write", result: reply, claim, response: reply }
    }
  } satisfies RulesOf<typeof createPayment, CreateFacts>
})

/** Handles `createPayment`. */
export const createPaymentHandler = handleAct(createPayment, rules)

const placeOf = (environmentId: string, id: string): string => `${environmentId}/${id}`
