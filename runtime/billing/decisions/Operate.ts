import { answer, commitThen, type Decision, refuse } from "@carteiro/owners/Owner.ts"
import { InsufficientBalance } from "@carteiro/schema/billing/BillingErrors.ts"
import { type AccountGround, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { insertPostedUsage } from "../usage/UsageWrites.ts"
import { hold, type Reservation, release, settle } from "../wallet/Wallet.ts"
import type { WalletRepo } from "../wallet/WalletRepo.ts"
import { endReservation, insertReservation } from "../wallet/WalletWrites.ts"
import type { AccountOperation, HoldOperation, ReservationState } from "./AccountOperation.ts"

/** Reservations an account remembers. */
const mostRemembered = 1000

/** Reads the reservations of a batch that memory does not know. */
export const readReservations = (
  operations: ReadonlyArray<AccountOperation>,
  state: AccountState,
  repo: WalletRepo["Service"]
) =>
  repo.reservations(
    state.account.account_id,
    operations.flatMap(({ _tag, reservation_id: id }) =>
      !state.reservations.has(id) && (_tag !== "Hold" || state.doubtful.has(id)) ? [id] : []
    )
  )

/** Decides what is asked of an account, in order: what memory has of the wallet is what the table will have. */
export const operateAll = (
  operations: ReadonlyArray<AccountOperation>,
  found: ReadonlyArray<Reservation>,
  state: AccountState,
  ground: AccountGround
): ReadonlyArray<Decision<ReservationState>> => {
  for (const reservation of found) remember(state, reservation)
  return operations.map((operation) => {
    const known = state.reservations.get(operation.reservation_id)
    if (operation._tag === "Hold") return known === undefined ? place(operation, state, ground) : answer(known.state)
    if (known === undefined) return answer("unknown")
    return known.state === "open" ? end(operation, known, state, ground) : answer(known.state)
  })
}

const place = (operation: HoldOperation, state: AccountState, ground: AccountGround): Decision<ReservationState> => {
  const { account, wallet } = state
  if (account.environment === "production" && wallet.balance < operation.amount)
    return refuse(new InsufficientBalance())
  const { _tag, reservation_id: id, payment, ...rest } = operation
  const reservation: Reservation = { ...rest, id, payment, state: "open" }
  const inserted = insertReservation.row({
    ...rest,
    account_id: account.account_id,
    id,
    payment_object: payment?.object ?? null,
    payment_id: payment?.id ?? null,
    created_at: ground.now
  })
  const unit = new AccountUnit(state, ground)
  unit.add(inserted)
  unit.move(hold(reservation), null)
  remember(state, reservation)
  return commitThen({
    rows: unit.end(),
    settle: (_keys, passed) => {
      if (passed) return { ok: "open" }
      state.doubtful.add(id)
      return { retry: "changed" }
    }
  })
}

const end = (
  operation: Exclude<AccountOperation, HoldOperation>,
  reservation: Reservation,
  state: AccountState,
  ground: AccountGround
): Decision<ReservationState> => {
  const settles = operation._tag === "Settle"
  const ended: ReservationState = settles ? "settled" : "released"
  const { account_id, organization_id } = state.account
  const unit = new AccountUnit(state, ground)
  unit.add(endReservation.row({ account_id, id: reservation.id, state: ended, ended_at: ground.now }))
  if (settles) unit.add(usageOf(operation.usage_id, reservation, organization_id, ground.now))
  const movement = settles ? settle(reservation, operation.usage_id) : release(reservation)
  unit.move(movement, reservation.project_id)
  remember(state, { ...reservation, state: ended })
  return commitThen({
    rows: unit.end(),
    settle: (_keys, passed) => (passed ? { ok: ended } : { retry: "changed" })
  })
}

const usageOf = (id: string, reservation: Reservation, organization_id: string, now: number) =>
  insertPostedUsage.row({
    organization_id,
    id,
    project_id: reservation.project_id ?? "",
    environment_id: reservation.environment_id ?? "",
    meter_id: reservation.meter_id,
    source_type: reservation.source_type,
    source_id: reservation.id,
    occurred_at: now,
    posted_at: now
  })

/** Keeps a reservation in memory, the oldest giving way. */
export const remember = (state: AccountState, reservation: Reservation): void => {
  state.reservations.delete(reservation.id)
  state.reservations.set(reservation.id, reservation)
  state.doubtful.delete(reservation.id)
  const [oldest] = state.reservations.keys()
  if (state.reservations.size > mostRemembered && oldest !== undefined) state.reservations.delete(oldest)
}
