import type { OutwardWork } from "../restore/OutwardWork.ts"

/** E-mails to people of organizations. */
export const outwardMail: OutwardWork = {
  kind: "emails",
  table: "emails",
  scope: "organization_id",
  waits: "t.status = 'queued'",
  fail: "status = 'failed', due_at = null, ended_at = $2, error = 'Ended by an operator after a restore.'"
}
