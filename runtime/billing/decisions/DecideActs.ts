import { answer, commitThen, type Decision, refuse } from "@carteiro/owners/Owner.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { monthOf } from "@carteiro/spellings/Months.ts"
import { Effect } from "effect"
import type { AccountChange, ActReservation, HostedAct, HostedActs } from "../account/AccountAct.ts"
import type { ActCall } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { insertPostedUsage } from "../usage/UsageWrites.ts"
import { debit, hold, type Reservation, release, settle } from "../wallet/Wallet.ts"
import type { WalletRepo } from "../wallet/WalletRepo.ts"
import { endReservation, insertReservation, insertSettled } from "../wallet/WalletWrites.ts"

/** A call with its act and its decoded request. */
interface KnownCall extends HostedAct {
  readonly request: unknown
}

/** The facts that decide a batch of acts. */
export interface ActFacts {
  /** The calls in the order of the batch; undefined for an act that this version of the program does not have. */
  readonly calls: ReadonlyArray<KnownCall | undefined>
  readonly facts: ReadonlyMap<string, unknown>
  readonly reservations: ReadonlyArray<Reservation>
}

/** The most reservations that an account keeps in memory. */
const mostRemembered = 1000

/** Reads the facts, once for each act of a batch, and the reservations that memory does not hold. */
export const readActs = Effect.fnUntraced(function* (
  batch: ReadonlyArray<ActCall>,
  state: AccountState,
  now: number,
  hosted: HostedActs["Service"],
  wallets: WalletRepo["Service"]
) {
  const calls = batch.map(({ act: name, request }): KnownCall | undefined => {
    const found = hosted.get(name)
    return found && { ...found, request: found.act.request.decode(request) }
  })
  const known = calls.filter((call) => call !== undefined)
  const facts = new Map<string, unknown>()
  for (const { act, rules } of new Map(known.map((call) => [call.act.name, call])).values()) {
    const requests = known.flatMap((call) => (call.act === act ? [call.request] : []))
    facts.set(act.name, yield* rules.read(requests, state.account, now))
  }
  const unread = known.flatMap(({ request, rules }) =>
    rules.reservations(request).filter((id) => !state.reservations.has(id))
  )
  const reservations = unread.length === 0 ? [] : yield* wallets.reservations(state.account.account_id, unread)
  return { calls, facts, reservations } satisfies ActFacts
})

/** Decides acts in order, each on the wallet as the previous acts leave it. */
export const decideActs = (
  { calls, facts, reservations }: ActFacts,
  state: AccountState,
  context: AccountContext
): ReadonlyArray<Decision<unknown>> => {
  for (const reservation of reservations) remember(state, reservation)
  return calls.map((call) => {
    // The calling node runs a newer version; it retries until this node is replaced.
    if (call === undefined) return refuse(new ServiceUnavailable({ retry_after_ms: 1000 }))
    const { act, request, rules } = call
    const unit = new AccountUnit(state, context)
    const decision = rules.decide(request, facts.get(act.name), changeOf(state, unit))
    switch (decision._tag) {
      case "Refuse":
        return refuse(decision.error)
      case "Answer":
        return answer(act.result.encode(decision.result))
      case "Write": {
        const result = act.result.encode(decision.result)
        return commitThen({
          rows: unit.end(),
          claim: decision.claim,
          response: decision.response,
          settle: (_keys, passed) => (passed ? { ok: result } : { retry: "changed" })
        })
      }
    }
  })
}

const changeOf = (state: AccountState, unit: AccountUnit): AccountChange => {
  const { account } = state
  const { account_id, organization_id } = account
  const { mint, now } = unit.context

  const rowOf = ({ payment, ...rest }: ActReservation) => ({
    ...rest,
    account_id,
    payment_object: payment?.object ?? null,
    payment_id: payment?.id ?? null,
    created_at: now
  })

  /** Adds a usage record and returns its id, which the debit names. */
  const use = ({ environment_id, id, meter_id, project_id, source_type }: ActReservation): string => {
    const usage = mint("usg", now)
    unit.add(
      insertPostedUsage.row({
        organization_id,
        id: usage,
        project_id: project_id ?? "",
        environment_id: environment_id ?? "",
        meter_id,
        source_type,
        source_id: id,
        occurred_at: now,
        posted_at: now
      })
    )
    return usage
  }

  const end = (id: string, ended: "settled" | "released"): Reservation | undefined => {
    const reservation = state.reservations.get(id)
    if (reservation?.state !== "open") return undefined
    unit.add(endReservation.row({ account_id, id, state: ended, ended_at: now }))
    remember(state, { ...reservation, state: ended })
    return reservation
  }

  return {
    account,
    now,
    mint: (prefix) => mint(prefix, now),
    balance: () => state.wallet.balance,
    spent: (projectId) => state.spending.of(projectId, monthOf(now)),
    reservation: (id) => state.reservations.get(id),
    hold: (asked) => {
      const reservation: Reservation = { ...asked, state: "open" }
      unit.add(insertReservation.row(rowOf(asked)))
      unit.move(hold(reservation), null)
      remember(state, reservation)
    },
    charge: (asked) => {
      unit.add(insertSettled.row(rowOf(asked)))
      const { amount, environment_id, id, meter_id, payment, project_id, trace_id } = asked
      const charge = { amount, environment_id, meter_id, payment, trace_id, reservation_id: id, usage_id: use(asked) }
      unit.move(debit(state.wallet, charge), project_id)
    },
    settle: (id) => {
      const reservation = end(id, "settled")
      if (reservation !== undefined) unit.move(settle(reservation, use(reservation)), reservation.project_id)
    },
    release: (id) => {
      const reservation = end(id, "released")
      if (reservation !== undefined) unit.move(release(reservation), null)
    },
    add: (...rows) => unit.add(...rows)
  }
}

/** Keeps a reservation in memory, and drops the oldest one when there are too many. */
const remember = (state: AccountState, reservation: Reservation): void => {
  state.reservations.delete(reservation.id)
  state.reservations.set(reservation.id, reservation)
  const [oldest] = state.reservations.keys()
  if (state.reservations.size > mostRemembered && oldest !== undefined) state.reservations.delete(oldest)
}
