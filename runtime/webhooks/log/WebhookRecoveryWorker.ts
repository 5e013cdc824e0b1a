import { Ids, lowestIdAt } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { pendingAttempt } from "../delivery/DeliveryState.ts"
import { WebhookDeliveryRepo } from "../delivery/WebhookDeliveryRepo.ts"
import { WebhookEndpointEntity } from "../owner/WebhookEndpointEntity.ts"
import {
  fullQueue,
  type MissedEvent,
  type Recovery,
  type RunningRecovery,
  WebhookRecoveryRepo
} from "../recovery/WebhookRecoveryRepo.ts"
import { SuspendedContent, WebhookEventRepo } from "./WebhookEventRepo.ts"

/**
 * The worker that makes the missed deliveries of one endpoint, whose id it has. The endpoint's own owner sends them,
 * like all others.
 */
export const WebhookRecoveryWorker = defineWorker("WebhookRecovery")

/**
 * How long a recovery waits for room in the endpoint's queue, and after it enabled the endpoint for earlier commits to
 * become visible; in milliseconds.
 */
const pauseMs = 1000

/** How long a recovery waits between two reads of its test, in milliseconds. */
const probePauseMs = 250

/** Hosts the workers. A step's deliveries and its new position are one commit: an interrupted step leaves neither. */
export const webhookRecoveryOwners = WebhookRecoveryWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* WebhookRecoveryRepo
    const events = yield* WebhookEventRepo
    const deliveries = yield* WebhookDeliveryRepo
    const suspendedContent = yield* SuspendedContent
    const ids = yield* Ids
    const endpoints = yield* WebhookEndpointEntity.client

    /**
     * Returns the rows of another attempt of a failed delivery; when a concurrent resend takes the number, the step is
     * repeated.
     */
    const again = ({ endpoint_id, environment_id }: RunningRecovery, event: MissedEvent, at: number) => [
      events.resend({ environment_id, id: event.id, resends: event.resends ?? 0 }),
      deliveries.attempt(
        { environment_id, endpoint_id, webhook_event_id: event.id },
        pendingAttempt({
          id: ids.mint("att", at),
          attempt: (event.last_attempt ?? 0) + 1,
          explicit: true,
          due_at: at,
          created_at: at
        })
      )
    ]

    const step = Effect.fnUntraced(function* (recovery: RunningRecovery, owner: OwnerHandle) {
      const { cursor, events: missed } = yield* repo.missed(recovery)
      const suspended =
        missed.length === 0 ? new Set<string>() : yield* suspendedContent(recovery.environment_id, missed)
      const chosen = missed.filter(({ id }) => !suspended.has(id))
      const at = owner.now()
      const next = {
        cursor_id: cursor ?? recovery.end_id,
        status: cursor === undefined ? ("completed" as const) : ("running" as const),
        made: chosen.length,
        held: missed.length - chosen.length,
        stop_reason: null
      }
      const rows = chosen.flatMap((event) =>
        event.resends === null ? [repo.deliver(recovery, event, at)] : again(recovery, event, at)
      )
      yield* owner.commit([{ rows: [...rows, repo.step(recovery, next, at)] }])
    })

    const stop = (recovery: RunningRecovery, owner: OwnerHandle, stop_reason: Recovery["stop_reason"]) => {
      const { cursor_id } = recovery
      const stopped = repo.step(recovery, { cursor_id, status: "stopped", made: 0, held: 0, stop_reason }, owner.now())
      return owner.commit([{ rows: [stopped] }])
    }

    /** Enables the endpoint, and extends the span to now: a disabled endpoint missed events until then. */
    const enable = Effect.fnUntraced(function* (recovery: RunningRecovery, owner: OwnerHandle) {
      const { endpoint_id, environment_id, from_at, id } = recovery
      // The trace only appears in the response, which is not read here.
      yield* endpoints.Update(endpoint_id, { environment_id, trace_id: id, status: "active" })
      const to_at = owner.now()
      const { failed, never_sent } = yield* repo.count(environment_id, endpoint_id, { from: from_at, to: to_at })
      const span = { to_at, end_id: lowestIdAt("evt", to_at + 1), missed: never_sent + failed, due_at: to_at + pauseMs }
      yield* owner.commit([{ rows: [repo.probed(recovery, span)] }])
      return span.due_at
    })

    /** Returns when to read the test again, or continues by its result. */
    const probe = (recovery: RunningRecovery, owner: OwnerHandle) => {
      if (recovery.is_overruled) return Effect.as(stop(recovery, owner, "endpoint_disabled"), owner.now())
      if (recovery.probe_status === "pending") return Effect.succeed(owner.now() + probePauseMs)
      if (recovery.probe_status !== "succeeded") return Effect.as(stop(recovery, owner, "probe_failed"), owner.now())
      return Effect.catch(enable(recovery, owner), () =>
        Effect.as(stop(recovery, owner, "endpoint_disabled"), owner.now())
      )
    }

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const recovery = yield* repo.running(owner.id, owner.now())
        if (recovery === undefined) return undefined
        if (recovery.due_at > owner.now()) return recovery.due_at
        if (recovery.awaits_probe) return yield* probe(recovery, owner)
        if (!recovery.is_active) yield* stop(recovery, owner, "endpoint_disabled")
        else if (recovery.waiting < fullQueue) yield* step(recovery, owner)
        else return owner.now() + pauseMs
        return owner.now()
      })
    )
  })
)
