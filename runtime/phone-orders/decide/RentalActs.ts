import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Effect, Schema } from "effect"
import type { AccountAct } from "../../billing/Billing.ts"
import { activateNumber, failNumber } from "../../phone-numbers/PhoneNumbers.ts"
import { missings } from "../rental/Missings.ts"
import { afterFailure, type Rental } from "../rental/Rental.ts"
import { RentalRepo } from "../rental/RentalRepo.ts"
import { settleRental } from "../rental/RentalWrites.ts"

/** An approved order whose first month is decided of. Instant in epoch milliseconds. */
const RentalRequest = Schema.Struct({ order_id: Schema.String, reservation_id: Schema.String, at: Schema.Number })
type RentalRequest = typeof RentalRequest.Type

type RentalAct = AccountAct<RentalRequest, ReadonlyMap<string, Rental>>

/** The acts' names, for who calls them, by the step that they end. */
export const rentalActNames = { fulfil: "phone_order.fulfil", fail: "phone_order.end" } as const

const underWay: ReadonlyArray<NumberStatus> = ["requested", "provisioning", "provisioned", "verifying"]

const act = (step: keyof typeof rentalActNames, end: RentalAct["decide"]) =>
  Effect.map(
    RentalRepo,
    (repo): RentalAct => ({
      name: rentalActNames[step],
      request: RentalRequest,
      ends: ({ reservation_id }) => [reservation_id],
      read: (requests) =>
        Effect.map(
          Effect.forEach(requests, ({ order_id }) => repo.find(order_id)),
          (found) => new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])))
        ),
      // Asked twice, or of one that has moved on, it has nothing to decide.
      decide: (request, found, desk) => {
        const rental = found.get(request.order_id)
        return rental?.step === step && rental.ended_at === null
          ? end(request, found, desk)
          : { _tag: "Answer", text: request.order_id }
      }
    })
  )

/** Charges the first month, makes the number active and fulfils its order in one commit of the account. M-ORD-17 */
export const fulfilOrderAct = act("fulfil", ({ at, order_id }, found, desk) => {
  const rental = found.get(order_id)
  if (rental?.number_status !== "verifying") return { _tag: "Answer", text: order_id }
  const { environment_id, id, number_environment_id, phone_number_id, reservation_id } = rental
  desk.settle(reservation_id)
  desk.add(
    activateNumber.row({
      environment_id: number_environment_id,
      id: phone_number_id,
      from_status: rental.number_status,
      biz_account_id: null,
      updated_at: at
    }),
    settleRental.row({ environment_id, id, phone_number_id, was: "fulfil", step: null, due_at: null, at })
  )
  return { _tag: "Write", text: id }
})

/**
 * Gives the first month back and fails the number, unless its owner gave it up before; what is left goes back to the
 * provider. One commit of the account. M-ORD-18, M-ORD-19
 */
export const endOrderAct = act("fail", ({ at, order_id }, found, desk) => {
  const rental = found.get(order_id)
  if (rental === undefined) return { _tag: "Answer", text: order_id }
  const { environment_id, id, number_environment_id, number_status, phone_number_id, reservation_id } = rental
  desk.release(reservation_id)
  if (underWay.includes(number_status)) {
    desk.add(
      failNumber.row({
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
  desk.add(
    settleRental.row({ environment_id, id, phone_number_id, was: "fail", step, due_at: step === null ? null : at, at })
  )
  return { _tag: "Write", text: id }
})
