import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { WebhookEndpointNotFound } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import type { WebhookAttempt } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import {
  type WebhookGap,
  type WebhookOutage,
  WebhookOutagesApi,
  type WebhookRecoveryProgress
} from "@carteiro/schema/webhooks/WebhookOutage.ts"
import { Effect } from "effect"
import { WebhookEndpointRepo } from "../endpoint/WebhookEndpointRepo.ts"
import { WebhookEndpointCommands } from "../owner/WebhookEndpointCommands.ts"
import { type Gap, WebhookRecoveries } from "../recovery/WebhookRecoveries.ts"
import type { ShownRecovery } from "../recovery/WebhookRecoveryRepo.ts"
import { readWebhookEvent } from "./WebhookEventRead.ts"
import { type StoredWebhookEvent, WebhookEventRepo } from "./WebhookEventRepo.ts"

/** How long after its span a completed recovery whose deliveries wait still counts as going on, in milliseconds. */
const drainsMs = hourMs

/** Operations of people about outages of endpoints. Decision 0155 */
export const WebhookOutagesHttp = Routes.group(
  WebhookOutagesApi,
  Effect.gen(function* () {
    const commands = yield* WebhookEndpointCommands
    const recoveries = yield* WebhookRecoveries
    const endpoints = yield* WebhookEndpointRepo
    const deliveries = yield* WebhookEventRepo

    return Routes.handlers(WebhookOutagesApi, {
      get: Effect.fnUntraced(function* ({ caller, now, params, traceId }) {
        const { environment_id } = caller
        const id = params.webhook_endpoint_id
        const endpoint = parseId("we", id) ? yield* endpoints.find(environment_id, id) : undefined
        if (endpoint === undefined) return yield* new WebhookEndpointNotFound()
        const recovery = yield* recoveries.latest(environment_id, id)
        const is_recovering = goesOn(recovery, now)
        const gap = is_recovering ? undefined : yield* recoveries.gap(endpoint, now)
        const probeId = recovery?.probe_id ?? null
        const [probe] = probeId === null ? [] : yield* deliveries.select(environment_id, { ids: [probeId] }, 1)
        const outage: Omit<WebhookOutage, "trace_id"> = {
          object: "webhook_outage",
          webhook_endpoint_id: id,
          gap: gap === undefined ? null : readGap(gap, now),
          recovery: recovery === undefined ? null : readRecovery(recovery, probe && lastAttempt(probe)),
          is_recovering,
          as_of: formatTimestamp(now)
        }
        return reply({ traceId }, 200, outage)
      }),

      recover: Effect.fnUntraced(function* (request) {
        const id = request.params.webhook_endpoint_id
        yield* commands.recover(request, id)
        return reply(request, 202, { object: "webhook_outage_recovery", webhook_endpoint_id: id })
      })
    })
  })
)

/** Returns whether a recovery goes on, or its deliveries still wait to be sent. */
const goesOn = (recovery: ShownRecovery | undefined, now: number): boolean =>
  recovery !== undefined &&
  (recovery.status === "running" ||
    (recovery.status === "completed" && recovery.waiting > 0 && now - recovery.to_at < drainsMs))

const lastAttempt = (delivery: StoredWebhookEvent): WebhookAttempt | undefined =>
  readWebhookEvent({ ...delivery, envelope: null }).attempts.at(-1)

const readGap = ({ counted_to, failed, from, never_sent, older }: Gap, now: number): WebhookGap => ({
  from: formatTimestamp(from),
  never_sent,
  failed,
  counted_to: formatTimestamp(counted_to),
  has_more: counted_to < now,
  older: older === undefined ? null : { from: formatTimestamp(older.from), to: formatTimestamp(older.to) }
})

const readRecovery = (
  {
    awaits_probe,
    created_at,
    from_at,
    held,
    id,
    made,
    missed,
    probe_id,
    status,
    stop_reason,
    to_at,
    waiting
  }: ShownRecovery,
  probe: WebhookAttempt | undefined
): WebhookRecoveryProgress => ({
  id,
  status,
  from: formatTimestamp(from_at),
  to: formatTimestamp(to_at),
  missed,
  made,
  held,
  waiting,
  probe_id,
  probe: probe ?? null,
  awaits_probe,
  stop_reason,
  created_at: formatTimestamp(created_at)
})
