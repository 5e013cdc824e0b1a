import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { insertMonths } from "@carteiro/runtime/billing/months/CalendarRepo.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import * as PhoneMonths from "@carteiro/runtime/phone-months/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { room as phoneNumbersRoom } from "@carteiro/runtime/phone-numbers/room.ts"
import { stackRooms } from "@carteiro/runtime/room/Room.ts"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { billingOwners } from "../billing/TestActs.ts"
import { connectedPlatform, enroll } from "../phone-numbers/Numbers.ts"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { leapTo, turnBy } from "../support/OwnerTest.ts"
import { steadyDatabase } from "../support/SteadyDatabase.ts"
import { seedTenant, type TestEnvironment } from "../support/Tenants.ts"

/** The messages room's answers for numbers without messages. */
const quiet = Layer.succeed(
  PhoneNumbers.NumberTraffic,
  PhoneNumbers.NumberTraffic.of({
    recipients: () => Effect.succeed(new Map()),
    ofPortfolios: () => Effect.succeed(new Map()),
    remaining: () => null,
    recent: () => Effect.succeed([])
  })
)

const rooms = [billingRoom, phoneNumbersRoom, PhoneMonths.room] as const
/** The services that rooms of months provide to each other. */
export const monthServices = stackRooms(rooms, "services").pipe(
  Layer.provide(quiet),
  Layer.provide(Layer.merge(PhoneMonths.room.answers, phoneNumbersRoom.answers))
)

/** The accounts that charge months, and the owners of numbers. */
export const monthOwners = Layer.mergeAll(billingOwners, phoneNumbersRoom.owners, PhoneMonths.room.owners).pipe(
  Layer.provide(Layer.merge(phoneNumbersRoom.answers, connectedPlatform))
)

/** These accounts and owners with the routes that show months. */
export const monthProduct = ApiTest(PhoneMonths.room.routes, Layer.provideMerge(monthOwners, monthServices), {
  followers: billingRoom.followers,
  database: steadyDatabase
})

export type Plan = "starter" | "standard" | "growth" | "scale"

/** What a month costs, in 1/10,000 BRL. gaps-3 E "Rate card seed" */
export const rental = 49_9000
export const fee = 19_9000

let stages = 0

/** A separate organization with that credit, in 1/10,000 BRL. */
export const monthStage = (balance: number) => seedTenant(`months${++stages}`, balance)

const accountOf = ({ id, kind, organization_id }: TestEnvironment) =>
  Billing.planAccountOf({ organization_id, environment_id: id, environment: kind })

/** Opens the wallet of an environment's account. */
const openAccount = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  yield* sql`insert into wallets (account_id, organization_id, environment, created_at, updated_at)
    values (${accountOf(environment)}, ${environment.organization_id}, ${environment.kind}, ${now}, ${now})
    on conflict do nothing`
})

/** Gives an environment's account a plan from now until an instant, or none from now on. */
export const subscribe = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  plan: Plan | null,
  until: string | null = null,
  past_due_since: string | null = null
) {
  const sql = yield* SqlClient.SqlClient
  const account = accountOf(environment)
  const now = new Date(yield* Clock.currentTimeMillis)
  const offering = plan === null ? null : `plo_${plan}`
  const status = plan === null ? "canceled" : past_due_since === null ? "active" : "past_due"
  yield* openAccount(environment)
  yield* sql`insert into account_plans values (${account}, ${now}, ${offering})
    on conflict (account_id, effective_from) do update set plan_offering_id = excluded.plan_offering_id`
  yield* sql`insert into subscriptions (account_id, status, plan_offering_id, billing_rail, periods, current_period_start,
      current_period_end, cancel_at_period_end, past_due_since, retries, retry_now, updated_at)
    values (${account}, ${status}, ${offering}, ${plan === null ? null : "cardproc_card"}, 1, ${plan === null ? null : now},
      ${plan === null ? null : until}, false, ${past_due_since}, 0, false, ${now})
    on conflict (account_id) do update set status = excluded.status, plan_offering_id = excluded.plan_offering_id,
      billing_rail = excluded.billing_rail, current_period_end = excluded.current_period_end,
      past_due_since = excluded.past_due_since`
}, Effect.orDie)

/** An active imported number. */
export const imported = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const number = yield* seedNumber(environment)
  yield* enroll(number)
  return number
})

/** An active number that is rented from now on. */
export const rented = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const number = yield* seedNumber(environment)
  const now = new Date(yield* Clock.currentTimeMillis)
  yield* sql`update phone_numbers set source = 'numprov', monthly_fee = ${rental}, activated_at = ${now},
    provider_number_id = ${`prov_${number.id}`} where id = ${number.id}`
  return number
}, Effect.orDie)

/** Turns time to an instant, runs the calendar, and the accounts of those environments do their due work. */
export const monthsTo = Effect.fnUntraced(function* (
  instant: string,
  ...environments: ReadonlyArray<Pick<TestEnvironment, "id" | "kind" | "organization_id">>
) {
  yield* leapTo(instant)
  yield* insertMonths
  const owners = yield* BillingAccountEntity.client
  for (const environment of environments) owners.wake(accountOf(environment as TestEnvironment))
  yield* turnBy(50)
})

/** The coverage of an environment's numbers as its key reads it. */
export const coverage = Effect.fnUntraced(function* ({ key }: TestEnvironment, query = "") {
  return yield* (yield* Api).get(`/v1/billing/phone-management${query}`, { key })
})

/** The coverage of one number. */
export const coverageOf = Effect.fnUntraced(function* (environment: TestEnvironment, number: { readonly id: string }) {
  const { body } = yield* coverage(environment, "?limit=100")
  const items = body.data as ReadonlyArray<{ readonly id: string; readonly [member: string]: unknown }>
  return items.find(({ id }) => id === number.id) ?? {}
})

/** The printed members of a coverage. */
export const some = (item: { readonly [member: string]: unknown }, ...members: ReadonlyArray<string>) =>
  members.map((member) => item[member])

/** The instant in a number's row from which it sends nothing. */
export const suspendedAt = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly suspended_at: number | null }>`select suspended_at from phone_numbers
    where id = ${id}`
  return row?.suspended_at == null ? null : new Date(row.suspended_at).toISOString()
}, Effect.orDie)

/** Makes the account of an environment review its coverage, as after a change of plan. */
export const review = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now)
  yield* openAccount(environment)
  yield* sql`insert into account_months values (${accountOf(environment)}, ${at.toISOString().slice(0, 7)},
    'coverage_review', ${at}) on conflict (account_id, month, job) do update set due_at = excluded.due_at, done_at = null`
  ;(yield* BillingAccountEntity.client).wake(accountOf(environment))
  yield* turnBy(50)
}, Effect.orDie)
