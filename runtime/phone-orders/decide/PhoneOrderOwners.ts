import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { type Ended, makeOwnerQueues, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { type Queued, queued } from "@carteiro/owners/Worker.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import { ConnectedRegistrar } from "@carteiro/provider/NumberRegistration.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { NumberDirectory, numberChanges, registrationPin } from "../../phone-numbers/PhoneNumbers.ts"
import { missings } from "../rental/Missings.ts"
import { giveBack, lookAtOrder, placeOrder } from "../rental/ProviderLooks.ts"
import { lookAtRegistration } from "../rental/RegistrationLooks.ts"
import { judgeRental, type Rental, type RentalProgress, type RentalSeen } from "../rental/Rental.ts"
import { RentalRepo } from "../rental/RentalRepo.ts"
import { reservedMs } from "../rental/RentalSchedule.ts"
import { recordRental, reserveRental } from "../rental/RentalWrites.ts"
import { PhoneOrderWorker } from "./PhoneOrderWorker.ts"
import { endOrder, fulfilOrder } from "./RentalActs.ts"

/** One step of one order; `places` while the order is sent to the provider. */
interface QueuedStep extends QueueRow {
  readonly rental: Rental
  readonly places: boolean
}

type OrderState = Queued<undefined, QueuedStep, RentalSeen>

/** The timeout of a call, shorter than the time for which its step is reserved. In milliseconds. */
const callMs = 25_000

/** Hosts the owners. Every call is made outside of the mailbox; its result and the number's state are one commit. */
export const phoneOrderOwners = PhoneOrderWorker.toLayer(
  Effect.gen(function* () {
    const rentals = yield* RentalRepo
    const numbers = yield* NumberDirectory
    const ends = { fulfil: yield* fulfilOrder.caller, fail: yield* endOrder.caller }
    const registrarOf = yield* ConnectedRegistrar
    const provider = (yield* Numprov)?.platform
    const secrets = yield* Secrets

    /** Returns six digits that are always the same for a number. */
    const pinOf = ({ phone_number_id }: Rental): string => registrationPin(secrets, phone_number_id, null)

    const look = Effect.fnUntraced(function* ({ places, rental }: QueuedStep): Effect.fn.Return<RentalSeen> {
      const { environment_id, provider_number_id, step } = rental
      if (step === "fulfil" || step === "fail") return { _tag: "Missed", reason: missings.unknown }
      if (step === "register") {
        const account = yield* registrarOf(environment_id)
        return account === undefined
          ? { _tag: "Missed", reason: missings.notConnected }
          : yield* lookAtRegistration(account, rental, pinOf(rental))
      }
      if (provider === undefined) return { _tag: "NoProvider" }
      if (step === "order") return { _tag: "Missed", reason: missings.notConnected }
      if (step === "give_back") {
        const holder = yield* numbers.ofNumprov("platform", provider_number_id ?? "")
        // The provider delivered one number twice; the first order keeps it.
        if (holder !== undefined && holder.id !== rental.phone_number_id) return { _tag: "Returned" }
        return yield* giveBack(provider, provider_number_id ?? "")
      }
      return yield* places ? placeOrder(provider, rental) : lookAtOrder(provider, rental)
    })

    /** Reserves steps; a number is ordered only when it can also be registered, and its order waits until then. */
    const reserved = Effect.fnUntraced(function* (row: QueuedStep, owner: OwnerHandle) {
      const { rental } = row
      const { environment_id, id, number_environment_id, number_status, phone_number_id, step } = rental
      const at = owner.now()
      const places = step === "order" && provider !== undefined && (yield* registrarOf(environment_id)) !== undefined
      const next = places ? "find" : step
      const status = leavingStatus(rental, places)
      const rows: Array<Row> = [
        reserveRental.row({ environment_id, id, phone_number_id, was: step, step: next, at, due_at: at + reservedMs })
      ]
      if (status !== undefined) {
        const number = { environment_id: number_environment_id, id: phone_number_id, updated_at: at }
        rows.push(numberChanges.advance({ ...number, from_status: number_status, status }))
      }
      const { keys } = yield* owner.commit([{ rows }])
      if (!keys(reserveRental.name).has(id)) return []
      const leaving = { ...rental, step: next, placed_at: places ? at : rental.placed_at } as const
      return [{ ...row, places, rental: leaving }]
    })

    /** Records the result of a call; a number that another order already has counts as undelivered. */
    const record = Effect.fnUntraced(function* (ended: Ended<QueuedStep, RentalSeen>, owner: OwnerHandle) {
      const { at, result, row } = ended
      const progress = judgeRental(row.rental, result, at)
      const [status] = (yield* owner.record([{ rows: progressRows(row.rental, progress, at) }])).statuses
      if (status === "committed") return
      const now = yield* rentals.find(owner.id)
      const { number, provider_number_id } = progress
      if (status !== "refused" || now?.step !== row.rental.step || number === null || provider_number_id === null)
        return
      const taken = judgeRental(now, { _tag: "PhoneTaken", provider_number_id }, at)
      yield* owner.record([{ rows: progressRows(row.rental, taken, at) }])
    })

    /** Calls the account's act; when the account cannot be reached, the step is retried after its reservation. */
    const decided = ({ rental }: QueuedStep, step: "fulfil" | "fail", at: number) => {
      const { id, organization_id, reservation_id } = rental
      return Effect.ignore(ends[step](organization_id, { order_id: id, reservation_id, at }))
    }

    const kind: QueueKind<OrderState, undefined, QueuedStep, RentalSeen> = {
      ahead: 0,
      writeAtOnce: 1,
      retryMs: 1000,
      drainMs: 4000,
      callMs,
      makeRows: () => new QueueRows(1, true),
      terms: () => undefined,
      destination: () => "numprov",
      read: (_state, owner) =>
        Effect.map(rentals.find(owner.id), (rental) => {
          if (rental === undefined) return { rows: [], next: undefined }
          if (rental.due_at > owner.now()) return { rows: [], next: rental.due_at }
          return { rows: [{ id: rental.id, bytes: 0, rental, places: false }], next: undefined }
        }),
      reserve: (rows, _state, owner) =>
        Effect.map(
          Effect.forEach(rows, (row) => reserved(row, owner)),
          (some) => some.flat()
        ),
      call: (row) => look(row),
      broken: () => ({ _tag: "Missed", reason: missings.unknown }),
      end: Effect.fnUntraced(function* (batch, _state, owner) {
        for (const ended of batch) {
          const { step } = ended.row.rental
          yield* step === "fulfil" || step === "fail" ? decided(ended.row, step, ended.at) : record(ended, owner)
        }
        // The next step may be due, or a notice may have arrived meanwhile.
        owner.dueAt(owner.now() + 1)
        return true
      })
    }
    const queueOf = yield* makeOwnerQueues(kind)

    return queued(queueOf)
  })
)

/** Returns the status that a number gets when its step leaves for the provider; undefined where it stays as it is. */
const leavingStatus = ({ number_status, step }: Rental, places: boolean): "provisioning" | "verifying" | undefined => {
  if (step === "register" && number_status === "provisioned") return "verifying"
  return places && number_status === "requested" ? "provisioning" : undefined
}

/** Returns the rows of a rental's progress, with the change of its number. */
const progressRows = (rental: Rental, progress: RentalProgress, at: number): ReadonlyArray<Row> => {
  const { environment_id, id, number_environment_id, phone_number_id } = rental
  const { number, ...facts } = progress
  const place = { environment_id: number_environment_id, id: phone_number_id, updated_at: at }
  const row = recordRental.row({ environment_id, id, phone_number_id, was: rental.step, at, ...facts })
  switch (number?._tag) {
    case undefined:
      return [row]
    case "Delivered":
      return [
        row,
        numberChanges.deliver({ ...place, phone: number.phone, provider_number_id: number.provider_number_id })
      ]
    case "Known":
      return [row, numberChanges.nameUpstream({ ...place, ...number.upstream })]
    case "Released":
      return [row, numberChanges.completeReturn(place)]
  }
}
