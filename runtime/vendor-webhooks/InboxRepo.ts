import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openBody } from "./SealedBody.ts"

/** A vendor's call that one owner has to process. */
export interface VendorWork {
  readonly webhook_id: string
  readonly vendor: string
  /** The body as received; null when another call with an equal name was stored instead. */
  readonly body: Uint8Array | null
  /** The epoch millisecond of receipt. */
  readonly received_at: number
  /** The number of failed tries to process it. */
  readonly attempts: number
}

/** The calls that one pass of an owner processes. */
export interface DueCalls {
  /** In the order of receipt. */
  readonly calls: ReadonlyArray<VendorWork>
  /** True when more calls may be due by now. */
  readonly hasMore: boolean
}

/** One owner's query for calls that are due. */
interface AskedCalls {
  readonly owner_type: string
  readonly owner_id: string
  /** The owner's time in epoch milliseconds. */
  readonly now: number
  readonly limit: number
}

/** Calls that one statement reads at most; an owner's next pass reads the rest. */
const mostCalls = 1024
/** Calls of each owner that a statement reads at least, however many owners ask. */
const fewestCalls = 4

/** Holds calls of vendors that wait for their owners. Passes of many owners at one time read in one statement. */
export class InboxRepo extends Context.Service<
  InboxRepo,
  {
    /** Returns the calls that are due for an owner: at most `limit`, and fewer while many owners read at once. */
    due(ownerType: string, ownerId: string, now: number, limit: number): Effect.Effect<DueCalls>
    /** Returns the next instant at which a call is due for an owner; undefined for never. */
    nextAt(ownerType: string, ownerId: string): Effect.Effect<number | undefined>
  }
>()("@carteiro/runtime/vendor-webhooks/InboxRepo") {
  static readonly layer = Layer.effect(
    InboxRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const open = (id: string, body: Uint8Array) => openBody(secrets, id, body)
      const due = yield* readTogether((asks: ReadonlyArray<AskedCalls>) => {
        const most = Math.max(fewestCalls, Math.floor(mostCalls / asks.length))
        const limits = asks.map(({ limit }) => Math.min(limit, most))
        const instants = asks.map(({ now }) => now)
        const rows = many(
          sql.unsafe<CallRow>(dueSql, [
            ...ownersOf(asks),
            arrayParameter("timestamptz", instants),
            arrayParameter("int4", limits)
          ])
        )
        return Effect.map(rows, (found) => callsOf(limits, found, open))
      })
      const nextAt = yield* readTogether((asks: ReadonlyArray<Pick<AskedCalls, "owner_type" | "owner_id">>) =>
        Effect.map(many(sql.unsafe<{ readonly at: number | null }>(nextSql, ownersOf(asks))), (rows) =>
          rows.map(({ at }) => at ?? undefined)
        )
      )
      return InboxRepo.of({
        due: (owner_type, owner_id, now, limit) => due({ owner_type, owner_id, now, limit }),
        nextAt: (owner_type, owner_id) => nextAt({ owner_type, owner_id })
      })
    })
  )
}

const ownersOf = (asks: ReadonlyArray<Pick<AskedCalls, "owner_type" | "owner_id">>) => [
  arrayParameter(
    "text",
    asks.map(({ owner_type }) => owner_type)
  ),
  arrayParameter(
    "text",
    asks.map(({ owner_id }) => owner_id)
  )
]

// One call may concern many owners: the body comes only with the first of them.
const dueSql = `with due as materialized (
    select k.ask::int4 as ask, t.webhook_id, t.attempts,
      row_number() over (partition by t.webhook_id order by k.ask) = 1 as is_first
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int4[]) with ordinality
      as k(owner_type, owner_id, at, most, ask)
    cross join lateral (select t.webhook_id, t.attempts from vendor_webhook_work t
      where t.owner_type = k.owner_type and t.owner_id = k.owner_id and t.due_at <= k.at
      order by t.due_at, t.webhook_id limit k.most) t
  )
  select d.ask, d.webhook_id, d.attempts, w.vendor, w.received_at, case when d.is_first then w.body end as body
  from due d left join lateral (select * from vendor_webhooks w where w.id = d.webhook_id limit 1) w on true
  order by d.ask, d.webhook_id`

const nextSql = `select (select min(t.due_at) from vendor_webhook_work t
    where t.owner_type = k.owner_type and t.owner_id = k.owner_id and t.due_at is not null) as at
  from unnest($1::text[], $2::text[]) with ordinality as k(owner_type, owner_id, ask) order by k.ask`

interface CallRow extends VendorWork {
  /** The number of the owner's query, from 1. */
  readonly ask: number
}

const callsOf = (
  limits: ReadonlyArray<number>,
  found: ReadonlyArray<CallRow>,
  open: (id: string, body: Uint8Array) => Uint8Array
): ReadonlyArray<DueCalls> => {
  const bodies = new Map<string, Uint8Array>()
  const calls = limits.map((): Array<VendorWork> => [])
  for (const { ask, attempts, body, received_at, vendor, webhook_id } of found) {
    if (body !== null) bodies.set(webhook_id, open(webhook_id, body))
    calls[ask - 1]?.push({ webhook_id, vendor, received_at, attempts, body: bodies.get(webhook_id) ?? null })
  }
  return calls.map((of, n) => ({ calls: of, hasMore: of.length === limits[n] }))
}

/** Returns the owners of a type that have calls due, for the sweeper. */
export const dueInboxes = (ownerType: string): DueOwners["due"] =>
  walkOwners(`select owner_id as owner, due_at from vendor_webhook_work
    where owner_type = '${ownerType}' and due_at is not null`)

/** The shortest time a call keeps its body, in milliseconds; the body shows customers' texts. */
const clearedAfterMs = 5 * 60_000
const clearedAtOnce = 500

/**
 * Empties the bodies of calls that no owner has to process any more, however late that work ended. Their names stay, so
 * that a repeated call is recognised. The index holds only bodies that still exist.
 */
export const inboxBodiesJob: Job = {
  name: "bodies of vendors' calls",
  everyMs: 300_000,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const upTo = instant((yield* Clock.currentTimeMillis) - clearedAfterMs)
    while (true) {
      const cleared = yield* many(sql`update vendor_webhooks set body = ''::bytea where id = any(array(
        select w.id from vendor_webhooks w where w.received_at <= ${upTo} and w.body <> ''::bytea and not exists (
          select 1 from vendor_webhook_work t where t.webhook_id = w.id and t.due_at is not null)
        order by w.received_at limit ${clearedAtOnce} for update skip locked)) returning 1`)
      if (cleared.length < clearedAtOnce) return
    }
  })
}

/** The time for which the names of calls are kept, in milliseconds. */
const keptMs = 7 * dayMs

/** Deletes old calls and their work: no owner retries for so long. */
export const inboxJob: Job = {
  name: "calls of vendors",
  everyMs: hourMs,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const upTo = (yield* Clock.currentTimeMillis) - keptMs
    yield* deleteUpTo("vendor_webhooks", "received_at", upTo)
    yield* many(sql`delete from vendor_webhook_work where webhook_id < ${lowestIdAt("vwh", upTo)}`)
  })
}
