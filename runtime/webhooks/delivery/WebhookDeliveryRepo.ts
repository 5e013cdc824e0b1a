import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DueAttempt } from "./DeliveryQueue.ts"
import { type Attempt, type Stop, stopMessage } from "./DeliveryState.ts"
import { webhookAttemptsTable, webhookEventsTable } from "./WebhookDeliveryTables.ts"

/** The log row of an attempt. */
export interface AttemptPlace {
  readonly environment_id: string
  readonly endpoint_id: string
  readonly webhook_event_id: string
}

/** A log row that is made outside of fan-out. */
export interface NewWebhookEvent {
  readonly environment_id: string
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: string
  readonly source_type: string
  readonly source_id: string
  readonly trace_id: string
  readonly created_at: number
  /** The envelope of an event that is not in the outbox. */
  readonly payload: string
}

/** The most waiting attempts that one statement ends; the owner ends the others in passes. */
export const cancelledAtOnce = 1000

/** The name under which a commit's outcome lists cancelled attempts. */
export const cancelledAttempts = "webhook_attempts.cancel"

/** Reads and writes of deliveries; the rows belong to commits of the owner. */
export class WebhookDeliveryRepo extends Context.Service<
  WebhookDeliveryRepo,
  {
    /**
     * Returns the head of one endpoint's queue with its content, at most that many attempts and bytes of envelopes (the
     * first one whatever its size), and when the next later attempt becomes due. One statement.
     */
    due(
      endpointId: string,
      now: number,
      count: number,
      bytes: number
    ): Effect.Effect<{ readonly attempts: ReadonlyArray<DueAttempt>; readonly next: number | undefined }>
    event(event: NewWebhookEvent): Row
    attempt(attempted: AttemptPlace, attempt: Attempt): Row
    /** Returns the row of an attempt's end; an attempt that has already ended does not change. */
    ended(attempted: AttemptPlace, attempt: Attempt, at: number): Row
    /**
     * Ends waiting attempts of a stopped endpoint except those in `keep`.
     */
    cancel(endpointId: string, stop: Stop, keep: ReadonlyArray<string>, at: number): Row
  }
>()("@carteiro/runtime/webhooks/delivery/WebhookDeliveryRepo") {
  static readonly layer = Layer.effect(
    WebhookDeliveryRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WebhookDeliveryRepo.of({
        due: (endpointId, now, count, bytes) =>
          Effect.map(many(sql.unsafe<DueRow>(dueSql, [endpointId, instant(now), count, bytes])), (rows) => ({
            next: rows.at(0)?.next_due ?? undefined,
            attempts: rows.filter(isAttempt)
          })),
        event: (event) => eventWrite.row({ ...event }),
        attempt: (place, attempt) =>
          attemptWrite.row({
            ...place,
            id: attempt.id,
            attempt: attempt.attempt,
            status: attempt.status,
            explicit: attempt.explicit,
            due_at: attempt.due_at,
            error_message: attempt.error_message,
            created_at: attempt.created_at
          }),
        ended: (place, attempt, at) =>
          endedWrite.row({
            environment_id: place.environment_id,
            webhook_event_id: place.webhook_event_id,
            attempt: attempt.attempt,
            status: attempt.status,
            status_code: attempt.status_code,
            failure_class: attempt.failure_class,
            response_body_redacted: attempt.response_body_redacted,
            error_message: attempt.error_message,
            next_retry_at: attempt.next_retry_at,
            attempted_at: attempt.attempted_at,
            duration_ms: attempt.duration_ms,
            completed_at: at
          }),
        cancel: (endpointId, stop, keep, at) =>
          cancelWrite.row({
            endpoint_id: endpointId,
            error_message: stopMessage(stop),
            spare_probes: stop === "breaker",
            keep: keep.join(","),
            at
          })
      })
    )
  )
}

/** One row per attempt; without any attempt there is one row, which has the next due time. */
type DueRow = (DueAttempt | { readonly [K in keyof DueAttempt]: null }) & { readonly next_due: number | null }

const isAttempt = (row: DueRow): row is DueRow & DueAttempt => row.id !== null

const dueSql = `select n.next_due, d.* from (
    select (select min(a.due_at) from webhook_attempts a
      where a.endpoint_id = $1 and a.status = 'pending' and a.due_at > $2) as next_due
  ) n
  left join lateral (
    select * from (
      select e.*, sum(e.bytes) over (order by e.due_at, e.id) - e.bytes as before from (
        select a.id, a.environment_id, a.webhook_event_id, a.attempt, a.explicit, a.due_at, a.created_at, w.event_id,
          w.type, w.trace_id, p.envelope, coalesce(octet_length(p.envelope), 0) as bytes
        from (select * from webhook_attempts a where a.endpoint_id = $1 and a.status = 'pending' and a.due_at <= $2
          order by a.due_at limit $3) a
        join webhook_events w on w.environment_id = a.environment_id and w.id = a.webhook_event_id
        left join outbox_events o on o.environment_id = w.environment_id and o.id = w.event_id
        cross join lateral (
          select case when w.payload_cleared then null else coalesce(w.payload, o.envelope) end as envelope) p
      ) e
    ) f
    where f.before < $4
    order by f.due_at, f.id
  ) d on true`

const eventWrite = insertInto(webhookEventsTable, {
  columns: [
    "environment_id",
    "id",
    "endpoint_id",
    "event_id",
    "type",
    "source_type",
    "source_id",
    "trace_id",
    "created_at",
    "payload"
  ],
  conflict: { on: ["environment_id", "id"] }
})

const attemptWrite = insertInto(webhookAttemptsTable, {
  columns: [
    "environment_id",
    "webhook_event_id",
    "attempt",
    "id",
    "endpoint_id",
    "status",
    "explicit",
    "due_at",
    "error_message",
    "created_at"
  ],
  conflict: { on: ["environment_id", "webhook_event_id", "attempt"] }
})

const endedWrite = updateOf(webhookAttemptsTable, {
  name: "webhook_attempts.end",
  set: [
    "status",
    "status_code",
    "failure_class",
    "response_body_redacted",
    "error_message",
    "next_retry_at",
    "attempted_at",
    "duration_ms",
    "completed_at"
  ],
  // Reports count outcomes by the transaction that stored them (decision 0068).
  values: { ended_in: "activity_number()" },
  where: "t.status = 'pending'",
  target: rowOf("webhook_attempts", "webhook_event_id")
})

const cancelWrite = defineWrite({
  name: cancelledAttempts,
  columns: {
    endpoint_id: "text",
    error_message: "text",
    spare_probes: "bool",
    keep: "text",
    at: "timestamptz"
  },
  returns: true,
  // Every write that ends or hastens an attempt names its endpoint as the target.
  target: (row) => `webhook_endpoints/${row.endpoint_id}`,
  sql: (
    source
  ) => `update webhook_attempts a set status = 'failed', error_message = w.error_message, completed_at = w.at
    from (select r.error_message, r.at, p.* from ${source} r cross join lateral (
      select p.environment_id, p.webhook_event_id, p.attempt from webhook_attempts p
      join webhook_events v on v.environment_id = p.environment_id and v.id = p.webhook_event_id
      where p.endpoint_id = r.endpoint_id and p.status = 'pending' and p.id <> all(string_to_array(r.keep, ','))
        and not (v.type = 'webhook.test' and (r.spare_probes or p.explicit))
      order by p.due_at limit ${cancelledAtOnce}) p) w
    where a.environment_id = w.environment_id and a.webhook_event_id = w.webhook_event_id and a.attempt = w.attempt
    returning a.id as key`
})
