import { randomUUID } from "node:crypto"
import { patient } from "../rows/Runs.ts"
import { now, spanMs } from "../shell/Clock.ts"
import { usage } from "../shell/Failure.ts"
import { progress } from "../shell/Progress.ts"
import type { Shell } from "../shell/Shell.ts"
import { counted } from "../shell/Table.ts"

export interface ResendOptions {
  readonly since: string
  readonly failed?: boolean
  readonly all?: boolean
  readonly endpoint?: string
  readonly event?: string
  readonly dryRun?: boolean
}

/** The most deliveries of one call. */
const pageSize = 100

/** Delivers events that endpoints missed since then, or resends the selected part of the log. */
export const resend = async (shell: Shell, options: ResendOptions): Promise<void> => {
  const span = spanMs(options.since)
  const since = span === undefined ? Date.parse(options.since) : now() - span
  if (Number.isNaN(since)) throw usage("--since takes a span such as 2h, or an instant")
  if (options.failed === true || options.all === true || options.event !== undefined) {
    return resendLogged(shell, options, since)
  }
  if (options.dryRun === true) throw usage("--dry-run counts with --failed, --all or --event")
  await recover(shell, since, options.endpoint)
}

/** Recovers endpoints; all active ones of the environment when none is named. */
const recover = async (shell: Shell, since: number, endpoint: string | undefined): Promise<void> => {
  const client = await shell.client()
  const chosen: Array<string> = []
  const disabled: Array<string> = []
  if (endpoint === undefined) {
    for await (const { id, status } of client.webhooks.endpoints.list({}, patient(shell))) {
      ;(status === "active" ? chosen : disabled).push(id)
    }
  } else chosen.push(endpoint)
  const total = { missed: 0, never_sent: 0, failed: 0, endpoints: chosen.length, disabled, older: false }
  for (const id of chosen) {
    const body = { from: new Date(since).toISOString() }
    const found = await client.webhooks.endpoints.recover(id, body, patient(shell, randomUUID()))
    total.missed += found.missed
    total.never_sent += found.never_sent
    total.failed += found.failed
    total.older = total.older || found.older !== null
  }
  const told = [
    total.missed === 0
      ? `${counted(total.endpoints, "active endpoint")} missed nothing`
      : `${total.missed} missed by ${counted(total.endpoints, "endpoint")} will be delivered: ${total.never_sent} never sent, ${total.failed} failed`
  ]
  if (total.older) told.push("events of the begin of that time are no longer kept")
  for (const id of disabled)
    told.push(
      `${id} is disabled: carteiro api patch webhook-endpoints/${id} status=active, then resend with --endpoint ${id}`
    )
  shell.result(total, told.join("\n"))
}

/** Resends the log's deliveries since then, newest first. */
const resendLogged = async (shell: Shell, options: ResendOptions, since: number): Promise<void> => {
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
