import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { errorReply } from "@carteiro/http-edge/Refusals.ts"
import { type OperationReply, type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { PhoneNumberConflict } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { CreatePhoneNumberOrder, ProvisionPhoneNumber } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import {
  PhoneNumberOrderNotFound,
  PhoneNumberRentalApprovalRequired
} from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { Context, Effect, Layer } from "effect"
import { NumberLifecycles, NumberReads, newNumber, numberChanged, Rosters } from "../../phone-numbers/PhoneNumbers.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { OrderRepo } from "./OrderRepo.ts"
import { OrderRequirements } from "./OrderRequirements.ts"
import { type OrderRow, orderBody, orderValidMs, rentalTerms } from "./OrderState.ts"
import { insertOrder } from "./OrderWrites.ts"

type OrderCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "environment"> & {
  readonly requestId: string
}

/** The delivery time of a simulated number, in milliseconds. gaps-2 K "State machine" */
const deliveredAfterMs = 1000
/** The most attempts to find a simulated phone that is free. */
const mostDraws = 5

/** Orders of rentals by API keys, which people then approve. M-ORD-09..11, M-ORD-22..33, M-PHN-45..48 */
export class Ordering extends Context.Service<
  Ordering,
  {
    /** Answers 202 with a simulated number, or the 409 of a new order. */
    provision(call: OrderCall, path: string, body: ProvisionPhoneNumber): OperationReply
    /** Answers 201. */
    create(call: OrderCall, body: CreatePhoneNumberOrder): OperationReply
    get(call: OrderCall, id: string): OperationReply
  }
>()("@carteiro/runtime/phone-orders/order/Ordering") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const orders = yield* OrderRepo
      const requirements = yield* OrderRequirements
      const rosters = yield* Rosters
      const reads = yield* NumberReads
      const commit = yield* Commit
      const ids = yield* Ids
      const publicUrl = yield* PublicUrl
      const lives = yield* NumberLifecycles

      const urlOf = (id: string) => `${publicUrl()}/dashboard/phone-orders/${id}`

      /** Makes a simulated number, active within a second. */
      const simulated = Effect.fnUntraced(function* (
        call: OrderCall,
        body: ProvisionPhoneNumber,
        status: "requested" | "provisioning"
      ) {
        const { plan, rows } = yield* rosters.room(call.caller)
        const { insert, row } = newNumber({
          environment_id: call.caller.environment_id,
          environment: "sandbox",
          id: ids.mint("pn", call.now),
          source: "numprov",
          status,
          display_name: body.display_name,
          ddd: body.ddd,
          phone: simulatedPhone(body.ddd, ids.bytes(4)),
          upstream_phone_number_id: null,
          throughput_plan: plan.throughput_tier,
          monthly_fee: 0,
          due_at: call.now + deliveredAfterMs,
          at: call.now
        })
        return { row, rows: [insert, ...rows] }
      })

      /** Writes a commit with a new number; when its phone is taken, another one is drawn. */
      const delivering = (
        attempt: Effect.Effect<readonly [id: string, answer: Reply] | undefined, ApiError>
      ): OperationReply =>
        Effect.gen(function* () {
          for (let draw = 0; draw < mostDraws; draw++) {
            const made = yield* attempt
            if (made === undefined) continue
            lives.wake(made[0])
            return made[1]
          }
          return yield* new PhoneNumberConflict()
        })

      /** Creates a production order that waits for approval, with all requirements of an order. M-ORD-11 */
      const awaiting = Effect.fnUntraced(function* (call: OrderCall, body: CreatePhoneNumberOrder) {
        yield* requirements.check(call.caller)
        return { ...ordered(call, body, ids), ...(yield* requirements.terms(call.now)) }
      })

      const sandboxOrder = (call: OrderCall, body: CreatePhoneNumberOrder) =>
        delivering(
          Effect.gen(function* () {
            const { row, rows } = yield* simulated(call, body, "requested")
            const order: OrderRow = {
              ...ordered(call, body, ids),
              decision: "approved",
              phone_number_id: row.id,
              decided_at: call.now,
              number_status: row.status
            }
            const response = reply(call, 201, orderBody(order, urlOf(order.id), call.now))
            const written = yield* commit.write([...rows, insertRow(order)], { claim: call.claim, response })
            return written(numberChanged.inserted).has(row.id) ? ([row.id, response] as const) : undefined
          })
        )

      return Ordering.of({
        provision: Effect.fnUntraced(function* (call, path, body) {
          if (call.caller.environment === "sandbox") {
            return yield* delivering(
              Effect.gen(function* () {
                const { row, rows } = yield* simulated(call, body, "provisioning")
                const response = reply(call, 202, yield* reads.whole(call.caller, row, call.now))
                const written = yield* commit.write(rows, { claim: call.claim, response })
                return written(numberChanged.inserted).has(row.id) ? ([row.id, response] as const) : undefined
              })
            )
          }
          const order = yield* awaiting(call, body)
          const refusal = new PhoneNumberRentalApprovalRequired({
            details: {
              order: { id: order.id, approval_url: urlOf(order.id), expires_at: formatTimestamp(order.expires_at) }
            }
          })
          const response = errorReply(refusal, call, path, publicUrl())
          yield* commit.write([insertRow(order)], { claim: call.claim, response })
          return response
        }),

        create: Effect.fnUntraced(function* (call, body) {
          if (call.caller.environment === "sandbox") return yield* sandboxOrder(call, body)
          const order = yield* awaiting(call, body)
          const response = reply(call, 201, orderBody(order, urlOf(order.id), call.now))
          yield* commit.write([insertRow(order)], { claim: call.claim, response })
          return response
        }),

        get: Effect.fnUntraced(function* (call, id) {
          const order = parseId("pno", id) ? yield* orders.find(call.caller.environment_id, id) : undefined
          if (order === undefined) return yield* new PhoneNumberOrderNotFound()
          return reply(call, 200, orderBody(order, urlOf(id), call.now))
        })
      })
    })
  )
}

/** Returns an order that waits for approval, without its terms. M-ORD-09 */
const ordered = (call: OrderCall, body: CreatePhoneNumberOrder, ids: Ids["Service"]): OrderRow => ({
  environment_id: call.caller.environment_id,
  id: ids.mint("pno", call.now),
  organization_id: call.caller.organization_id,
  project_id: call.caller.project_id,
  environment: call.caller.environment,
  decision: "awaiting_approval",
  ddd: body.ddd,
  display_name: body.display_name === undefined ? null : clean(body.display_name),
  purpose: body.purpose === undefined ? null : clean(body.purpose),
  amount: 0,
  monthly_fee: 0,
  first_charge_at: null,
  next_charge_at: null,
  terms_version: rentalTerms,
  phone_number_id: null,
  reservation_id: null,
  decided_by: null,
  decided_at: null,
  expires_at: call.now + orderValidMs,
  due_at: null,
  created_at: call.now,
  number_status: null,
  activated_at: null
})

const insertRow = ({ activated_at, decided_by, due_at, number_status, reservation_id, ...order }: OrderRow) =>
  insertOrder.row(order)

/** Returns a mobile number of that area code; it is never called, because a sandbox opens no socket. */
const simulatedPhone = (ddd: string, random: Uint8Array): string => {
  const drawn = random.reduce((sum, byte) => (sum * 256 + byte) % 100_000_000, 0)
  return `+55${ddd}9${String(drawn).padStart(8, "0")}`
}
