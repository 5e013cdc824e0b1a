import { Activations } from "@carteiro/owners/Cluster.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { insertMonths } from "@carteiro/runtime/billing/months/CalendarRepo.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { fee, imported, monthOwners, monthServices, rental, rented } from "../phone-months/Stage.ts"
import { fence, leapTo, OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { steadyDatabase } from "../support/SteadyDatabase.ts"
import { type Funded, inTime, mint, seedFunds, useAll, violations, walletOf } from "./Accounts.ts"
import { Vendors } from "./Vendors.ts"

const at = (text: string): number => Date.parse(text)
const begins = "2027-12-01T00:00:00.000Z"
const ends = at("2029-02-01T12:00:00.000Z")
const months = Array.from({ length: 14 }, (_, n) => {
  const year = 2027 + Math.floor((11 + n) / 12)
  return `${year}-${String(((11 + n) % 12) + 1).padStart(2, "0")}`
})
const lastDayOf: { readonly [month: string]: string } = {
  "2027-12": "31",
  "2028-01": "31",
  "2028-02": "29",
  "2028-03": "31",
  "2028-04": "30",
  "2028-05": "31",
  "2028-06": "30",
  "2028-07": "31",
  "2028-08": "31",
  "2028-09": "30",
  "2028-10": "31",
  "2028-11": "30",
  "2028-12": "31",
  "2029-01": "31"
}

type Plan = "free" | "starter" | "standard" | "growth" | "scale"
const meters = ["message.transport.utility", "message.transport.marketing", "message.transport.service"] as const
type Meter = (typeof meters)[number]

/** What a message costs, in 1/10,000 BRL, written out. gaps-3 E "Plan catalog", "Rate card seed" */
const prices: { readonly [P in Plan]: { readonly [M in Meter]: number } } = {
  free: { "message.transport.utility": 500, "message.transport.marketing": 800, "message.transport.service": 300 },
  starter: { "message.transport.utility": 450, "message.transport.marketing": 720, "message.transport.service": 270 },
  standard: { "message.transport.utility": 400, "message.transport.marketing": 640, "message.transport.service": 240 },
  growth: { "message.transport.utility": 325, "message.transport.marketing": 520, "message.transport.service": 195 },
  scale: { "message.transport.utility": 250, "message.transport.marketing": 400, "message.transport.service": 150 }
}

/** A package of the test's own, small enough to be used up: 18.00 for 40 messages at 0.0450. */
const pack = { price: 18_0000, quota: 40, unit: 450 }

/** One busy organization: what is done to its subscription, and what that makes of it, both written by hand. */
interface Story {
  readonly name: string
  readonly acts: ReadonlyArray<readonly [instant: string, act: Act]>
  /** The plan in force from each instant on. */
  readonly plans: ReadonlyArray<readonly [from: string, plan: Plan]>
  /** Everything that is charged for it, in 1/10,000 BRL. */
  readonly fees: ReadonlyArray<number>
  readonly status: string
  readonly current_period_end: string | null
}
type Act =
  | { readonly do: "subscribe"; readonly plan: Plan; readonly rail: "cardproc_card" | "pix_annual" }
  | { readonly do: "change"; readonly plan: Plan }
  | { readonly do: "cancel" | "pay" | "decline" | "accept" | "package" }

const times = (count: number, fee: number): ReadonlyArray<number> => Array.from({ length: count }, () => fee)
const card = "cardproc_card" as const

const stories: ReadonlyArray<Story> = [
  {
    name: "free",
    acts: [["2028-03-05T10:00:00Z", { do: "package" }]],
    plans: [],
    fees: [],
    status: "none",
    current_period_end: null
  },
  {
    // Each month end, the leap day included; a renewal of May fails and its second retry pays.
    name: "starter",
    acts: [
      ["2027-12-31T10:00:00Z", { do: "subscribe", plan: "starter", rail: card }],
      ["2028-02-10T10:00:00Z", { do: "package" }],
      ["2028-05-20T10:00:00Z", { do: "decline" }],
      ["2028-06-02T10:00:00Z", { do: "accept" }]
    ],
    plans: [["2027-12-31T10:00:00Z", "starter"]],
    fees: times(14, 49_0000),
    status: "active",
    current_period_end: "2029-02-28T10:00"
  },
  {
    // Down with the renewal of May, up in August for 20 of 31 days, over at the end of November.
    name: "standard",
    acts: [
      ["2027-12-30T09:00:00Z", { do: "subscribe", plan: "standard", rail: card }],
      ["2028-05-12T09:00:00Z", { do: "change", plan: "starter" }],
      ["2028-08-10T09:00:00Z", { do: "change", plan: "growth" }],
      ["2028-11-05T09:00:00Z", { do: "cancel" }]
    ],
    plans: [
      ["2027-12-30T09:00:00Z", "standard"],
      ["2028-05-30T09:00:00Z", "starter"],
      ["2028-08-10T09:00:00Z", "growth"],
      ["2028-11-30T09:00:00Z", "free"]
    ],
    // Until April 30 at 149.00; May, June, July at 49.00; 450.00 x 20 / 31; August, September, October at 499.00.
    fees: [...times(5, 149_0000), ...times(3, 49_0000), 290_3200, ...times(3, 499_0000)],
    status: "canceled",
    current_period_end: null
  },
  {
    // A year by Pix, renewed two days after the charge was there.
    name: "growth",
    acts: [
      ["2027-12-15T12:00:00Z", { do: "subscribe", plan: "growth", rail: "pix_annual" }],
      ["2027-12-15T13:00:00Z", { do: "pay" }],
      ["2028-12-10T13:00:00Z", { do: "pay" }]
    ],
    plans: [["2027-12-15T13:00:00Z", "growth"]],
    fees: times(2, 4990_0000),
    status: "active",
    current_period_end: "2029-12-15T13:00"
  },
  {
    // From the 1st of a month; its card declines in July and it is over a week later.
    name: "scale",
    acts: [
      ["2028-01-01T00:02:00Z", { do: "subscribe", plan: "scale", rail: card }],
      ["2028-04-20T10:00:00Z", { do: "package" }],
      ["2028-06-20T10:00:00Z", { do: "decline" }]
    ],
    plans: [
      ["2028-01-01T00:02:00Z", "scale"],
      ["2028-07-08T00:02:00Z", "free"]
    ],
    fees: times(6, 1499_0000),
    status: "canceled",
    current_period_end: null
  }
]

/** Numbers each of them rents since November; one more was imported, and the smallest plan allows two. */
const numbersEach = 1

/** Plans that cover the management of imported numbers. C-PMGT-05 */
const covering: ReadonlyArray<Plan> = ["standard", "growth"]

/** Numbers of an organization: one rented since before the months, and one imported as they begin. */
const seedNumbers = Effect.fnUntraced(function* ({ tenant }: Funded) {
  const sql = yield* SqlClient.SqlClient
  for (let n = 0; n < numbersEach; n++) {
    const { id } = yield* rented(tenant.production)
    yield* sql`update phone_numbers set activated_at = '2027-11-15T00:00:00Z' where id = ${id}`
  }
  return yield* imported(tenant.production)
}, Effect.orDie)

/** When messages are sent in each month: at its edges, and in between. */
const instantsOf = (month: string): ReadonlyArray<number> => {
  const last = lastDayOf[month] ?? assert.fail(month)
  return [
    "01T00:00:00.000",
    "01T00:04:59.999",
    "01T00:05:00.000",
    "15T15:00:00.000",
    "22T08:30:00.000",
    `${last}T08:00:00.000`,
    `${last}T12:00:00.000`,
    `${last}T23:59:59.999`
  ].map((rest) => at(`${month}-${rest}Z`))
}

const vendors = new Vendors()
const product = OwnerTest(
  Layer.provideMerge(Layer.provide(monthOwners, vendors.layer()), monthServices),
  billingRoom.followers,
  { database: steadyDatabase }
)

interface Played {
  readonly story: Story
  readonly account: Funded
  readonly card: string
}

const perform = Effect.fnUntraced(function* ({ account, card }: Played, act: Act) {
  const owners = yield* BillingAccountEntity.client
  const traceId = "trace"
  switch (act.do) {
    case "subscribe":
      return yield* owners.BeginSubscription(account.id, {
        invoice_id: yield* mint("inv"),
        plan_offering_id: `plo_${act.plan}`,
        rail: act.rail,
        request: undefined
      })
    case "change":
      return yield* owners.CommandPlan(account.id, {
        _tag: "Change",
        plan_offering_id: `plo_${act.plan}`,
        traceId,
        claim: undefined
      })
    case "cancel":
      return yield* owners.CommandPlan(account.id, { _tag: "Cancel", traceId, claim: undefined })
    case "package":
      return yield* owners.BuyPackage(account.id, {
        topup_id: yield* mint("ctu"),
        package_code: "pack_test",
        payment_method_id: null,
        request: undefined
      })
    case "decline":
    case "accept":
      return void vendors.modes.set(card, act.do === "decline" ? "declines" : "pays")
    case "pay": {
      const sql = yield* SqlClient.SqlClient
      const open = yield* sql<{ readonly id: string }>`select id from charges
        where account_id = ${account.id} and state = 'open' and rail = 'pix'`
      assert.strictEqual(open.length, 1)
      for (const { id } of open) {
        vendors.pay(id)
        yield* owners.LookAtCharge(account.id, { charge_id: id })
      }
    }
  }
})

/** What is due next anywhere. */
const nextDue = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly at: number | null }>`select least(
      (select min(due_at) from subscriptions where due_at is not null),
      (select min(due_at) from charges where due_at is not null)) as at`,
    ([row]) => row?.at ?? Number.POSITIVE_INFINITY
  )
)

it.layer(product, { excludeTestServices: true, timeout: "60 seconds" })("Fourteen months", (it) => {
  it.effect(
    "match a plain sum for a busy organization on each plan, leap day and month ends included C-PLAN-19 C-PLAN-21 C-PMGT-05 C-PMGT-07 M-IMP-10 (gaps-3 E Subscription states, gaps-3 F Month clock as jobs)",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const owners = yield* BillingAccountEntity.client
        const activations = yield* Activations
        yield* sql`insert into package_offerings values ('pack_test', 'Test', ${pack.price}, ${pack.quota}, ${pack.unit})`
        yield* leapTo(begins)
        const played: Array<Played> = []
        for (const story of stories) {
          const account = yield* seedFunds(5000_0000)
          const card = `pm_${story.name}`
          yield* owners.CommandCard(account.id, {
            _tag: "Save",
            traceId: "trace",
            claim: undefined,
            id: yield* Effect.map(Ids, (ids) => ids.mint("bpm", at(begins))),
            customer: `cus_${story.name}`,
            card,
            brand: "visa",
            last4: "4242",
            exp_month: 1,
            exp_year: 2040,
            set_default: true
          })
          yield* seedNumbers(account)
          played.push({ story, account, card })
        }
        // One that has too little: what becomes of it is told below.
        const poor = yield* seedFunds(120_0000)
        const poorNumber = yield* seedNumbers(poor)
        const accounts = [...played.map(({ account }) => account), poor]

        const agenda = new Map<number, Array<Effect.Effect<unknown, unknown, never>>>()
        const note = (instant: number, run: Effect.Effect<unknown, unknown, never>) =>
          agenda.set(instant, [...(agenda.get(instant) ?? []), run])
        const here = yield* Effect.context<Layer.Success<typeof product>>()
        const used: Array<{ readonly who: Played; readonly instant: number; readonly meter: Meter }> = []
        for (const who of played) {
          // What changes a plan at an instant comes before what is sent at it.
          for (const [instant, act] of who.story.acts) {
            note(at(instant), Effect.provideContext(inTime(perform(who, act)), here))
          }
        }
        for (const instant of months.flatMap(instantsOf)) {
          const sent = played.flatMap((who) => meters.map((meter) => ({ who, instant, meter })))
          used.push(...sent)
          const rows = sent.map(({ meter, who }) => ({ account: who.account, meter_id: meter }))
          note(instant, Effect.provideContext(useAll(rows, instant), here))
        }
        for (const [n, month] of months.entries()) {
          // Another node takes one of the accounts right before the months are charged.
          const taken = accounts[n % accounts.length] ?? poor
          note(at(`${month}-01T00:04:59.999Z`), Effect.provideContext(fence(taken.id), here))
          note(at(`${month}-01T00:05:00Z`), Effect.void)
          note(at(`${month}-${lastDayOf[month]}T12:00:00Z`), Effect.void)
        }

        const instants = [...agenda.keys()].sort((one, other) => one - other)
        let next = 0
        for (;;) {
          const now = yield* Clock.currentTimeMillis
          const planned = instants[next] ?? Number.POSITIVE_INFINITY
          const instant = Math.min(planned, Math.max(now, yield* nextDue))
          if (instant > ends) break
          yield* leapTo(Math.max(now, instant))
          if (instant === planned) {
            next++
            yield* insertMonths
            // First what is due by itself: a period that ends at this instant has ended.
            for (const { id } of accounts) activations.wake("BillingAccount", id)
            yield* turnBy(1)
            for (const run of agenda.get(instant) ?? []) yield* run
          }
          for (const { id } of accounts) activations.wake("BillingAccount", id)
          yield* turnBy(20)
        }
        yield* turnBy(5000)

        for (const { account, story } of played) {
          const mine = used.filter(({ who }) => who.account === account)
          const expected = plainSum(story, mine)
          const { balance, held } = yield* walletOf(account)
          const [plan] = yield* sql<{
            readonly status: string
            readonly current_period_end: number | null
          }>`select status,
            current_period_end from subscriptions where account_id = ${account.id}`
          const paid = [...vendors.charges.values(), ...vendors.pix.values()]
            .filter(({ external_id }) => external_id.startsWith("inv_"))
            .filter(({ status }) => status === "succeeded" || status === "paid")
          const own = yield* sql<{ readonly id: string; readonly amount: number }>`select id, amount
            from subscription_invoices where account_id = ${account.id} and status = 'paid' order by id`
          const charged = own.map(({ id }) => paid.find(({ external_id }) => external_id === id)?.amount_centavos)
          const end = plan?.current_period_end ?? null
          assert.deepStrictEqual(
            {
              name: story.name,
              balance,
              held,
              status: plan?.status ?? "none",
              end: end === null ? null : new Date(end).toISOString().slice(0, 16),
              invoices: own.map(({ amount }) => amount),
              charged: charged.map((centavos) => (centavos ?? 0) * 100)
            },
            {
              name: story.name,
              balance: expected,
              held: 0,
              status: story.status,
              end: story.current_period_end,
              invoices: story.fees,
              charged: story.fees
            }
          )
        }
        // December takes 69.80 of 120.00. January: the rental leaves 0.30, the fee -19.60, and the imported number is disabled on the
        // last day. February: the rental leaves -69.50, nothing else is charged, and the rented number is given back on the 29th.
        const numbers = yield* sql<{
          readonly id: string
          readonly status: string
        }>`select id, status from phone_numbers
          where environment_id = ${poor.environment_id} order by id`
        assert.deepStrictEqual(
          [
            (yield* walletOf(poor)).balance,
            numbers.filter(({ status }) => status !== "active").length,
            numbers.find(({ id }) => id === poorNumber.id)?.status
          ],
          [120_0000 - 3 * rental - 2 * fee, 1, "active"]
        )
        assert.strictEqual(vendors.repeated, 0)
        const open = yield* sql`select 1 from usage_records where posted_at is null`
        assert.strictEqual(open.length, 0)
        assert.deepStrictEqual(yield* violations, [])
      }),
    240_000
  )
})

/** The balance at the end: nothing but what was credited, sent, rented and managed, one after the other. */
const plainSum = (story: Story, used: ReadonlyArray<{ readonly instant: number; readonly meter: Meter }>): number => {
  let balance = 5000_0000
  const packages = story.acts
    .filter(([, act]) => act.do === "package")
    .map(([instant]) => ({ from: at(instant), left: pack.quota }))
  balance += packages.length * pack.price
  for (const { instant, meter } of [...used].sort((one, other) => one.instant - other.instant)) {
    let plan: Plan = "free"
    for (const [from, then] of story.plans) if (at(from) <= instant) plan = then
    const price = prices[plan][meter]
    const [oldest] = packages.filter(({ from, left }) => from <= instant && left > 0)
    if (oldest !== undefined && pack.unit < price) {
      oldest.left--
      balance -= pack.unit
    } else balance -= price
  }
  for (const month of months) {
    let plan: Plan = "free"
    for (const [from, then] of story.plans) if (at(from) <= at(`${month}-01T00:05:00Z`)) plan = then
    balance -= numbersEach * rental + (covering.includes(plan) ? 0 : fee)
  }
  return balance
}
