import { answer, commitThen, type Decision, refuse } from "@carteiro/owners/Owner.ts"
import { Effect, Schema } from "effect"
import { monthOf } from "../../locale/Months.ts"
import type { AccountAct, AccountActs, ActCall, ActDesk, ActReservation } from "../account/AccountAct.ts"
import { type AccountGround, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { insertPostedUsage } from "../usage/UsageWrites.ts"
import { debit, hold, type Reservation, release, settle } from "../wallet/Wallet.ts"
import type { WalletRepo } from "../wallet/WalletRepo.ts"
import { endReservation, insertReservation, insertSettled } from "../wallet/WalletWrites.ts"
import { remember } from "./Operate.ts"

/** A call with its act, and the request as the act knows it. */
interface KnownCall {
  readonly act: AccountAct<unknown, unknown>
  readonly request: unknown
}

/** What a batch of acts is decided by. */
export interface ActFacts {
  readonly calls: ReadonlyArray<KnownCall>
  readonly facts: ReadonlyMap<string, unknown>
  readonly reservations: ReadonlyArray<Reservation>
}

/** Reads once for each act of a batch, and the reservations that memory does not know. */
export const readActs = Effect.fnUntraced(function* (
  calls: ReadonlyArray<ActCall>,
  state: AccountState,
  now: number,
  acts: AccountActs["Service"],
  wallets: WalletRepo["Service"]
) {
  const known = calls.map(({ act: name, request }): KnownCall => {
    const act = acts.find(name)
    if (act === undefined) throw new Error(`no act is called ${name}`)
    return { act, request: Schema.decodeUnknownSync(act.request)(request) }
  })
  const facts = new Map<string, unknown>()
  for (const act of new Set(known.map((call) => call.act))) {
    const requests = known.flatMap((call) => (call.act === act ? [call.request] : []))
    facts.set(act.name, yield* act.read(requests, state.account, now))
  }
  const ended = known.flatMap(({ act, request }) => act.ends(request).filter((id) => !state.reservations.has(id)))
  const reservations = ended.length === 0 ? [] : yield* wallets.reservations(state.account.account_id, ended)
  return { calls: known, facts, reservations } satisfies ActFacts
})

/** Decides acts in order, each on the wallet that those before it leave. */
export const decideActs = (
  { calls, facts, reservations }: ActFacts,
  state: AccountState,
  ground: AccountGround
): ReadonlyArray<Decision<string>> => {
  for (const reservation of reservations) remember(state, reservation)
  return calls.map(({ act, request }) => {
    const unit = new AccountUnit(state, ground)
    const decision = act.decide(request, facts.get(act.name), deskOf(state, unit))
    switch (decision._tag) {
      case "Refuse":
        return refuse(decision.error)
      case "Answer":
        return answer(decision.text)
      case "Write":
        return commitThen({
          rows: unit.end(),
          claim: decision.claim,
          response: decision.response,
          settle: (_keys, passed) => (passed ? { ok: decision.text } : { retry: "changed" })
        })
    }
  })
}

const deskOf = (state: AccountState, unit: AccountUnit): ActDesk => {
  const { account } = state
  const { account_id, organization_id } = account
  const { mint, now } = unit.ground

  const rowOf = ({ payment, ...rest }: ActReservation) => ({
    ...rest,
    account_id,
    payment_object: payment?.object ?? null,
    payment_id: payment?.id ?? null,
    created_at: now
  })

  /** The usage record that a debit names. */
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
