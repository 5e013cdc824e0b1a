import { InsufficientBalance } from "@carteiro/schema/billing/BillingErrors.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { PlanPhoneLimitReached } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { PhoneNumberOrderNotOpen } from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { plainReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Schema } from "effect"
import { defineAccountAct, handleAct, type RulesOf } from "../../billing/Billing.ts"
import { NumberDirectory, newNumber, numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { OrderRepo } from "../order/OrderRepo.ts"
import { rentalMeter } from "../order/OrderRequirements.ts"
import { type OrderRow, statusOf } from "../order/OrderState.ts"
import { approveOrder as approveRow } from "../order/OrderWrites.ts"

/**
 * An approval with the ids of its new objects, so that a repeated call is one approval. Instant in epoch milliseconds.
 */
const ApprovalRequest = Schema.Struct({
  organization_id: Schema.String,
  order_id: Schema.String,
  phone_number_id: Schema.String,
  reservation_id: Schema.String,
  member_id: Schema.String,
  /** The most numbers of the plan; null for no limit. */
  max_phones: Schema.NullOr(Schema.Int),
  throughput_plan: Schema.Literals(["starter", "growth", "scale"]),
  trace_id: Schema.String,
  at: Schema.Number
})

interface ApprovalFacts {
  readonly orders: ReadonlyMap<string, OrderRow>
  readonly roster: { readonly count: number; readonly version: number | null }
}

/**
 * Approves an order in one commit of the account: the hold of the first month, the number and the order are written
 * together. M-ORD-12, M-ORD-16
 */
export const approveOrder = defineAccountAct("phone_order.approve", { request: ApprovalRequest, result: Schema.Null })

const rules = Effect.gen(function* () {
  const orders = yield* OrderRepo
  const numbers = yield* NumberDirectory
  return {
    reservations: () => [],
    read: Effect.fnUntraced(function* (requests, account) {
      const found = yield* Effect.forEach(requests, ({ order_id, organization_id }) =>
        orders.findOf(organization_id, order_id)
      )
      const roster = yield* numbers.roster(account.account_id, "production")
      return { orders: new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]]))), roster }
    }),
    decide: (request, { orders, roster }, change) => {
      const order = orders.get(request.order_id)
      if (order?.phone_number_id === request.phone_number_id) return { _tag: "Answer", result: null }
      if (order === undefined || statusOf(order, request.at) !== "awaiting_approval") {
        return { _tag: "Refuse", error: new PhoneNumberOrderNotOpen() }
      }
      const { max_phones } = request
      if (max_phones !== null && roster.count >= max_phones) {
        return { _tag: "Refuse", error: new PlanPhoneLimitReached() }
      }
      const balance = change.balance()
      if (balance < order.amount) return { _tag: "Refuse", error: uncovered(balance, order.amount) }
      change.hold({
        id: request.reservation_id,
        amount: order.amount,
        meter_id: rentalMeter,
        source_type: "phone_month",
        project_id: order.project_id,
        environment_id: order.environment_id,
        trace_id: request.trace_id,
        payment: null
      })
      const { insert } = newNumber({
        environment_id: order.environment_id,
        environment: "production",
        id: request.phone_number_id,
        source: "numprov",
        status: "requested",
        display_name: order.display_name ?? undefined,
        ddd: order.ddd,
        phone: null,
        upstream_phone_number_id: null,
        throughput_plan: request.throughput_plan,
        monthly_fee: order.monthly_fee,
        due_at: null,
        at: request.at
      })
      const approved = approveRow.row({
        environment_id: order.environment_id,
        id: order.id,
        phone_number_id: request.phone_number_id,
        reservation_id: request.reservation_id,
        decided_by: request.member_id,
        decided_at: request.at
      })
      const counted =
        max_phones === null
          ? []
          : [numberChanges.countRoster({ account_id: change.account.account_id, version: roster.version ?? 0 })]
      change.add(insert, approved, ...counted)
      return { _tag: "Write", result: null }
    }
  } satisfies RulesOf<typeof approveOrder, ApprovalFacts>
})

/** Handles `approveOrder`. */
export const approveOrderHandler = handleAct(approveOrder, rules)

const uncovered = (balance: number, amount: number): InsufficientBalance =>
  new InsufficientBalance({
    message: `The credit balance of ${plainReais(balance)} does not cover ${plainReais(amount)}; add credit and try again.`,
    details: { balance_brl: formatBrl(balance), amount_brl: formatBrl(amount) }
  })
