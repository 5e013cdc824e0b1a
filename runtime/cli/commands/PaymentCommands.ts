import { parseId } from "@carteiro/owners/Ids.ts"
import { PaymentNotFound } from "@carteiro/schema/payments/PaymentErrors.ts"
import { type PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { PaymentReads, readPaymentRequest } from "../../payments/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("payment", "Id of the payment", "pay_…")

const filters = {
  status: Flag.Literals("status", PaymentStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
  named: Flag.String("named").pipe(
    Flag.withDescription("Only those of this reference, or of this id of the provider"),
    Flag.optional
  )
}

const list = Command.make("list", { environment, ...filters, limit }, ({ environment, limit, named, status }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const payments = yield* PaymentReads
    const now = yield* Clock.currentTimeMillis
    const name = orUndefined(named)
    const rows = yield* name === undefined
      ? walkOn(limit, (before, count) => payments.list(environment, orUndefined(status), before, count))
      : payments.named(environment, name, undefined, limit)
    yield* printAll(rows.map((row) => readPaymentRequest(row, now)))
  })
).pipe(Command.withDescription("List payments of an environment, newest first"))

const held = Command.make("held", { limit }, ({ limit }) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* (yield* PaymentReads).unresolved(now, limit)
    yield* printAll(rows.map((row) => readPaymentRequest(row, now)))
  })
).pipe(Command.withDescription("List production payments of all tenants whose fee is still held and unresolved"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const now = yield* Clock.currentTimeMillis
    const row = parseId("pay", id) ? yield* (yield* PaymentReads).find(environment, id) : undefined
    const payment = readPaymentRequest(row ?? (yield* new PaymentNotFound()), now)
    yield* print(payment, facts(shown(payment)))
  })
).pipe(Command.withDescription("Show one payment with its fees"))

const printAll = (data: ReadonlyArray<PaymentRequest>) => {
  const rows = data.map(({ amount_brl, created_at, external_reference, fees, id, provider, status }) => [
    id,
    created_at,
    status,
    amount_brl,
    fees?.completion.state ?? "none",
    provider,
    external_reference ?? ""
  ])
  const columns = ["id", "created_at", "status", "amount_brl", "fee", "provider", "reference"]
  return print({ data }, table(columns, rows, "no payments"))
}

/** Without what only the payer and the caller need: tax id, code and picture. gaps-3 C "Personal data in payments" */
const shown = (payment: PaymentRequest) => ({
  id: payment.id,
  status: payment.status,
  amount_brl: payment.amount_brl,
  initiation_fee_brl: payment.fees?.initiation.amount_brl ?? null,
  completion_fee_brl: payment.fees?.completion.amount_brl ?? null,
  completion_state: payment.fees?.completion.state ?? null,
  rate_card_id: payment.fees?.rate_card_id ?? null,
  reference: payment.external_reference,
  link: payment.payment_link_url,
  provider: payment.provider,
  provider_connection_id: payment.provider_connection_id,
  provider_payment_id: payment.provider_payment_id,
  created_at: payment.created_at,
  link_generated_at: payment.link_generated_at,
  approval_requested_at: payment.approval_requested_at,
  approved_at: payment.approved_at,
  paid_at: payment.paid_at,
  failed_at: payment.failed_at,
  expired_at: payment.expired_at,
  cancelled_at: payment.cancelled_at,
  late_outcome: payment.late_outcome?.status ?? null,
  late_outcome_at: payment.late_outcome?.at ?? null,
  updated_at: payment.updated_at,
  trace_id: payment.trace_id
})

/** Payments of one environment, and fees that are not resolved. C-PAY-30, C-PAY-31, C-FEE-09..11 */
export const payments = Command.make("payments").pipe(Command.withSubcommands([list, show, held]))
