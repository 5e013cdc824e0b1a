import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Effect, Schema } from "effect"
import { defineAccountAct, handleAct, type RulesOf } from "../../billing/Billing.ts"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { missings } from "../rental/Missings.ts"
import { afterFailure, type Rental } from "../rental/Rental.ts"
import { RentalRepo } from "../rental/RentalRepo.ts"
import { settleRental } from "../rental/RentalWrites.ts"

/** An approved order whose first month is settled. Instant in epoch milliseconds. */
const RentalRequest = Schema.Struct({ order_id: Schema.String, reservation_id: Schema.String, at: Schema.Number })

const terms = { request: RentalRequest, result: Schema.Null }

/** Charges the first month, makes the number active and fulfils its order in one commit of the account. M-ORD-17 */
export const fulfilOrder = defineAccountAct("phone_order.fulfil", terms)

/**
 * Releases the hold of the first month and fails the number, unless its owner gave it up before; then the number is
 * returned to the provider. One commit of the account. M-ORD-18, M-ORD-19
 */
export const endOrder = defineAccountAct("phone_order.end", terms)

type RentalRules = RulesOf<typeof fulfilOrder, ReadonlyMap<string, Rental>>

const underWay: ReadonlyArray<NumberStatus> = ["requested", "provisioning", "provisioned", "verifying"]

const rulesOf = (step: "fulfil" | "fail", end: RentalRules["decide"]) =>
  Effect.map(
    RentalRepo,
    (repo): RentalRules => ({
      reservations: ({ reservation_id }) => [reservation_id],
      read: (requests) =>
        Effect.map(
          Effect.forEach(requests, ({ order_id }) => repo.find(order_id)),
          (found) => new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])))
        ),
      // A repeated call, and one for an order that has changed, has nothing to decide.
      decide: (request, found, change) => {
        const rental = found.get(request.order_id)
        return rental?.step === step && rental.ended_at === null
          ? end(request, found, change)
          : { _tag: "Answer", result: null }
      }
    })
  )

const fulfil = rulesOf("fulfil", ({ at, order_id }, found, change) => {
  const rental = found.get(order_id)
  if (rental?.number_status !== "verifying") return { _tag: "Answer", result: null }
  const { environment_id, id, number_environment_id, phone_number_id, reservation_id } = rental
  change.settle(reservation_id)
  change.add(
    numberChanges.activate({
      environment_id: number_environment_id,
      id: phone_number_id,
      from_status: rental.number_status,
      biz_account_id: null,
      updated_at: at
    }),
    settleRental.row({ environment_id, id, phone_number_id, was: "fulfil", step: null, due_at: null, at })
  )
  return { _tag: "Write", result: null }
})

const fail = rulesOf("fail", ({ at, order_id }, found, change) => {
  const rental = found.get(order_id)
  if (rental === undefined) return { _tag: "Answer", result: null }
  const { environment_id, id, number_environment_id, number_status, phone_number_id, reservation_id } = rental
  change.release(reservation_id)
  if (underWay.includes(number_status)) {
    change.add(
      numberChanges.fail({
        environment_id: number_environment_id,
        id: phone_number_id,
        from_status: number_status,
        error_code: rental.error_code ?? missings.unknown.code,
        error_message: rental.error_message ?? missings.unknown.message,
        updated_at: at
      })
    )
  }
  const step = afterFailure(rental)
  change.add(
    settleRental.row({ environment_id, id, phone_number_id, was: "fail", step, due_at: step === null ? null : at, at })
  )
  return { _tag: "Write", result: null }
})

/** Handles `fulfilOrder`. */
export const fulfilOrderHandler = handleAct(fulfilOrder, fulfil)

/** Handles `endOrder`. */
export const endOrderHandler = handleAct(endOrder, fail)
