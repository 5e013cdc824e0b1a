import { lowestIdAt, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { keptDays } from "../../tenancy/KeptDays.ts"
import { outboxKeptMs } from "../delivery/WebhookRetentionRepo.ts"
import type { Span } from "./RecoverySpan.ts"
import { recoveryColumns, webhookRecoveriesTable } from "./WebhookRecoveryTables.ts"

/** One recovery of an endpoint; instants are epoch milliseconds. */
export type Recovery = SelectedRow<typeof recoveryColumns>

/** A recovery as the dashboard shows it. */
export interface ShownRecovery extends Recovery {
  /** The deliveries of its endpoint that wait for their first attempt, or for a requested one; up to `fullQueue`. */
  readonly waiting: number
}

/** A running recovery with the facts that decide its next step. */
export interface RunningRecovery extends Recovery {
  readonly is_active: boolean
  /** When its next step is due. */
  readonly due_at: number
  /** True when people disabled the endpoint after it began. */
  readonly is_overruled: boolean
  /** The status of its test; null when it has none. */
  readonly probe_status: "pending" | "succeeded" | "failed" | null
  /** The attempts that wait at the endpoint, counted up to `fullQueue`. */
  readonly waiting: number
}

/** An event that never reached the endpoint. */
export interface MissedEvent {
  readonly event_id: string
  readonly type: string
  readonly source_type: string
  readonly source_id: string
  /** The id of its delivery, made or not. */
  readonly id: string
  /** Null while it has no delivery. */
  readonly resends: number | null
  readonly last_attempt: number | null
}

/** The number of missed events in a span. */
export interface MissedCounts {
  readonly never_sent: number
  readonly failed: number
  /** The instant of the first one; undefined when none was missed. Epoch milliseconds. */
  readonly first_at: number | undefined
  /** Events up to this instant were counted; epoch milliseconds. */
  readonly counted_to: number
}

/** The number of waiting attempts at which a recovery pauses, so that new events do not queue behind a long outage. */
export const fullQueue = 1000
/** The most outbox events that a request reads to count, and that one step reads. */
const countedAtOnce = 20_000
const walkedAtOnce = 500

/** The names under which a commit lists endpoints with a new recovery, and those that a step gave attempts. */
export const startedRecoveries = "webhook_recoveries.insert"
export const steppedRecoveries = "webhook_recoveries.step"

/** Reads and writes recoveries of endpoints, and reads the events that an endpoint missed. */
export class WebhookRecoveryRepo extends Context.Service<
  WebhookRecoveryRepo,
  {
    /** Returns the instant before which the events of an environment are no longer kept. */
    oldestKept(environmentId: string, now: number): Effect.Effect<number>
    /** Counts the missed events of a span; reads a bounded number of events. */
    count(environmentId: string, endpointId: string, span: Span): Effect.Effect<MissedCounts>
    /** Returns the instant of the oldest event since then whose delivery to the endpoint finally failed. */
    oldestFailed(environmentId: string, endpointId: string, since: number): Effect.Effect<number | undefined>
    /** Returns the running recovery of an endpoint that is due first. */
    running(endpointId: string, now: number): Effect.Effect<RunningRecovery | undefined>
    /** Returns the missed events among the next ones; `cursor` is the last event read, undefined at the end. */
    missed(
      recovery: Recovery
    ): Effect.Effect<{ readonly events: ReadonlyArray<MissedEvent>; readonly cursor: string | undefined }>
    /** Returns the last recovery of an endpoint. */
    latest(environmentId: string, endpointId: string): Effect.Effect<ShownRecovery | undefined>
    insert(recovery: Recovery): Row
    /** Returns the row of a missed event's delivery with its first attempt, unless it exists or the event is gone. */
    deliver(recovery: Recovery, event: MissedEvent, at: number): Row
    /** Returns the row that continues a recovery after its test succeeded; the events until then belong to its span. */
    probed(recovery: Recovery, span: Pick<Recovery, "end_id" | "to_at" | "missed"> & { readonly due_at: number }): Row
    /** Returns the row that records a step, unless another step did. */
    step(
      recovery: Recovery,
      next: Pick<Recovery, "cursor_id" | "status" | "made" | "held" | "stop_reason">,
      at: number
    ): Row
  }
>()("@carteiro/runtime/webhooks/recovery/WebhookRecoveryRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WebhookRecoveryRepo.of({
        oldestKept: (environmentId, now) =>
          Effect.map(
            Effect.provideService(keptDays, SqlClient.SqlClient, sql),
            (daysOf) => now - Math.min(outboxKeptMs, daysOf(environmentId).payload_retention_days * dayMs)
          ),
        count: Effect.fnUntraced(function* (environmentId, endpointId, { from, to }) {
          const parameters = [environmentId, endpointId, lowestIdAt("evt", from), lowestIdAt("evt", to + 1)]
          const row = yield* one(sql.unsafe<Counted>(countSql, [...parameters, countedAtOnce]))
          const { failed = 0, first_id = null, looked = 0, never_sent = 0, walked = null } = row ?? {}
          const counted_to = walked === null || looked < countedAtOnce ? to : ulidTimeOf(walked)
          return { never_sent, failed, counted_to, first_at: first_id === null ? undefined : ulidTimeOf(first_id) }
        }),
        oldestFailed: (environmentId, endpointId, since) =>
          Effect.map(
            one(sql.unsafe<FoundId>(oldestFailedSql, [environmentId, endpointId, lowestIdAt("whe", since)])),
            (row) => row && ulidTimeOf(row.id)
          ),
        running: (endpointId, now) => one(sql.unsafe<RunningRecovery>(runningSql, [endpointId, instant(now)])),
        missed: ({ cursor_id, end_id, endpoint_id, environment_id }) =>
          Effect.map(
            many(sql.unsafe<Walked>(walkSql, [environment_id, endpoint_id, cursor_id, end_id, walkedAtOnce])),
            (rows) => {
              const first = rows.at(0)
              const isEnd = first === undefined || first.walked === null || first.looked < walkedAtOnce
              return { events: rows.filter(isMissed), cursor: isEnd ? undefined : (first.walked ?? undefined) }
            }
          ),
        latest: (environmentId, endpointId) =>
          one(
            sql<ShownRecovery>`select ${sql.literal(columns)}, (select count(*)::int4 from (
                select 1 from webhook_attempts a where a.endpoint_id = r.endpoint_id and a.status = 'pending'
                  and (a.attempt = 1 or a.explicit) limit ${sql.literal(String(fullQueue))}) w) as waiting
              from webhook_recoveries r where r.endpoint_id = ${endpointId} and r.environment_id = ${environmentId} order by r.id desc limit 1`
          ),
        insert: ({ stop_reason: _, ...recovery }) => insertWrite.row({ ...recovery, due_at: recovery.created_at }),
        deliver: ({ endpoint_id, environment_id }, { event_id, id }, at) =>
          deliverWrite.row({ environment_id, endpoint_id, event_id, webhook_event_id: id, at }),
        probed: ({ environment_id, id }, span) => probedWrite.row({ environment_id, id, ...span, awaits_probe: false }),
        step: ({ cursor_id: was, environment_id, id }, next, at) =>
          stepWrite.row({ environment_id, id, ...next, was, ended_at: next.status === "running" ? null : at })
      })
    )
  )
}

const columns = recoveryColumns.of("r")

interface Walk {
  readonly walked: string | null
  readonly looked: number
}
interface FoundId {
  readonly id: string
}
type Counted = Walk & Pick<MissedCounts, "never_sent" | "failed"> & { readonly first_id: string | null }
/** One row per event; without any event there is one row, which has the position of the walk. */
type Walked = Walk & (MissedEvent | { readonly [K in keyof MissedEvent]: null })

const isMissed = (row: Walked): row is Walk & MissedEvent => row.event_id !== null

const runningSql = `select ${columns}, coalesce(e.status = 'active', false) as is_active, q.waiting,
    r.due_at, p.status as probe_status,
    coalesce(e.disabled_reason = 'manual' and e.stopped_at > r.created_at, false) as is_overruled
  from webhook_recoveries r
  left join webhook_endpoints e on e.environment_id = r.environment_id and e.id = r.endpoint_id
  left join webhook_attempts p on p.environment_id = r.environment_id and p.webhook_event_id = r.probe_id and p.attempt = 1
  cross join lateral (select count(*)::int4 as waiting from (select 1 from webhook_attempts a
    where a.endpoint_id = $1 and a.status = 'pending' and a.due_at <= $2 limit ${fullQueue}) w) q
  where r.endpoint_id = $1 and r.status = 'running' order by r.due_at, r.id limit 1`

/** $1 environment, $2 endpoint, $3 and $4 the ids between which events are read, $5 how many. */
const slice = `with walk as materialized (
    select o.environment_id, o.id, o.type, o.source_type, o.source_id from outbox_events o
    where o.environment_id = $1 and o.id > $3 and o.id < $4 order by o.id limit $5
  ), missed as (
    select o.id as event_id, o.type, o.source_type, o.source_id, d.id, w.resends, a.last_attempt
    from walk o
    join webhook_endpoints e on e.environment_id = $1 and e.id = $2 and o.type = any(e.subscribed_events)
    cross join lateral (select 'whe_' || substr(o.id, 5, 10) || substr(md5(o.id || e.id), 1, 16) as id) d
    left join webhook_events w on w.environment_id = $1 and w.id = d.id
    left join lateral (select max(t.attempt) as last_attempt, bool_and(t.status = 'failed') as is_failed
      from webhook_attempts t where t.environment_id = $1 and t.webhook_event_id = w.id) a on w.id is not null
    where w.id is null or (a.is_failed and not w.payload_cleared)
  ), looked as (select max(id) as walked, count(*)::int4 as looked from walk)`

const walkSql = `${slice} select l.walked, l.looked, m.* from looked l left join missed m on true order by m.event_id`

const countSql = `${slice} select l.walked, l.looked, m.never_sent, m.failed, m.first_id from looked l cross join (
    select min(event_id) as first_id, count(*) filter (where resends is null)::int4 as never_sent,
      count(*) filter (where resends is not null)::int4 as failed from missed) m`

/** $1 environment, $2 endpoint, $3 the id from which deliveries are read. A test is not an event that can be missed. */
const oldestFailedSql = `select a.webhook_event_id as id from webhook_attempts a
  join webhook_events w on w.environment_id = a.environment_id and w.id = a.webhook_event_id
  where a.environment_id = $1 and a.status = 'failed' and a.next_retry_at is null and a.webhook_event_id >= $3
    and a.endpoint_id = $2 and w.type <> '${webhookTestEvent}' and not w.payload_cleared
    and not exists (select 1 from webhook_attempts s
      where s.environment_id = $1 and s.webhook_event_id = w.id and s.status <> 'failed')
  order by a.webhook_event_id limit 1`

const insertWrite = insertInto(webhookRecoveriesTable, {
  columns: [
    "environment_id",
    "id",
    "endpoint_id",
    "status",
    "cursor_id",
    "end_id",
    "from_at",
    "to_at",
    "missed",
    "made",
    "held",
    "probe_id",
    "awaits_probe",
    "due_at",
    "created_at"
  ],
  conflict: { on: ["environment_id", "id"] },
  returning: "endpoint_id"
})

// The lock keeps the sweep of the outbox from deleting an event whose envelope the new delivery needs.
const deliverWrite = defineWrite({
  name: "webhook_events.recover",
  columns: {
    environment_id: "text",
    endpoint_id: "text",
    event_id: "text",
    webhook_event_id: "text",
    at: "timestamptz"
  },
  before: [
    {
      name: "webhook_events_recovered",
      sql: (source) => `insert into webhook_events
        (environment_id, id, endpoint_id, event_id, type, source_type, source_id, subject, trace_id, created_at)
      select o.environment_id, r.webhook_event_id, r.endpoint_id, o.id, o.type, o.source_type, o.source_id, o.subject,
        o.trace_id, o.created_at
      from outbox_events o join ${source} r on r.environment_id = o.environment_id and r.event_id = o.id
      order by o.environment_id, o.id for key share of o
      on conflict (environment_id, id) do nothing returning environment_id, id`
    }
  ],
  sql: (source) => `insert into webhook_attempts
      (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
    select r.environment_id, r.webhook_event_id, 1, 'att_' || substr(r.webhook_event_id, 5), r.endpoint_id, 'pending',
      false, r.at, r.at
    from webhook_events_recovered d
    join ${source} r on r.environment_id = d.environment_id and r.webhook_event_id = d.id
    on conflict (environment_id, webhook_event_id, attempt) do nothing`
})

const probedWrite = updateOf(webhookRecoveriesTable, {
  name: "webhook_recoveries.probed",
  set: ["awaits_probe", "end_id", "to_at", "missed", "due_at"],
  guard: "t.awaits_probe and t.status = 'running'",
  target: rowOf("webhook_recoveries", "id")
})

const stepWrite = updateOf(webhookRecoveriesTable, {
  name: steppedRecoveries,
  set: ["cursor_id", "status", "made", "held", "stop_reason", "ended_at"],
  values: { made: "t.made + r.made", held: "t.held + r.held" },
  beside: { was: "text" },
  guard: "t.cursor_id = r.was and t.status = 'running'",
  returning: "t.endpoint_id",
  target: rowOf("webhook_recoveries", "id")
})
