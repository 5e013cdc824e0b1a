import type { Follower } from "@carteiro/owners/Commit.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

const unsent = "('queued', 'sending')"
const delivered = "('delivered', 'read')"
const guarded = "('recipient_duplicate_message', 'recipient_frequency_capped')"

const count = (condition: string): string => `(count(*) filter (where ${condition}))::int4`

/**
 * Writes the changes that a commit of messages makes in the counts of their batches: one row for each batch it touches, appended behind the
 * change itself, so that ten thousand messages never wait for one row. M-BAT-10, M-BAT-23
 */
export const progressFollower: Follower = {
  name: "batch_progress.append",
  returns: false,
  sql: (source) => `insert into batch_progress
      (environment_id, batch_id, sent, delivered, read, failed, skipped, cancelled, gone)
    select r.environment_id, r.batch_id,
      ${count(`r.from_status in ${unsent} and (r.status in ('sent', 'delivered', 'read')
        or r.status = 'failed' and r.provider_message_id is not null)`)},
      ${count(`r.from_status not in ${delivered} and r.status in ${delivered}`)},
      ${count("r.from_status <> 'read' and r.status = 'read'")},
      ${count("r.from_status <> 'failed' and r.status = 'failed'")},
      ${count(`r.from_status <> 'failed' and r.status = 'failed' and r.error_code in ${guarded}`)},
      ${count("r.from_status <> 'cancelled' and r.status = 'cancelled'")},
      ${count(`r.from_status in ${unsent} and r.status not in ${unsent}`)}
    from ${source} r
    where r.batch_id is not null and r.from_status <> r.status
    group by r.environment_id, r.batch_id`
}

/**
 * Counts the messages of a batch anew and forgets what was appended, so that a message that moved without an entry is counted, too.
 * A change that is written meanwhile is in neither and stays appended.
 */
export const recountProgress = defineWrite({
  name: "batches.recount",
  columns: { environment_id: "text", id: "text" },
  target: ({ id }) => [`batches/${id}`],
  before: [
    {
      name: "batch_progress_counted",
      sql: (source) => `delete from batch_progress p using ${source} r
        where p.batch_id = r.id and p.environment_id = r.environment_id`
    }
  ],
  sql: (source) => `update batches t set sent_count = m.sent, delivered_count = m.delivered, read_count = m.read,
      failed_count = m.failed, skipped_count = m.skipped, cancelled_count = m.cancelled, left_count = m.gone
    from ${source} r cross join lateral (
      select ${count("k.status in ('sent', 'delivered', 'read') or k.status = 'failed' and k.provider_message_id is not null")}
          as sent,
        ${count(`k.status in ${delivered}`)} as delivered, ${count("k.status = 'read'")} as read,
        ${count("k.status = 'failed'")} as failed,
        ${count(`k.status = 'failed' and k.error_code in ${guarded}`)} as skipped,
        ${count("k.status = 'cancelled'")} as cancelled, ${count(`k.status not in ${unsent}`)} as gone
      from messages k where k.batch_id = r.id and k.environment_id = r.environment_id) m
    where t.environment_id = r.environment_id and t.id = r.id and t.status = 'processing'`
})
