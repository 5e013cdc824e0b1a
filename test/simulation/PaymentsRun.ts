import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { acceptPayment } from "@carteiro/runtime/payments/payment/AcceptPayment.ts"
import { hintPaymentRequest } from "@carteiro/runtime/payments/payment/PaymentWorkWrites.ts"
import { askForApproval, askForCancel } from "@carteiro/runtime/payments/payment/PaymentWrites.ts"
import * as Payments from "@carteiro/runtime/payments/room.ts"
import { PaymentsConnections } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import type { PixMode, PixWorld } from "../payments/PixWorld.ts"
import { type AccountRun, ask, correct, ledgerHolds, livedMs, openAccount } from "./AccountWorld.ts"
import { calm, type Disturbance, disturb, look, pass } from "./Passing.ts"
import type { SimulationContext } from "./Playing.ts"
import { hour, second } from "./World.ts"

/** What is done to the payments of an environment. `waits`: until it is answered. */
export type PaymentsAction =
  | { readonly kind: "create"; readonly amount: number; readonly waits: boolean }
  | { readonly kind: "createTwo"; readonly amount: number }
  | { readonly kind: "cancel" | "approve"; readonly nth: number; readonly waits: boolean }
  | {
      readonly kind: "move"
      readonly nth: number
      readonly status: "paid" | "failed" | "expired" | "cancelled" | "approved"
      readonly tells: boolean
    }
  | { readonly kind: "provider"; readonly mode: PixMode; readonly confirms: boolean }
  | { readonly kind: "credit"; readonly amount: number }
  | { readonly kind: "pass"; readonly millis: number }
  | Disturbance

/** What a schedule came to, for those who ask whether it proves anything. */
export interface PaymentsTally {
  readonly linked: number
  readonly ended: number
  readonly refused: number
}

interface Run extends AccountRun {
  readonly world: PixWorld
  readonly connection: string
  /** Payments asked for, and what their creates were answered. */
  readonly asked: Array<string>
  readonly answers: Map<string, "accepted" | "refused">
}

const funds = 10_0000

/** Plays a schedule on the payments of one environment, to where nothing is under way any more. */
export const playPayments = Effect.fnUntraced(function* (
  context: SimulationContext,
  world: PixWorld,
  actions: ReadonlyArray<PaymentsAction>
) {
  const run = yield* prepare(context, world)
  for (const action of actions) {
    yield* act(run, action)
    yield* look(run, second)
    yield* audit(run)
  }
  world.mode = "answers"
  world.confirms = true
  yield* calm(run)
  yield* passTime(run, 5 * hour)
  return yield* finished(run)
}, Effect.orDie)

const prepare = Effect.fnUntraced(function* (context: SimulationContext, world: PixWorld) {
  const { course, nodes } = context
  const opened = yield* openAccount(context, course.now)
  const pcn = yield* nodes.on(Effect.map(Ids, (ids) => ids.mint("pcn", course.now)))
  const connection = Effect.gen(function* () {
    const account = {
      environment_id: opened.environment,
      environment: "production",
      provider: "pixprov2",
      channel: "payments",
      display_name: "World",
      api_key: "key of the world"
    } as const
    yield* (yield* Commit).write([(yield* PaymentsConnections).insert(account, pcn, course.now)])
  })
  yield* nodes.on(Effect.provide(connection, PaymentsConnections.layer))
  const due = [...billingRoom.due, ...Payments.room.due]
  const run: Run = { ...context, ...opened, due, livedMs, world, connection: pcn, asked: [], answers: new Map() }
  yield* correct(run, "credit", funds)
  yield* look(run, second)
  return run
})

const act = (run: Run, action: PaymentsAction): Effect.Effect<unknown, unknown> => {
  const { asked, world } = run
  const nth = (n: number) => asked[n % Math.max(1, asked.length)]
  switch (action.kind) {
    case "create":
      return ask(run, action.waits, create(run, action.amount))
    case "createTwo":
      return ask(
        run,
        true,
        Effect.all([create(run, action.amount), create(run, action.amount)], { concurrency: 2, mode: "result" })
      )
    case "cancel":
    case "approve":
      return ask(run, action.waits, wish(run, nth(action.nth), action.kind))
    case "move":
      return Effect.suspend(() => {
        const id = nth(action.nth)
        if (id === undefined) return Effect.void
        world.move(id, action.status)
        return action.tells ? ask(run, true, hint(run, id, action.status)) : Effect.void
      })
    case "provider":
      return Effect.sync(() => {
        world.mode = action.mode
        world.confirms = action.confirms
      })
    case "credit":
      return correct(run, "credit", action.amount)
    case "pass":
      return passTime(run, action.millis)
    default:
      return disturb(run, action)
  }
}

const create = (run: Run, amount: number) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const id = ids.mint("pay", now)
    run.asked.push(id)
    const nothing = {
      description: null,
      customer_name: null,
      customer_tax_id: null,
      customer_phone: null,
      customer_email: null,
      external_reference: null,
      metadata: null
    }
    const request = {
      ...nothing,
      id,
      initiation_reservation_id: ids.mint("rsv", now),
      completion_reservation_id: ids.mint("rsv", now),
      project_id: run.project,
      environment_id: run.environment,
      amount,
      options: { provider: null, mode: null, expires_in_seconds: null, success_url: null },
      trace_id: "world",
      created_at: now
    }
    const accept = yield* acceptPayment.caller
    yield* Effect.matchEffect(accept(run.account, request), {
      onSuccess: () => Effect.sync(() => run.answers.set(id, "accepted")),
      onFailure: ({ _tag }) =>
        Effect.sync(() => {
          // Nobody knows what became of any other call.
          if (_tag === "insufficient_balance") run.answers.set(id, "refused")
        })
    })
  })

const wish = (run: Run, id: string | undefined, kind: "cancel" | "approve") =>
  Effect.gen(function* () {
    if (id === undefined) return
    const at = yield* Clock.currentTimeMillis
    const place = { environment_id: run.environment, id, at }
    const row =
      kind === "cancel"
        ? askForCancel.row({ ...place, cancel_requested_at: at })
        : askForApproval.row({
            ...place,
            approval_requested_at: at,
            approval_note: null,
            approval_metadata: null,
            approval_due: true,
            provider_approval_id: null
          })
    yield* (yield* Commit).write([row])
  })

const hint = (run: Run, id: string, told_status: string) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { connection: provider_connection_id, environment: environment_id } = run
    const told = { event_id: `evt_${at}`, event_type: "checkout.updated", told_status, told_at: at }
    yield* (yield* Commit).write([hintPaymentRequest.row({ environment_id, id, provider_connection_id, at, ...told })])
  })

/** So much time passes, from one instant at which something is due to the next. */
const passTime = (run: Run, millis: number) =>
  pass(
    run,
    millis,
    (now) => run.sql<{ readonly next: number | null }>`select min(due_at) as next from payment_requests
      where due_at > ${now}`
  )

interface Apart {
  readonly id: string
}

/**
 * Whatever is under way: no invariant of the ledger is broken, each payment stands as its reservation does, and each has
 * the events of what it came to, once.
 */
const audit = (run: Run) =>
  Effect.gen(function* () {
    const { account, sql } = run
    yield* ledgerHolds(run)
    const fees = yield* sql<Apart>`select p.id from payment_requests p
      left join reservations r on r.account_id = p.account_id and r.id = p.completion_reservation_id
      where r.state is distinct from case p.completion_state when 'held' then 'open' else p.completion_state end
        or not exists (select 1 from reservations i where i.id = p.initiation_reservation_id and i.state = 'settled')`
    assert.deepStrictEqual(fees, [])
    const strays = yield* sql<Apart>`select id from reservations r where account_id = ${account}
      and not exists (select 1 from payment_requests p where p.id = r.payment_id)`
    assert.deepStrictEqual(strays, [])
    const events = yield* sql<Apart & { readonly types: ReadonlyArray<string>; readonly due: ReadonlyArray<string> }>`
      select p.id, (select array_agg(e.type order by e.type) from outbox_events e where e.source_id = p.id) as types,
        (select array_agg(t order by t) from unnest(array['payment.created',
          case when p.link_generated_at is not null then 'payment.approval_available' end,
          case when p.link_generated_at is not null then 'payment.link_generated' end,
          case when p.status in ('paid', 'failed', 'expired', 'cancelled') then 'payment.' || p.status end]) t
          where t is not null) as due
      from payment_requests p`
    for (const { due, id, types } of events) assert.deepStrictEqual(types, due, `events of ${id}`)
  })

interface Stored {
  readonly id: string
  readonly status: string
  readonly completion_state: string
  readonly link_generated_at: number | null
  readonly provider_payment_id: string | null
}

const outcomes: ReadonlySet<string> = new Set(["paid", "failed", "expired", "cancelled"])

/** What the provider has is what the tables have: each charge made once, and every payment as its charge came to. */
const finished = (run: Run) =>
  Effect.gen(function* () {
    const { answers, sql, world } = run
    yield* audit(run)
    const rows = yield* sql<Stored>`select id, status, completion_state, link_generated_at, provider_payment_id
      from payment_requests`
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const [id, answer] of answers) assert.strictEqual(stored.has(id), answer === "accepted", `${answer} ${id}`)
    for (const id of world.charges.keys()) assert.isTrue(stored.has(id), `nobody asked for ${id}`)
    for (const { completion_state, id, link_generated_at, status } of rows) {
      const charge = world.charges.get(id)
      if (charge === undefined) {
        // It was refused, or its create never arrived and is tried again.
        assert.include(["failed released", "link_pending held"], `${status} ${completion_state}`, id)
        continue
      }
      const fee = charge.status === "paid" ? "settled" : outcomes.has(charge.status) ? "released" : "held"
      if (outcomes.has(charge.status)) assert.strictEqual(status, charge.status, id)
      else assert.include(["link_generated", "approval_requested", "approved"], status, id)
      assert.strictEqual(completion_state, fee, id)
      if (fee === "held") assert.isNotNull(link_generated_at, id)
    }
    assert.strictEqual(world.repeated, 0, "made again")
    return {
      linked: rows.filter(({ link_generated_at }) => link_generated_at !== null).length,
      ended: rows.filter(({ status }) => outcomes.has(status)).length,
      refused: [...answers.values()].filter((answer) => answer === "refused").length
    } satisfies PaymentsTally
  })
