import type { WebhookAttempt, WebhookEvent } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { type Html, html } from "./Html.ts"
import { badge, instant, table } from "./Parts.ts"

const tones = { delivered: "good", succeeded: "good", pending: "info", failed: "bad" } as const

/** Where a delivery or an attempt stands. */
export const statusBadge = (status: keyof typeof tones): Html => badge(status, tones[status])

/** Deliveries of an environment, each leading to its attempts. */
export const deliveryTable = (environmentId: string, rows: ReadonlyArray<WebhookEvent>): Html =>
  table(
    "Deliveries, newest first",
    ["Event", "Status", "Attempts", "Last answer", "Created"],
    rows.map((row) => [
      html`<a href="/dashboard/webhooks/${environmentId}/deliveries/${row.id}">${row.type}</a>`,
      statusBadge(row.status),
      row.attempts.length,
      outcome(row.attempts.findLast((attempt) => attempt.status !== "pending")),
      instant(row.created_at)
    ]),
    "Nothing was sent."
  )

/** What came back, in a few words. */
export const outcome = (attempt: WebhookAttempt | undefined): Html =>
  attempt === undefined
    ? html`<span class="muted">none yet</span>`
    : html`${attempt.status_code} ${attempt.failure_class} ${
        attempt.status_code === null && attempt.failure_class === null && attempt.error_message
      }`
