import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { insertMonths } from "@carteiro/runtime/billing/months/CalendarRepo.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { insertUsage } from "@carteiro/runtime/billing/usage/UsageWrites.ts"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import { numbersEach } from "../billing/Renting.ts"
import { testHold, testRelease, testSettle } from "../billing/TestActs.ts"
import type { CardMode, PixMode, Vendors } from "../billing/Vendors.ts"
import { type AccountRun, ask, correct, ledgerHolds, livedMs, openAccount } from "./AccountWorld.ts"
import { calm, type Disturbance, disturb, look, pass } from "./Passing.ts"
import type { SimulationContext } from "./Playing.ts"
import { day, minute, second } from "./World.ts"

const plans = ["plo_starter", "plo_standard", "plo_growth", "plo_scale"] as const
const meters = ["message.transport.utility", "message.transport.marketing"] as const

/** What is done to an account. `waits`: until it is answered. */
export type MoneyAction =
  | { readonly kind: "hold"; readonly amount: number; readonly waits: boolean }
  | { readonly kind: "settle" | "release"; readonly nth: number; readonly waits: boolean }
  | { readonly kind: "use"; readonly count: number }
  | { readonly kind: "correct"; readonly type: "credit" | "debit"; readonly amount: number }
  | { readonly kind: "topUp" | "cancel"; readonly waits: boolean }
  | { readonly kind: "refund" | "payPix"; readonly nth: number }
  | {
      readonly kind: "subscribe"
      readonly plan: number
      readonly rail: "cardproc_card" | "pix_annual"
      readonly waits: boolean
    }
  | { readonly kind: "change"; readonly plan: number; readonly waits: boolean }
  | { readonly kind: "card"; readonly mode: CardMode }
  | { readonly kind: "pix"; readonly mode: PixMode }
  | { readonly kind: "pass"; readonly millis: number }
  | { readonly kind: "monthEnd" }
  | Disturbance

/** What a schedule came to, for those who ask whether it proves anything. */
export interface MoneyTally {
  readonly entries: number
  readonly invoices: number
  readonly topups: number
  readonly months: number
}

interface Run extends AccountRun {
  readonly vendors: Vendors
  /** Reservations asked for, and how those stood whose end was answered. */
  readonly reservations: Array<string>
  readonly ended: Map<string, string>
}

/** The account's card at the processor. */
const card = "pm_world"
const funds = 500_0000

/** Plays a schedule on the account of an organization, to where nothing is under way any more. */
export const playMoney = Effect.fnUntraced(function* (
  context: SimulationContext,
  vendors: Vendors,
  actions: ReadonlyArray<MoneyAction>
) {
  const run = yield* prepare(context, vendors)
  for (const action of actions) {
    yield* act(run, action)
    yield* hear(run)
    yield* look(run, second)
    yield* ledgerHolds(run)
  }
  vendors.modes.clear()
  vendors.pixMode = "makes"
  yield* calm(run)
  yield* passTime(run, 2 * day)
  yield* hear(run)
  yield* look(run, minute)
  return yield* finished(run)
}, Effect.orDie)

const prepare = Effect.fnUntraced(function* (context: SimulationContext, vendors: Vendors) {
  const { course, nodes } = context
  const opened = yield* openAccount(context, course.now)
  const run: Run = { ...context, ...opened, due: billingRoom.due, livedMs, vendors, reservations: [], ended: new Map() }
  yield* nodes.on(
    owners((accounts) =>
      accounts.CommandCard(run.account, {
        _tag: "Save",
        traceId: "world",
        claim: undefined,
        id: "bpm_world",
        customer: "cus_world",
        card,
        brand: "visa",
        last4: "4242",
        exp_month: 1,
        exp_year: 2040,
        set_default: true
      })
    )
  )
  yield* correct(run, "credit", funds)
  yield* look(run, second)
  return run
})

type Accounts = Effect.Success<typeof BillingAccountEntity.client>

const owners = <A, E>(use: (accounts: Accounts) => Effect.Effect<A, E>) =>
  Effect.flatMap(BillingAccountEntity.client, use)

const mint = (prefix: "rsv" | "usg" | "inv" | "ctu") =>
  Effect.flatMap(Ids, (ids) => Effect.map(Clock.currentTimeMillis, (now) => ids.mint(prefix, now)))

const act = (run: Run, action: MoneyAction): Effect.Effect<unknown, unknown> => {
  const { account, reservations, vendors } = run
  switch (action.kind) {
    case "hold":
      return ask(run, action.waits, place(run, action.amount))
    case "settle":
    case "release":
      return ask(run, action.waits, end(run, reservations[action.nth % Math.max(1, reservations.length)], action.kind))
    case "use":
      return ask(run, true, use(run, action.count))
    case "correct":
      return correct(run, action.type, action.amount)
    case "topUp":
      return ask(run, action.waits, buy(run))
    case "refund":
      return Effect.suspend(() => {
        const paid = [...vendors.charges.values()].filter(({ status }) => status === "succeeded")
        const charge = paid[action.nth % Math.max(1, paid.length)]
        if (charge === undefined) return Effect.void
        vendors.refund(charge.external_id)
        return ask(run, true, lookAt(account, charge.external_id))
      })
    case "payPix":
      return Effect.suspend(() => {
        const open = [...vendors.pix.values()].filter(({ status }) => status === "pending")
        const charge = open[action.nth % Math.max(1, open.length)]
        if (charge === undefined) return Effect.void
        vendors.pay(charge.external_id)
        return ask(run, true, lookAt(account, charge.external_id))
      })
    case "subscribe":
      return ask(run, action.waits, subscribe(run, plans[action.plan % plans.length] ?? "", action.rail))
    case "change":
      return ask(run, action.waits, command(account, plans[action.plan % plans.length]))
    case "cancel":
      return ask(run, action.waits, command(account))
    case "card":
      return Effect.sync(() => void vendors.modes.set(card, action.mode))
    case "pix":
      return Effect.sync(() => {
        vendors.pixMode = action.mode
      })
    case "pass":
      return passTime(run, action.millis)
    case "monthEnd":
      return monthEnd(run)
    default:
      return disturb(run, action)
  }
}

const place = (run: Run, amount: number) =>
  Effect.gen(function* () {
    const reservation_id = yield* mint("rsv")
    run.reservations.push(reservation_id)
    yield* (yield* testHold.caller)(run.account, {
      id: reservation_id,
      amount,
      meter_id: "payment.completion",
      source_type: "payment_fee_hold",
      project_id: run.project,
      environment_id: run.environment,
      trace_id: "world",
      payment: { object: "payment_request", id: `pay_of_${reservation_id}` }
    })
  })

const end = (run: Run, reservation_id: string | undefined, kind: "settle" | "release") =>
  Effect.gen(function* () {
    if (reservation_id === undefined) return
    const act = yield* kind === "settle" ? testSettle.caller : testRelease.caller
    const state = yield* act(run.account, { id: reservation_id })
    if (state === "settled" || state === "released") run.ended.set(reservation_id, state)
  })

const use = (run: Run, count: number) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const ids = yield* Effect.forEach(Array.from({ length: count }), () => mint("usg"))
    yield* (yield* Commit).write(
      ids.map((id, n) =>
        insertUsage.row({
          organization_id: run.account,
          id,
          project_id: run.project,
          environment_id: run.environment,
          meter_id: meters[n % meters.length] ?? meters[0],
          source_type: "message",
          source_id: `msg_of_${id}`,
          phone_number_id: null,
          occurred_at: now
        })
      )
    )
  })

const buy = (run: Run) =>
  Effect.flatMap(mint("ctu"), (topup_id) =>
    owners((accounts) =>
      accounts.BuyPackage(run.account, {
        topup_id,
        package_code: "pack_1k",
        payment_method_id: null,
        request: undefined
      })
    )
  )

const subscribe = (run: Run, plan_offering_id: string, rail: "cardproc_card" | "pix_annual") =>
  Effect.flatMap(mint("inv"), (invoice_id) =>
    owners((accounts) =>
      accounts.BeginSubscription(run.account, { invoice_id, plan_offering_id, rail, request: undefined })
    )
  )

const command = (account: string, plan_offering_id?: string) =>
  owners((accounts) => {
    const caller = { traceId: "world", claim: undefined }
    return plan_offering_id === undefined
      ? accounts.CommandPlan(account, { _tag: "Cancel", ...caller })
      : accounts.CommandPlan(account, { _tag: "Change", plan_offering_id, ...caller })
  })

const lookAt = (account: string, charge_id: string) =>
  owners((accounts) => accounts.LookAtCharge(account, { charge_id }))

/** The vendors tell of charges that have changed by themselves. */
const hear = (run: Run) =>
  Effect.suspend(() =>
    Effect.forEach(run.vendors.news(run.course.now), (id) => ask(run, true, lookAt(run.account, id)), { discard: true })
  )

/** So much time passes, from one instant at which something is due to the next. */
const passTime = (run: Run, millis: number) =>
  pass(
    run,
    millis,
    (now) => run.sql<{ readonly next: number | null }>`select least(
      (select min(due_at) from subscriptions where due_at > ${now}),
      (select min(due_at) from charges where due_at > ${now})) as next`
  )

/** The end of this month and the beginning of the next come, each with what the calendar asks for. */
const monthEnd = (run: Run) =>
  Effect.gen(function* () {
    const { course } = run
    const from = new Date(course.now)
    const next = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)
    for (const instant of [next - day / 2, next + 5 * minute]) {
      if (instant <= course.now) continue
      yield* passTime(run, instant - course.now)
      yield* ask(run, true, insertMonths)
      yield* look(run, livedMs)
    }
  })

interface Ledgered {
  readonly source_id: string
  readonly type: string
  readonly amount: number
}

interface Invoiced {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly is_credited: boolean
}

/** The tables have what the vendors took: each charge once, credited or paid for, given back as it was. */
const finished = (run: Run) =>
  Effect.gen(function* () {
    const { account, ended, sql, vendors } = run
    yield* ledgerHolds(run)
    const entries = yield* sql<Ledgered>`select source_id, type, amount from ledger_entries
      where account_id = ${account} and source_type = 'credit_topup'`
    const invoices = yield* sql<Invoiced>`select id, status, amount, is_credited from subscription_invoices
      where account_id = ${account}`
    const sums = (id: string, type: string) =>
      entries.filter((entry) => entry.source_id === id && entry.type === type).map(({ amount }) => amount)
    const charges = [...vendors.charges.values(), ...vendors.pix.values()]
    for (const { amount_centavos, external_id: id, status } of charges) {
      const amount = (amount_centavos ?? 0) * 100
      const invoice = invoices.find((one) => one.id === id)
      const credits = sums(id, "credit")
      if (status === "refunded") {
        // A payment that went back before it was seen was never credited.
        assert.deepStrictEqual(credits, sums(id, "debit"), `refund of ${id}`)
        assert.include(["refunded", "failed", undefined], invoice?.status, `status of ${id}`)
        continue
      }
      const took = status === "succeeded" || status === "paid"
      const isCredit = id.startsWith("ctu_") || invoice?.is_credited === true
      assert.deepStrictEqual(credits, took && isCredit ? [amount] : [], `credit of ${id}`)
      assert.deepStrictEqual(sums(id, "debit"), [], `no refund of ${id}`)
      if (id.startsWith("ctu_")) continue
      assert.strictEqual(invoice?.amount, amount, `amount of ${id}`)
      assert.strictEqual(invoice?.status === "paid", took, `status of ${id}`)
    }
    // A vendor has whatever the tables believe was paid.
    for (const { id, status } of invoices)
      if (status === "paid" || status === "refunded")
        assert.isTrue(
          charges.some(({ external_id }) => external_id === id),
          id
        )
    assert.strictEqual(vendors.repeated, 0, "charged for again")
    assert.isAtMost(invoices.filter(({ status }) => status === "open").length, 1)

    const [plan] = yield* sql<{ readonly subscribed: string | null; readonly in_force: string | null }>`select
      (select plan_offering_id from subscriptions where account_id = ${account}) as subscribed,
      (select plan_offering_id from account_plans where account_id = ${account}
        order by effective_from desc limit 1) as in_force`
    assert.strictEqual(plan?.subscribed, plan?.in_force)

    for (const [id, state] of ended) {
      const [row] = yield* sql<{ readonly state: string }>`select state from reservations where id = ${id}`
      assert.strictEqual(row?.state, state, `end of ${id}`)
    }
    const [rest] = yield* sql<{
      readonly unposted: number
      readonly undebited: number
      readonly months: number
      readonly open: number
      readonly rentals: number
      readonly entries: number
    }>`select
      (select count(*)::int4 from usage_records where posted_at is null) as unposted,
      (select count(*)::int4 from usage_records u where not exists (
        select 1 from ledger_entries e where e.source_type = 'usage' and e.source_id = u.id)) as undebited,
      (select count(*)::int4 from account_months where job = 'month_charge') as months,
      (select count(*)::int4 from account_months where done_at is null) as open,
      (select count(*)::int4 from ledger_entries where meter_id = 'phone.rental.month') as rentals,
      (select count(*)::int4 from ledger_entries) as entries`
    const { entries: all = 0, months = 0, ...counted } = rest ?? {}
    assert.deepStrictEqual(counted, { unposted: 0, undebited: 0, open: 0, rentals: months * numbersEach })
    return {
      entries: all,
      months,
      invoices: invoices.filter(({ status }) => status === "paid").length,
      topups: entries.filter(({ source_id }) => vendors.charges.has(source_id)).length
    } satisfies MoneyTally
  })
