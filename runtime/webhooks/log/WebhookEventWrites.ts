import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { webhookAttemptsTable } from "../delivery/WebhookDeliveryTables.ts"

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
export const hastenWrite = updateOf(webhookAttemptsTable, {
  name: "webhook_attempts.hasten",
  beside: { endpoint_id: "text", at: "timestamptz" },
  values: { due_at: "r.at" },
  where: "t.status = 'pending' and t.due_at > r.at",
  target: (row) => [`webhook_attempts/${row.webhook_event_id}`, `webhook_endpoints/${row.endpoint_id}`]
})
