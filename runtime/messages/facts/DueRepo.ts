import type { DueOwners, DuePage } from "@carteiro/owners/DueWork.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { ownersOfTenant } from "@carteiro/tables/WalkOwners.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { groupStatus } from "../../groups/Groups.ts"
import { dueMessageColumns, dueMessageInstants } from "../message/MessageTables.ts"
import { withCustomerType } from "../message/MessageWrites.ts"
import { isAccount } from "../message/Senders.ts"
import { isReported } from "../message/StoredReports.ts"
import { forAskedSenders, numberColumns, numberOf } from "./NumberRead.ts"
import type { DueInstants, DueMessage, NumberFacts } from "./SendingFacts.ts"

/** One owner's read of the due messages of its number. */
interface AskedDue {
  readonly environment_id: string
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly queue: number
  readonly steps: number
}

/** The most rows of one statement; the next pass reads a number's remaining rows. */
const mostRows = 2048
/** The fewest rows of each number, however many are read. */
const fewestRows = 16

/**
 * Reads due messages of numbers. Concurrent passes of many numbers share one statement, so that traffic spread over
 * many numbers costs few statements.
 */
export class DueRepo extends Context.Service<
  DueRepo,
  {
    dueInstants(numberId: string): Effect.Effect<DueInstants>
    /**
     * Returns messages that wait for a token and messages due by time, each oldest first and within its limit; it may
     * return less than is due while many numbers read at once. Omits a message that an earlier attempt may have sent
     * while a stored report of it waits.
     */
    readDue(
      number: { readonly environment_id: string; readonly id: string },
      now: number,
      limits: { readonly queue: number; readonly steps: number }
    ): Effect.Effect<ReadonlyArray<DueMessage>>
    /** Returns numbers with due work, for the sweeper; see `DueOwners`. */
    dueNumbers: DueOwners["due"]
  }
>()("@carteiro/runtime/messages/facts/DueRepo") {
  static readonly layer = Layer.effect(
    DueRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = <A extends object>(text: string, parameters: ReadonlyArray<unknown>) =>
        many(sql.unsafe<A>(text, parameters))
      const instantsBy = (text: string) =>
        readTogether((ids: ReadonlyArray<string>) =>
          Effect.map(run<InstantsRow>(text, [arrayParameter("text", ids)]), (rows) => {
            const found = new Map(rows.map((row) => [row.ask, row]))
            return ids.map((_, n) => toInstants(found.get(n + 1)))
          })
        )
      const ofNumbers = yield* instantsBy(instantsSql.ofNumbers)
      const ofAccounts = yield* instantsBy(instantsSql.ofAccounts)
      const readDue = yield* readTogether((asks: ReadonlyArray<AskedDue>) => {
        const most = Math.max(fewestRows, Math.floor(mostRows / asks.length))
        const texts = (name: "environment_id" | "id") =>
          arrayParameter(
            "text",
            asks.map((ask) => ask[name])
          )
        const limits = (name: "queue" | "steps") =>
          arrayParameter(
            "int4",
            asks.map((ask) => Math.min(ask[name], most))
          )
        const instants = arrayParameter(
          "timestamptz",
          asks.map(({ now }) => now)
        )
        return Effect.map(
          run<DueRow>(dueSql, [texts("environment_id"), texts("id"), instants, limits("queue"), limits("steps")]),
          (rows) => {
            const found = asks.map((): Array<DueMessage> => [])
            for (const row of rows) found[row.ask - 1]?.push(row)
            return found
          }
        )
      })
      return DueRepo.of({
        dueInstants: (numberId) => (isAccount(numberId) ? ofAccounts(numberId) : ofNumbers(numberId)),
        readDue: ({ environment_id, id }, now, { queue, steps }) => readDue({ environment_id, id, now, queue, steps }),
        dueNumbers: (now, after, limit) =>
          Effect.map(run<WalkedNumber>(dueNumbersSql, [instant(now), after, limit]), (rows) => walked(rows, limit))
      })
    })
  )
}

const inQueue = "due_at is not null and status = 'queued' and status_reason is null"
const inSteps = "due_at is not null and (status <> 'queued' or status_reason is not null)"

const instantsSql = forAskedSenders(
  (asked) => `select n.ask, ${numberColumns},
  (select min(due_at) from messages m where m.environment_id = n.environment_id and m.business_id = n.id
    and ${inQueue}) as queue_at,
  (select min(due_at) from messages m where m.environment_id = n.environment_id and m.business_id = n.id
    and ${inSteps}) as steps_at,
  case when n.environment = 'production' then (select min(w.due_at) from vendor_webhook_work w
    where w.owner_type = 'PhoneNumber' and w.owner_id = n.id and w.due_at is not null) end as notices_at,
  n.upstream_phone_number_id
  from (${asked}) n`
)

/** The columns that an owner reads of its messages `m`, and of the joined rows that decide about it. */
export const dueColumns = `${dueMessageColumns.of("m")}, case when m.status = 'queued' and m.group_id is not null then (select ${groupStatus("g")}
    from groups g where g.environment_id = m.environment_id and g.id = m.group_id) end as group_status, ${dueMessageInstants.of("m")},
  t.sending_status as template_status, w.latest_inbound_at, coalesce(c.opt_in_status = 'opted_out', false) as opted_out`
/** Joins written so that the planner uses an index for each look-up, whatever table size it estimates. */
export const dueJoins = `left join lateral (select w.latest_inbound_at from service_windows w
    where m.status = 'queued' and w.environment_id = m.environment_id and w.channel = m.channel
      and w.business_id = m.business_id and w.customer_key = m.customer_key limit 1) w on true
  cross join lateral ${withCustomerType("(select m.channel)")} y
  left join lateral (select c.opt_in_status from contacts c where m.status = 'queued'
    and c.environment_id = m.environment_id and c.match_key = m.customer_key
    and c.customer_type = y.customer_type limit 1) c on true
  left join lateral (select t.sending_status from templates t where m.status = 'queued' and m.template_id is not null
    and t.environment_id = m.environment_id and t.id = m.template_id and t.deleted_at is null limit 1) t on true`

const unreported = `not ${isReported("messages.id", "k.business_id")}`

const dueSql = `select k.ask::int4 as ask, ${dueColumns}
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int4[], $5::int4[]) with ordinality
    as k(environment_id, business_id, at, queue, steps, ask)
  cross join lateral (
    (select * from messages where environment_id = k.environment_id and business_id = k.business_id
      and due_at <= k.at and ${inQueue} and (refusals = 0 or ${unreported}) order by due_at, id limit k.queue)
    union all
    (select * from messages where environment_id = k.environment_id and business_id = k.business_id
      and due_at <= k.at and ${inSteps} and (delivery_unconfirmed_at is null or ${unreported})
      order by due_at, id limit k.steps)
  ) m ${dueJoins}`

// Walks from number to number along the index, so that a long queue costs one step.
const numbersOf = (name: string, waiting: string): string => `${name} as (
    (select environment_id, business_id, 1 as n from messages where ${waiting} and business_id > $2
      order by business_id, environment_id limit 1)
    union all
    select n.environment_id, n.business_id, p.n + 1 from ${name} p cross join lateral (
      select environment_id, business_id from messages
      where ${waiting} and (business_id, environment_id) > (p.business_id, p.environment_id)
      order by business_id, environment_id limit 1) n where p.n < $3::int4
  )`
const selectDue = (name: string, waiting: string): string => `select '${name}' as walk, n.business_id as id, exists (
    select 1 from messages m where m.environment_id = n.environment_id and m.business_id = n.business_id
      and ${waiting} and m.due_at <= $1) as due from ${name} n`

const dueNumbersSql = `with recursive ${numbersOf("queues", inQueue)}, ${numbersOf("stepping", inSteps)}
  select * from (${selectDue("queues", inQueue)} union all ${selectDue("stepping", inSteps)}) w order by id`

/** The numbers of an environment, and its accounts that send on the social channel. */
const senders = `select id from phone_numbers where environment_id = $1
  union all select id from provider_connections where environment_id = $1 and channel = 'socialapp'`
/** The numbers that have left an environment for another of its organization; what they sent goes on where it was. */
const formerSenders = `select f.phone_number_id as id from environments h
  join environments e on e.organization_id = h.organization_id
  join phone_numbers n on n.environment_id = e.id
  join phone_number_transfers f on f.phone_number_id = n.id and f.environment_id = h.id
  where h.id = $1`
const dueOf = (owners: string, waiting: string) =>
  ownersOfTenant(owners, `select business_id as owner, due_at from messages where environment_id = $1 and ${waiting}`)

/**
 * The SQL of when the senders of an environment have a message to send, or a sent one to check, on the environment's
 * clock.
 */
export const messagesOfTenant = `${dueOf(senders, inQueue)} union all ${dueOf(`${senders} union ${formerSenders}`, inSteps)}`

/** Returns when held messages of an environment are due, on its clock. */
export const pacingOfTenant = ownersOfTenant(
  senders,
  "select business_id as owner, due_at from number_pacing where environment_id = $1 and due_at is not null"
)

interface WalkedNumber {
  readonly walk: "queues" | "stepping"
  readonly id: string
  readonly due: boolean
}

// Two walks are merged: the page ends where the first truncated walk ends.
const walked = (rows: ReadonlyArray<WalkedNumber>, limit: number): DuePage => {
  const ends = (["queues", "stepping"] as const).flatMap((name) => {
    const walk = rows.filter((row) => row.walk === name)
    return walk.length < limit ? [] : [walk.at(-1)?.id ?? ""]
  })
  const next = ends.length === 0 ? undefined : ends.reduce((one, other) => (one < other ? one : other))
  const due = rows.filter((row) => row.due && (next === undefined || row.id <= next))
  return { ids: [...new Set(due.map(({ id }) => id))], next }
}

interface Numbered {
  /** The position among the reads of the statement, from 1. */
  readonly ask: number
}

interface DueRow extends DueMessage, Numbered {}

interface InstantsRow extends NumberFacts, Numbered {
  readonly queue_at: number | null
  readonly steps_at: number | null
  readonly notices_at: number | null
  readonly upstream_phone_number_id: string | null
}

const toInstants = (row: InstantsRow | undefined): DueInstants => ({
  number: row === undefined ? undefined : numberOf(row),
  queue: row?.queue_at ?? undefined,
  steps: row?.steps_at ?? undefined,
  notices: row?.notices_at ?? undefined,
  upstream_phone_number_id: row?.upstream_phone_number_id ?? null
})
