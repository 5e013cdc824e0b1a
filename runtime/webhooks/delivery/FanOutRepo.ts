import type { Follower } from "@carteiro/owners/Commit.ts"
import { outboxInsert } from "../../outbox/Outbox.ts"

/** The name under which a commit's outcome lists the endpoints with new deliveries. */
export const wokenEndpoints = "webhooks.woken"

/**
 * Follows every insert of an event, in the same statement: it inserts one row of the log and its first attempt for each
 * active endpoint of the environment that subscribes to the type. Ids derive from the event's and the endpoint's, so
 * that a repeated statement makes the same rows.
 */
const fanOut: ReadonlyArray<Follower> = [
  {
    name: "webhooks.fan_out",
    returns: false,
    // The ULID's time is the event's; hexadecimal digits are ULID characters.
    sql: (source) => `insert into webhook_events
      (environment_id, id, endpoint_id, event_id, type, source_type, source_id, subject, trace_id, created_at)
    select r.environment_id, 'whe_' || substr(r.id, 5, 10) || substr(md5(r.id || e.id), 1, 16), e.id, r.id, r.type,
      r.source_type, r.source_id, r.subject, r.trace_id, r.created_at
    from ${source} r
    join webhook_endpoints e on e.environment_id = r.environment_id and e.status = 'active'
      and r.type = any(e.subscribed_events)
    on conflict (environment_id, id) do nothing
    returning environment_id, id, endpoint_id, created_at`
  },
  {
    name: "webhooks.first_attempts",
    returns: false,
    sql: () => `insert into webhook_attempts
      (environment_id, webhook_event_id, attempt, id, endpoint_id, status, explicit, due_at, created_at)
    select f.environment_id, f.id, 1, 'att_' || substr(f.id, 5), f.endpoint_id, 'pending', false, f.created_at,
      f.created_at
    from webhooks_fan_out f
    on conflict (environment_id, webhook_event_id, attempt) do nothing`
  },
  {
    name: wokenEndpoints,
    returns: true,
    sql: () => "select distinct endpoint_id as key from webhooks_fan_out"
  }
]

/** The statements that follow writes of the outbox, see `CommitFollowers`. */
export const followers: Readonly<Record<string, ReadonlyArray<Follower>>> = { [outboxInsert.name]: fanOut }
