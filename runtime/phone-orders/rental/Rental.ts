import type { ProviderOrder } from "@carteiro/provider/NumberProvider.ts"
import { settlesAt } from "@carteiro/provider/RecoverySchedule.ts"
import type { NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { rentalColumns } from "../order/OrderTables.ts"
import { type MissingReason, missings } from "./Missings.ts"
import { deliveredBy, pollsAt, returnsAt, triesAgainAt, watchesAt } from "./RentalSchedule.ts"

/** The next step for a number whose order was approved. */
export type RentalStep =
  /** The number is ordered from the provider. */
  | "order"
  /** An order without an answer is looked up by our id. */
  | "find"
  /** The provider has the order; the number is on its way. */
  | "read"
  /** The number is registered with the chat platform. */
  | "register"
  /** The account settles the first month, and the number becomes active. */
  | "fulfil"
  /** The account releases the hold of the first month, and the number fails. */
  | "fail"
  /** The order is given up, while the provider may still deliver. */
  | "watch"
  /** The number is returned to the provider. */
  | "give_back"

/** The columns of an order that are not null while its number is on its way, and the step that the owner takes. */
type Decided = "reservation_id" | "phone_number_id" | "step" | "step_began_at" | "due_at"

/** An approved production order in its owner's work, with the state of its number. Instants in epoch milliseconds. */
export interface Rental extends Omit<SelectedRow<typeof rentalColumns>, Decided> {
  readonly reservation_id: string
  readonly phone_number_id: string
  readonly step: RentalStep
  readonly step_began_at: number
  readonly due_at: number
  /** The present environment of the number, which may have been transferred. */
  readonly number_environment_id: string
  readonly number_status: NumberStatus
  readonly phone: string | null
  readonly verification_code: string | null
  readonly verification_code_received_at: number | null
}

/** The stored progress of a rental. */
type RentalFacts = Pick<
  Rental,
  | "step_attempts"
  | "step_began_at"
  | "failed_count"
  | "placed_at"
  | "provider_order_id"
  | "provider_number_id"
  | "error_code"
  | "error_message"
>

/** A number at the chat platform. */
export interface UpstreamNumber {
  readonly upstream_phone_number_id: string
  readonly biz_account_id: string
}

/** The result of a call to the provider. */
export type RentalSeen =
  /** This installation has no number provider: the order fails at once. gaps-2 K "Number provider calls" */
  | { readonly _tag: "NoProvider" }
  /** The attempt failed. */
  | {
      readonly _tag: "Missed"
      readonly reason: MissingReason
      /** True for an order that the provider definitely did not accept. */
      readonly isRefused?: boolean
      /** The number at the chat platform, as far as it is known. */
      readonly upstream?: UpstreamNumber
    }
  | { readonly _tag: "Order"; readonly order: ProviderOrder }
  /** The provider has no order with that name. */
  | { readonly _tag: "NoOrder" }
  /** The platform was asked to send a code to the number. */
  | { readonly _tag: "CodeRequested"; readonly upstream: UpstreamNumber }
  | { readonly _tag: "Registered"; readonly upstream: UpstreamNumber }
  /** Another number here already has the delivered phone. */
  | { readonly _tag: "PhoneTaken"; readonly provider_number_id: string }
  | { readonly _tag: "Returned" }

/** The progress of a rental after a call. */
export interface RentalProgress extends RentalFacts {
  readonly step: RentalStep | null
  readonly due_at: number | null
  readonly returned_at: number | null
  /** The change of its number in the same commit. */
  readonly number:
    | { readonly _tag: "Delivered"; readonly phone: string; readonly provider_number_id: string }
    | { readonly _tag: "Known"; readonly upstream: UpstreamNumber }
    | { readonly _tag: "Released" }
    | null
}

/**
 * Returns the name of an order at the provider: our id, and a count after it when earlier ones could not be delivered.
 */
export const orderName = ({ failed_count, id }: Pick<Rental, "id" | "failed_count">): string =>
  failed_count === 0 ? id : `${id}.${failed_count + 1}`

/** Returns our id of an order from its name at the provider. */
export const orderIdOf = (name: string): string => name.replace(/\.\d+$/, "")

/** Returns the progress after a call that ended at `at`. gaps-2 K "Number provider calls" */
export const judgeRental = (rental: Rental, seen: RentalSeen, at: number): RentalProgress => {
  if (seen._tag === "PhoneTaken") {
    return fails({ ...rental, provider_number_id: seen.provider_number_id }, missings.taken, at)
  }
  switch (rental.step) {
    case "order":
    case "find":
      return judgeOrdering(rental, seen, at)
    case "read":
      return seen._tag === "Order" ? judgeOrder(rental, seen.order, at) : awaits(rental, at)
    case "register":
      return judgeRegistration(rental, seen, at)
    case "watch":
      return judgeWatch(rental, seen, at)
    case "give_back":
      return judgeReturn(rental, seen, at)
    // The account's act ends these steps; until then they are retried.
    case "fulfil":
    case "fail":
      return stays(rental, at)
  }
}

const judgeOrdering = (rental: Rental, seen: RentalSeen, at: number): RentalProgress => {
  switch (seen._tag) {
    case "NoProvider":
      return fails(rental, missings.noProvider, at)
    case "Order":
      return judgeOrder(rental, seen.order, at)
    case "NoOrder":
      // The order may still arrive: it is looked up until the step is given up, and watched after that.
      return missed(rental, missings.unknown, at)
    case "Missed":
      // A later attempt would find the same numbers.
      if (seen.reason === missings.callsOnly) return fails({ ...rental, placed_at: null }, seen.reason, at)
      return seen.isRefused === true
        ? missed({ ...rental, step: "order", placed_at: null }, seen.reason, at)
        : missed(rental, seen.reason, at)
    default:
      return missed(rental, missings.unknown, at)
  }
}

/** Returns the progress after the provider's answer about an order; after a failure the next order has another name. */
const judgeOrder = (rental: Rental, order: ProviderOrder, at: number): RentalProgress => {
  const { id, number, number_id, status } = order
  if (status === "failed") {
    const failed_count = rental.failed_count + 1
    const again = { ...rental, step: "order" as const, failed_count, placed_at: null, provider_order_id: null }
    return missed({ ...again, step_attempts: rental.failed_count }, missings.undelivered, at)
  }
  const known = { ...rental, provider_order_id: id }
  if (status === "pending" || number === null || number_id === null) {
    return rental.step === "read" ? awaits(known, at) : begins(known, "read", at, pollsAt(at, at))
  }
  const delivered = { ...known, provider_number_id: number_id }
  // A number of another area code is not the approved one.
  if (!number.startsWith(`+55${rental.ddd}`)) return fails(delivered, missings.undelivered, at)
  return {
    ...begins(delivered, "register", at, at),
    number: { _tag: "Delivered", phone: number, provider_number_id: number_id }
  }
}

/** Waits for a delivery as long as a step is retried. */
const awaits = (rental: Rental, at: number): RentalProgress => {
  const until = deliveredBy(rental.step_began_at)
  if (at >= until) return fails(rental, missings.late, at)
  return stays(rental, Math.min(until, pollsAt(rental.step_began_at, at)))
}

const judgeRegistration = (rental: Rental, seen: RentalSeen, at: number): RentalProgress => {
  switch (seen._tag) {
    case "Registered":
      return { ...begins(rental, "fulfil", at, at), number: { _tag: "Known", upstream: seen.upstream } }
    case "CodeRequested":
      return {
        ...missed(rental, missings.noCode, at),
        number: { _tag: "Known", upstream: seen.upstream }
      }
    case "Missed":
      return {
        ...missed(rental, seen.reason, at),
        number: seen.upstream === undefined ? null : { _tag: "Known", upstream: seen.upstream }
      }
    default:
      return missed(rental, missings.unknown, at)
  }
}

/** True when failed look-ups prove that no order arrived. gaps-3 C "Proven create history" */
const isProvenAbsent = ({ placed_at }: Rental, at: number): boolean =>
  placed_at === null || settlesAt(placed_at, at) === undefined

/**
 * Returns a number that was delivered after its order was given up; stops watching an order that will not be delivered,
 * until a notice names it.
 */
const judgeWatch = (rental: Rental, seen: RentalSeen, at: number): RentalProgress => {
  if (seen._tag === "NoProvider" || (seen._tag === "NoOrder" && isProvenAbsent(rental, at))) return rests(rental)
  const next = watchesAt(rental.step_began_at, at)
  const waits = (known: Rental) => (next === undefined ? rests(known) : stays(known, next))
  if (seen._tag !== "Order") return waits(rental)
  const { id, number_id, status } = seen.order
  const known = { ...rental, provider_order_id: id }
  if (status === "failed") return rests(known)
  return status === "pending" || number_id === null
    ? waits(known)
    : begins({ ...known, provider_number_id: number_id }, "give_back", at, at)
}

const judgeReturn = (rental: Rental, seen: RentalSeen, at: number): RentalProgress => {
  if (seen._tag === "Returned") return { ...rests(rental), returned_at: at, number: { _tag: "Released" } }
  return { ...stays(rental, returnsAt(rental.step_attempts, at)), step_attempts: rental.step_attempts + 1 }
}

/** Returns the remaining step at the provider after the account released the first month. */
export const afterFailure = ({
  placed_at,
  provider_number_id
}: Pick<Rental, "placed_at" | "provider_number_id">): "give_back" | "watch" | null => {
  if (provider_number_id !== null) return "give_back"
  return placed_at === null ? null : "watch"
}

const stays = (rental: Rental, due_at: number): RentalProgress => ({
  step: rental.step,
  step_attempts: rental.step_attempts,
  step_began_at: rental.step_began_at,
  failed_count: rental.failed_count,
  due_at,
  placed_at: rental.placed_at,
  provider_order_id: rental.provider_order_id,
  provider_number_id: rental.provider_number_id,
  returned_at: null,
  error_code: rental.error_code,
  error_message: rental.error_message,
  number: null
})

const rests = (rental: Rental): RentalProgress => ({ ...stays(rental, 0), step: null, due_at: null })

const begins = (rental: Rental, step: RentalStep, at: number, due_at: number): RentalProgress => ({
  ...stays(rental, due_at),
  step,
  step_attempts: 0,
  step_began_at: at
})

/** Counts a failed attempt; after the last one the number fails. */
const missed = (rental: Rental, reason: MissingReason, at: number): RentalProgress => {
  const due_at = triesAgainAt(rental.step_attempts, at)
  if (due_at === undefined) return fails(rental, reason, at)
  return { ...stays(rental, due_at), step_attempts: rental.step_attempts + 1 }
}

const fails = (rental: Rental, { code, message }: MissingReason, at: number): RentalProgress => ({
  ...begins(rental, "fail", at, at),
  error_code: code,
  error_message: message
})
