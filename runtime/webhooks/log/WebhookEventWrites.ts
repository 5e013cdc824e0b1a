import { defineWrite } from "@carteiro/tables/Write.ts"

/** The name under which a commit's outcome lists the rows with a new attempt. */
export const resentEvents = "webhook_events.resend"

/** Takes the next attempt number of a row, if no other resend took it meanwhile. */
export const resendWrite = defineWrite({
  name: resentEvents,
  columns: { environment_id: "text", id: "text", resends: "int4" },
  target: (row) => `webhook_events/${row.id}`,
  guard: (source) => `with locked as materialized (
      select a.unit, w.id from ${source} a
      join webhook_events w on w.environment_id = a.environment_id and w.id = a.id and w.resends = a.resends
      order by w.environment_id, w.id for update of w
    )
    select a.unit from ${source} a left join locked l on l.unit = a.unit and l.id = a.id
    group by a.unit having bool_and(l.id is not null)`,
  returns: true,
  sql: (source) => `update webhook_events w set resends = w.resends + 1 from ${source} r
    where w.environment_id = r.environment_id and w.id = r.id returning w.id as key`
})

/** Makes a waiting attempt due. */
export const hastenWrite = defineWrite({
  name: "webhook_attempts.hasten",
  columns: {
    environment_id: "text",
    endpoint_id: "text",
    webhook_event_id: "text",
    attempt: "int4",
    at: "timestamptz"
  },
  target: (row) => [`webhook_attempts/${row.webhook_event_id}`, `webhook_endpoints/${row.endpoint_id}`],
  sql: (source) => `update webhook_attempts a set due_at = r.at from ${source} r
    where a.environment_id = r.environment_id and a.webhook_event_id = r.webhook_event_id and a.attempt = r.attempt
      and a.status = 'pending' and a.due_at > r.at`
})
