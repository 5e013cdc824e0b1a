import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"

/** How long sessions are kept after their end, in milliseconds, like the delivery log. */
const sessionsMs = 90 * dayMs

/**
 * Deletes sessions 90 days after their end, and expired rows of waiting listeners. Events are deleted with the outbox.
 */
export const listenJobs: ReadonlyArray<Job> = [
  {
    name: "webhooks.listen_sessions",
    everyMs: hourMs,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      deleteUpTo("webhook_listen_sessions", "expires_at", now - sessionsMs)
    )
  },
  {
    name: "webhooks.listen_waits",
    everyMs: hourMs,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("webhook_listen_waits", "until", now - hourMs))
  }
]
