import { Ids } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { pendingAttempt } from "../delivery/DeliveryState.ts"
import { WebhookDeliveryRepo } from "../delivery/WebhookDeliveryRepo.ts"
import {
  fullQueue,
  type MissedEvent,
  type RunningRecovery,
  WebhookRecoveryRepo
} from "../recovery/WebhookRecoveryRepo.ts"
import { SuspendedContent, WebhookEventRepo } from "./WebhookEventRepo.ts"

/**
 * Makes the deliveries that one endpoint, whose id is the worker's, missed. The endpoint's own owner sends them, as it
 * sends all others.
 */
export const WebhookRecoveryEntity = defineWorker("WebhookRecovery")

/** How long a recovery waits for room in the endpoint's queue, in milliseconds. */
const pauseMs = 1000

/** Hosts the workers. A step's deliveries and the place it reached are one commit: a killed step leaves neither. */
export const webhookRecoveryOwners = WebhookRecoveryEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* WebhookRecoveryRepo
    const events = yield* WebhookEventRepo
    const deliveries = yield* WebhookDeliveryRepo
    const suspendedContent = yield* SuspendedContent
    const ids = yield* Ids

    /** Another attempt of a delivery that failed; a resend at the same time takes the number, and the step is made again. */
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
        held: missed.length - chosen.length
      }
      const rows = chosen.flatMap((event) =>
        event.resends === null ? [repo.deliver(recovery, event, at)] : again(recovery, event, at)
      )
      yield* owner.commit([{ rows: [...rows, repo.step(recovery, next, at)] }])
    })

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const recovery = yield* repo.running(owner.id, owner.now())
        if (recovery === undefined) return undefined
        if (!recovery.is_active) {
          const { cursor_id } = recovery
          const stopped = repo.step(recovery, { cursor_id, status: "stopped", made: 0, held: 0 }, owner.now())
          yield* owner.commit([{ rows: [stopped] }])
        } else if (recovery.waiting < fullQueue) yield* step(recovery, owner)
        else return owner.now() + pauseMs
        return owner.now()
      })
    )
  })
)
