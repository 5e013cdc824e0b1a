import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Clock, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { environmentsKeepingLess, keptDays, keptDaysOf } from "../../tenancy/KeptDays.ts"

/**
 * How long rows are kept, in milliseconds; payloads for a shorter time when the environment's policy says so.
 */
const kept = { outboxMs: 7 * dayMs, payloadMs: 30 * dayMs, rowMs: 90 * dayMs } as const

/** How long the outbox keeps events, in milliseconds. */
export const outboxKeptMs = kept.outboxMs

const batch = 500

/** Handles a batch of one environment's rows; its payloads are kept for `days`. */
type OfOne = (
  sql: SqlClient.SqlClient,
  environmentId: string,
  now: number,
  days: number
) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/** Repeats a statement within one environment until it handles less than a batch. */
const takeAll = Effect.fnUntraced(function* (statement: OfOne, environmentId: string, now: number, days: number) {
  const sql = yield* SqlClient.SqlClient
  while ((yield* many(statement(sql, environmentId, now, days))).length >= batch) {}
})

const within =
  (statement: OfOne): NonNullable<Job["ofTenant"]> =>
  (environmentId, now) =>
    Effect.flatMap(keptDaysOf(environmentId), ({ payload_retention_days }) =>
      takeAll(statement, environmentId, now, payload_retention_days)
    )

/** Repeats a statement within each environment of a table: a row's age is in its id, so the primary key finds it. */
const perEnvironment = (
  table: "webhook_events" | "outbox_events",
  statement: OfOne
): Pick<Job, "run" | "ofTenant"> => ({
  ofTenant: within(statement),
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const daysOf = yield* keptDays
    let after = ""
    while (true) {
      const next = yield* one(sql<{ readonly environment_id: string }>`select environment_id
        from ${sql(table)} where environment_id > ${after} order by environment_id limit 1`)
      if (next === undefined) return
      after = next.environment_id
      yield* takeAll(statement, after, now, daysOf(after).payload_retention_days)
    }
  })
})

/**
 * Removes events from the outbox after 7 days; log rows that still show their payload get the envelope, so that every
 * envelope is stored once while it is new. The id of a log row begins with the instant of its event, so a batch of
 * events reads one slice of the log.
 */
const outboxJob: Job = {
  name: "webhooks.outbox",
  everyMs: hourMs,
  ...perEnvironment(
    "outbox_events",
    (sql, environmentId, now) => sql`with old as materialized (
        select id, envelope from outbox_events where environment_id = ${environmentId}
          and id < ${lowestIdAt("evt", now - kept.outboxMs)} order by id limit ${batch} for update skip locked
      ), showing as materialized (
        select id from webhook_events where environment_id = ${environmentId}
          and id >= (select 'whe_' || substr(min(id), 5, 10) from old)
          and id < (select 'whe_' || substr(max(id), 5, 10) || '~' from old)
          and event_id = any(array(select id from old)) and payload is null and not payload_cleared
      ), handed_on as (
        update webhook_events w set payload = (select o.envelope from old o where o.id = w.event_id)
        where w.environment_id = ${environmentId} and w.id = any(array(select id from showing))
      )
      delete from outbox_events where environment_id = ${environmentId} and id = any(array(select id from old))
      returning 1`
  )
}

const forgetEarly: OfOne = (sql, environmentId, now, days) =>
  sql`delete from outbox_events o where o.environment_id = ${environmentId} and o.id = any(array(
    select id from outbox_events where environment_id = ${environmentId} and id < ${lowestIdAt("evt", now - days * dayMs)}
    order by id limit ${batch} for update skip locked)) returning 1`

/**
 * Removes events as early as payloads when an environment keeps payloads for a shorter time than the outbox keeps
 * events, so that no reader gets their content.
 */
const shortJob: Job = {
  name: "webhooks.short_payloads",
  everyMs: hourMs,
  run: Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { environment_id, payload_retention_days } of yield* environmentsKeepingLess(kept.outboxMs / dayMs)) {
      yield* takeAll(forgetEarly, environment_id, now, payload_retention_days)
    }
  }),
  ofTenant: within(forgetEarly)
}

/** Clears payloads after 30 days, or earlier by the environment's policy; their rows stay. */
const payloadJob: Job = {
  name: "webhooks.payloads",
  everyMs: hourMs,
  ...perEnvironment(
    "webhook_events",
    (sql, environmentId, now, days) => sql`update webhook_events w set payload = null
      where w.environment_id = ${environmentId} and w.id = any(array(
        select id from webhook_events where environment_id = ${environmentId}
          and id < ${lowestIdAt("whe", now - Math.min(kept.payloadMs, days * dayMs))} and payload is not null
        order by id limit ${batch} for update skip locked)) returning 1`
  )
}

/** Deletes rows and attempts after 90 days. */
const rowJob: Job = {
  name: "webhooks.rows",
  everyMs: hourMs,
  ...perEnvironment(
    "webhook_events",
    (sql, environmentId, now) => sql`with old as materialized (
        select id from webhook_events where environment_id = ${environmentId}
          and id < ${lowestIdAt("whe", now - kept.rowMs)} order by id limit ${batch} for update skip locked
      ), attempts as (
        delete from webhook_attempts a using old where a.environment_id = ${environmentId}
          and a.webhook_event_id = old.id
      )
      delete from webhook_events w using old where w.environment_id = ${environmentId} and w.id = old.id returning 1`
  )
}

/** Deletes recoveries together with the rows that they made. */
const recoveryJob: Job = {
  name: "webhooks.recoveries",
  everyMs: hourMs,
  run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("webhook_recoveries", "ended_at", now - kept.rowMs))
}

/** The jobs that purge the outbox and the log. */
export const jobs: ReadonlyArray<Job> = [shortJob, outboxJob, payloadJob, rowJob, recoveryJob]

const pendingAttempts = "select endpoint_id as owner, due_at from webhook_attempts where status = 'pending'"

/** Returns endpoints with a due attempt, whose owners may not be in memory. */
export const dueEndpoints: Pick<DueOwners, "due" | "ofTenant"> = {
  due: walkOwners(pendingAttempts),
  ofTenant: ownersOfTenant("select id from webhook_endpoints where environment_id = $1", pendingAttempts)
}

const runningRecoveries = "select endpoint_id as owner, due_at from webhook_recoveries where status = 'running'"

/** Returns endpoints with a recovery under way. */
export const dueRecoveries: Pick<DueOwners, "due" | "ofTenant"> = {
  due: walkOwners(runningRecoveries),
  ofTenant: ownersOfTenant("select id from webhook_endpoints where environment_id = $1", runningRecoveries)
}
