import { InsufficientBalance } from "@carteiro/schema/billing/BillingErrors.ts"
import type { Ids } from "../../platform/ids/Ids.ts"
import { answer, commitThen, type Decision, refuse } from "../../platform/owner/Owner.ts"
import { insertPostedUsage } from "../usage/UsageWrites.ts"
import { type PostingGround, postingRows } from "../wallet/Postings.ts"
import { apply, hold, type Movement, type Reservation, release, settle, type Wallet } from "../wallet/Wallet.ts"
import type { WalletRepo, WalletRow } from "../wallet/WalletRepo.ts"
import { endReservation, insertReservation } from "../wallet/WalletWrites.ts"
import type { AccountOperation, HoldOperation, ReservationState } from "./AccountOperation.ts"

/** What the owner of an account keeps in memory. */
export interface AccountState {
  readonly account: WalletRow
  wallet: Wallet
  /** Reservations of late, at most so many; the others are rows. */
  readonly reservations: Map<string, Reservation>
  /** Reservations whose row was there before they were made: looked at before they are decided again. */
  readonly doubtful: Set<string>
}

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
  now: number,
  ids: Ids["Service"]
): ReadonlyArray<Decision<ReservationState>> => {
  for (const reservation of found) remember(state, reservation)
  const ground = { account: state.account, now, mintId: (at: number) => ids.mint("led", at) }
  return operations.map((operation) => {
    const known = state.reservations.get(operation.reservation_id)
    if (operation._tag === "Hold") return known === undefined ? place(operation, state, ground) : answer(known.state)
    if (known === undefined) return answer("unknown")
    return known.state === "open" ? end(operation, known, state, ground) : answer(known.state)
  })
}

const place = (operation: HoldOperation, state: AccountState, ground: PostingGround): Decision<ReservationState> => {
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
  const movement = hold(reservation)
  move(state, movement)
  remember(state, reservation)
  return commitThen({
    rows: [inserted, ...postingRows(movement, null, ground)],
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
  ground: PostingGround
): Decision<ReservationState> => {
  const settles = operation._tag === "Settle"
  const ended: ReservationState = settles ? "settled" : "released"
  const movement = settles ? settle(reservation, operation.usage_id) : release(reservation)
  const { account } = state
  const row = endReservation.row({
    account_id: account.account_id,
    id: reservation.id,
    state: ended,
    ended_at: ground.now
  })
  move(state, movement)
  remember(state, { ...reservation, state: ended })
  const usage = settles ? [usageOf(operation.usage_id, reservation, account.organization_id, ground.now)] : []
  return commitThen({
    rows: [row, ...usage, ...postingRows(movement, reservation.project_id, ground)],
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

const move = (state: AccountState, movement: Movement): void => {
  state.wallet = apply(state.wallet, movement)
}

const remember = (state: AccountState, reservation: Reservation): void => {
  state.reservations.delete(reservation.id)
  state.reservations.set(reservation.id, reservation)
  state.doubtful.delete(reservation.id)
  const [oldest] = state.reservations.keys()
  if (state.reservations.size > mostRemembered && oldest !== undefined) state.reservations.delete(oldest)
}
