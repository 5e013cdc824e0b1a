import type { Follower } from "@carteiro/owners/Commit.ts"
import { pageBytes } from "@carteiro/tables/PageSql.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ListenRow, StreamAsk, StreamPage } from "./ListenPage.ts"
import { webhookListenWaitsTable } from "./ListenTables.ts"

/** The window of all pages of one statement; instants are epoch milliseconds. */
export interface StreamWindow {
  /** Rows below this id are never numbered: no listener may see them. */
  readonly numberFrom: string
  /** Rows below this id are past retention: reading starts after the last of them. */
  readonly hiddenBelow: string | null
  /** Reading starts at this session's first position. */
  readonly session_id: string | null
  /** Rows created before it, or at `until` or later, or after the end of the session's key, are skipped. */
  readonly since: number
  readonly until: number | null
}

/** The lease under which rows may be numbered. */
export interface StreamLease {
  readonly shard: number
  readonly epoch: number
}

/** The result of one statement. */
export interface StreamRead {
  /** The pages in the order of the requests. */
  readonly pages: ReadonlyArray<StreamPage>
  /** `fenced`: the lease is lost. `behind`: another statement numbered rows that this one could not see; read again. */
  readonly verdict: "read" | "fenced" | "behind"
  /** True when more committed rows wait for a position. */
  readonly unnumbered: boolean
  /** When the session's key ends or ended, if known. */
  readonly key_ends_at: number | null
}

/** The stream of one environment: rows of `outbox_events` in the order of their positions. */
export class ListenRepo extends Context.Service<
  ListenRepo,
  {
    /**
     * Gives committed rows their positions, at most `atOnce` of them, and reads pages, in one statement. Without rows
     * to number it writes nothing and takes no lock.
     */
    read(
      environmentId: string,
      lease: StreamLease,
      window: StreamWindow,
      asks: ReadonlyArray<StreamAsk>,
      atOnce?: number
    ): Effect.Effect<StreamRead>
    /** Returns one event, numbered or not. */
    findEvent(environmentId: string, id: string): Effect.Effect<Omit<ListenRow, "position"> | undefined>
    /** Returns the row that tells other nodes until when (epoch milliseconds) a listener waits. */
    waits(environmentId: string, until: number): Row
  }
>()("@carteiro/runtime/webhooks/listen/ListenRepo") {
  static readonly layer = Layer.effect(
    ListenRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ListenRepo.of({
        read: (environmentId, lease, window, asks, atOnce = numberedAtOnce) =>
          Effect.map(
            many(
              sql.unsafe<ReadRow>(readSql, [
                environmentId,
                lease.shard,
                lease.epoch,
                window.numberFrom,
                atOnce,
                instant(window.since),
                window.until === null ? null : instant(window.until),
                window.session_id,
                window.hiddenBelow,
                arrayParameter(
                  "int8",
                  asks.map((ask) => (ask.after === "tail" ? -1 : ask.after))
                ),
                arrayParameter(
                  "int4",
                  asks.map((ask) => ask.rows)
                ),
                arrayParameter(
                  "int4",
                  asks.map((ask) => (ask.types === undefined ? ask.rows : Math.max(ask.rows, scannedAtOnce)))
                ),
                arrayParameter(
                  "text",
                  asks.map((ask) => (ask.types === undefined ? null : JSON.stringify(ask.types)))
                )
              ])
            ),
            (rows) => toRead(rows, asks, atOnce)
          ),
        findEvent: (environmentId, id) =>
          one(sql<EventRow>`select id, type, created_at, trace_id, envelope from outbox_events
            where environment_id = ${environmentId} and id = ${id}`),
        waits: (environmentId, until) => waitsWrite.row({ environment_id: environmentId, until })
      })
    )
  )
}

/** The most rows that one statement numbers; a longer backlog takes several. */
const numberedAtOnce = 1000
/** The most rows that a filtered page reads before it returns a cursor. */
const scannedAtOnce = 500

/** Follows the outbox: it returns the environments with new events in which a listener waits, on any node. */
export const listenFollower: Follower = {
  name: "webhook_listen_waits.wake",
  returns: true,
  sql: (source) => `select distinct w.environment_id as key from ${source} r
    join webhook_listen_waits w on w.environment_id = r.environment_id and w.until > r.created_at`
}

const waitsWrite = insertInto(webhookListenWaitsTable, {
  name: "webhook_listen_waits.save",
  columns: ["environment_id", "until"],
  conflict: { on: ["environment_id"], update: ["until"] },
  target: rowOf("webhook_listen_waits", "environment_id")
})

// Envelopes differ in length: a page ends with the first row beyond its bytes, whose envelope is left out.
const bytesBefore = (rows: number) =>
  `coalesce(sum(octet_length(s.envelope)) over (partition by s.n order by s.position
      rows between unbounded preceding and ${rows} preceding), 0)`

// Rows are joined by position: by id, each would be searched in the whole backlog. `seen` is the counter in the
// statement's snapshot, `base` the counter once locked. When they differ, another node numbered rows in between which
// the page below cannot see, and the page must not be used.
const readSql = `with asked as materialized (
  select a.n, a.after, a.wanted, a.scan,
    case when a.types is not null then array(select json_array_elements_text(a.types::json)) end as types
  from unnest($10::int8[], $11::int4[], $12::int4[], $13::text[]) with ordinality as a(after, wanted, scan, types, n)
), pending as materialized (
  select p.place, row_number() over (order by p.id) as n from (
    select ctid as place, id from outbox_events where environment_id = $1::text and position is null and id >= $4::text
    order by id limit $5::int4
  ) p
), fence as materialized (
  select e.shard from shard_epochs e
  where e.shard = $2::int4 and e.epoch = $3::int8 and exists (select 1 from pending) for share of e
), counter as (
  insert into outbox_counters (environment_id, position)
  select $1::text, (select count(*) from pending) from fence
  on conflict (environment_id) do update set position = outbox_counters.position + excluded.position
  returning position - (select count(*) from pending) as base
), numbered as (
  update outbox_events o set position = c.base + p.n from pending p cross join counter c
  where o.ctid = p.place and o.position is null
  returning o.position, o.id, o.type, o.created_at, o.trace_id, o.envelope
), facts as materialized (
  select coalesce((select position from outbox_counters where environment_id = $1::text), 0) as seen,
    (select base from counter) as base,
    (select count(*) from pending)::int4 as pending,
    greatest(s.start_position, h.position, 0) as first,
    least(k.revoked_at, k.expires_at) as key_ends_at
  from (select 1) one
  left join webhook_listen_sessions s on s.environment_id = $1::text and s.id = $8::text
  left join api_keys k on k.environment_id = s.environment_id and k.id = s.api_key_id
  left join lateral (
    select position from outbox_events where environment_id = $1::text and id < $9::text and position is not null
    order by id desc limit 1
  ) h on true
), scanned as materialized (
  select a.n, s.* from asked a cross join facts f cross join lateral (
    select u.* from (
      (select o.position, o.id, o.type, o.created_at, o.trace_id, o.envelope from outbox_events o
        where o.environment_id = $1::text and o.position > greatest(a.after, f.first) order by o.position limit a.scan)
      union all
      (select m.* from numbered m where m.position > greatest(a.after, f.first))
    ) u order by u.position limit a.scan
  ) s where a.after >= 0
), totals as (
  select n, max(position) as upto, count(*)::int4 as scanned from scanned group by n
), shown as (
  select s.*, row_number() over (partition by s.n order by s.position) as k,
    ${bytesBefore(1)} as bytes, ${bytesBefore(2)} as passed
  from scanned s join asked a on a.n = s.n
  cross join facts f
  where s.created_at >= $6::timestamptz and ($7::timestamptz is null or s.created_at < $7::timestamptz)
    and (f.key_ends_at is null or s.created_at < f.key_ends_at)
    and (a.types is null or s.type = any(a.types)) and s.type <> 'webhook.test'
)
select a.n::int4 as n, f.seen, f.base, f.pending, f.first, f.key_ends_at, a.scan, t.upto, t.scanned,
  s.position, s.id, s.type, s.created_at, s.trace_id,
  case when s.bytes <= ${pageBytes} then s.envelope end as envelope
from asked a cross join facts f
left join totals t on t.n = a.n
left join shown s on s.n = a.n and s.k <= a.wanted and s.passed <= ${pageBytes}
order by a.n, s.position`

interface EventRow {
  readonly id: string
  readonly type: string
  readonly created_at: number
  readonly trace_id: string
  readonly envelope: string
}

type ReadRow = (
  | EventRow
  | (Omit<EventRow, "envelope"> & { readonly envelope: null })
  | { readonly [K in keyof EventRow]: null }
) & {
  readonly n: number
  readonly seen: number
  readonly base: number | null
  readonly pending: number
  readonly first: number
  readonly key_ends_at: number | null
  readonly scan: number
  readonly upto: number | null
  readonly scanned: number | null
  readonly position: number | null
}

const toRead = (rows: ReadonlyArray<ReadRow>, asks: ReadonlyArray<StreamAsk>, atOnce: number): StreamRead => {
  const [facts] = rows
  if (facts === undefined) return { pages: [], verdict: "read", unnumbered: false, key_ends_at: null }
  const verdict =
    facts.pending > 0 && facts.base === null
      ? "fenced"
      : facts.base !== null && facts.base !== facts.seen
        ? "behind"
        : "read"
  const unnumbered = facts.pending === atOnce
  const end = facts.seen + (facts.base === null ? 0 : facts.pending)
  const found = asks.map((): Array<ListenRow> => [])
  const isFull = asks.map(() => false)
  const heads: Array<ReadRow> = []
  for (const row of rows) {
    heads[row.n - 1] ??= row
    if (row.id === null || row.position === null) continue
    const { position, id, type, trace_id, envelope } = row
    if (envelope === null) isFull[row.n - 1] = true
    else found[row.n - 1]?.push({ position, id, type, created_at: row.created_at, trace_id, envelope })
  }
  const pages = asks.map((ask, i): StreamPage => {
    const head = heads[i] ?? facts
    if (ask.after === "tail") return { rows: [], readUpTo: end, stoppedEarly: false }
    const last = found[i]?.at(-1)
    if (isFull[i] === true && last !== undefined) {
      return { rows: found[i] ?? [], readUpTo: last.position, stoppedEarly: true }
    }
    return {
      rows: found[i] ?? [],
      readUpTo: Math.max(ask.after, head.first, head.upto ?? 0),
      stoppedEarly: unnumbered || head.scanned === head.scan
    }
  })
  return { pages, verdict, unnumbered, key_ends_at: facts.key_ends_at }
}
