import { patient } from "../rows/Runs.ts"
import { now, spanMs } from "../shell/Clock.ts"
import { usage } from "../shell/Failure.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"

export interface ResendOptions {
  readonly since: string
  readonly failed?: boolean
  readonly endpoint?: string
  readonly event?: string
  readonly dryRun?: boolean
}

/** Deliveries that one call takes. */
const pageSize = 100

/** Delivers again what was made since then; the newest first. */
export const resend = async (shell: Shell, options: ResendOptions): Promise<void> => {
  const span = spanMs(options.since)
  const since = span === undefined ? Date.parse(options.since) : now() - span
  if (Number.isNaN(since)) throw usage("--since takes a span such as 2h, or an instant")
  const client = await shell.client()
  const list = client.webhooks.events.list(
    {
      limit: pageSize,
      ...(options.failed === true ? { status: "failed" as const } : {}),
      ...(options.endpoint === undefined ? {} : { webhook_endpoint_id: options.endpoint }),
      ...(options.event === undefined ? {} : { event_type: options.event })
    },
    patient(shell)
  )
  const ids: Array<string> = []
  for await (const event of list) {
    if (Date.parse(event.created_at) < since) break
    ids.push(event.id)
  }
  const total = { found: ids.length, enqueued: 0, skipped: 0 }
  const bar = progress(shell)
  for (let from = 0; from < ids.length && options.dryRun !== true; from += pageSize) {
    const webhook_event_ids = ids.slice(from, from + pageSize)
    const { enqueued, skipped } = await client.webhooks.events.bulkResend({ webhook_event_ids }, patient(shell))
    total.enqueued += enqueued
    total.skipped += skipped
    bar.show(from + webhook_event_ids.length, ids.length, `${total.enqueued} will be delivered again`)
  }
  bar.end()
  const told = `${total.found} found, ${total.enqueued} will be delivered again, ${total.skipped} will not`
  shell.result(total, told)
}
