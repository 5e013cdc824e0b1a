import type { ProviderError } from "@carteiro/schema/messages/Message.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import type { Trigger } from "../message/MessageState.ts"
import { remaining } from "../sandbox/SandboxScenario.ts"
import type { AttemptEnd } from "./Dispatch.ts"
import { andThen, type Course, dispatchRefusal, standing, triggerOf } from "./Dispatch.ts"
import { queueExpiresAt, recoverSend, staleSendMs } from "./SendRecovery.ts"

/** A due message and what happened to it in this pass. Instants are epoch milliseconds. */
export interface Moving {
  readonly message: DueMessage
  readonly course: Course
  /** When it is looked at next; null when nothing is left to do. */
  readonly due_at: number | null
  readonly sending_since: number | null
  readonly released_at: number | null
  readonly provider: string | null
  readonly provider_payload: string | null
}

/** Pause before an attempt that certainly did not leave is made again, in milliseconds. gaps-2 E "Retry policy" */
export const requeueMs = 1000

/** A message as it was found. */
export const found = (message: DueMessage): Moving => ({
  message,
  course: standing({
    status: message.status,
    status_reason: message.status_reason,
    provider_message_id: message.provider_message_id,
    error_code: message.error_code,
    error_message: message.error_message,
    provider_error: message.provider_error === null ? null : (JSON.parse(message.provider_error) as ProviderError),
    delivery_unconfirmed_at: message.delivery_unconfirmed_at?.getTime() ?? null
  }),
  due_at: null,
  sending_since: message.sending_since?.getTime() ?? null,
  released_at: message.released_at?.getTime() ?? null,
  provider: message.provider,
  provider_payload: message.provider_payload
})

/** A queued message whose turn has come: claimed, or failed for what no longer holds. gaps-2 B "Message state machine" */
export const takeTurn = (moving: Moving, number: NumberFacts, provider: string | undefined, now: number): Moving => {
  const { message } = moving
  const code =
    dispatchRefusal(
      {
        channel: message.channel,
        type: message.type,
        sender: number,
        optedOut: message.opted_out,
        latestInboundAt: message.latest_inbound_at?.getTime(),
        created_at: message.created_at.getTime(),
        released_at: moving.released_at
      },
      now
    ) ?? (provider === undefined ? "no_provider_connection" : undefined)
  if (code !== undefined) return moved(moving, { _tag: "Refuse", failure: { code } }, now)
  return {
    ...moved(moving, { _tag: "Claim" }, now),
    provider: provider ?? null,
    sending_since: now,
    due_at: now + staleSendMs
  }
}

/** The end of an attempt; `response` is the provider's raw answer, JSON text. */
export const attempted = (moving: Moving, end: AttemptEnd, response: string | null, now: number): Moving => {
  const next = moved(moving, triggerOf(end), now)
  switch (end._tag) {
    case "NotSent":
      return { ...next, sending_since: null, due_at: now + requeueMs }
    case "Unknown":
      return { ...next, due_at: recoveryAt(next, now) }
    default:
      return { ...next, provider_payload: response ?? next.provider_payload }
  }
}

/**
 * Judges a claim whose result never came. The attempt may have left before its node went away, so that it is ambiguous:
 * it is never repeated. M-DLV-21, M-DLV-23
 */
export const recover = (moving: Moving, now: number): Moving => {
  const recovery = recoverSend(attemptOf(moving), now)
  switch (recovery._tag) {
    case "Wait":
      return { ...moving, due_at: recovery.until }
    case "Requeue":
      return { ...moved(moving, { _tag: "Requeue" }, now), sending_since: null, due_at: now }
    case "Unconfirm": {
      const next = moved(moving, { _tag: "Unconfirm" }, now)
      return { ...next, due_at: recoveryAt(next, now) }
    }
    case "GiveUp":
      return moved(moving, { _tag: "Reject", failure: { code: "provider_send_result_missing" } }, now)
  }
}

/**
 * What the simulator reports by now, oldest first, and when the next report comes. Going out is not its business: there
 * a message waits for its turn. gaps-2 J "Status timing"
 */
export const simulate = (moving: Moving, unit_ms: number, now: number): Moving => {
  const { message } = moving
  const steps = remaining(
    {
      scenario: message.scenario ?? "success",
      type: message.type,
      accepted_at: message.created_at.getTime(),
      unit_ms,
      provider_message_id: ""
    },
    moving.course.delivery
  )
  let next = { ...moving, due_at: null as number | null }
  for (const { at, trigger } of steps) {
    const turn = trigger._tag !== "Report" && trigger._tag !== "Release"
    if (turn || at > now) return { ...next, due_at: at }
    next = { ...moved(next, trigger, now), released_at: trigger._tag === "Release" ? now : next.released_at }
  }
  return next
}

const moved = (moving: Moving, trigger: Trigger, now: number): Moving => ({
  ...moving,
  course: andThen(moving.course, trigger, now),
  due_at: null
})

const attemptOf = (moving: Moving) => ({
  sending_since: moving.sending_since ?? moving.message.created_at.getTime(),
  bytes_written: true,
  expires_at:
    queueExpiresAt({
      created_at: moving.message.created_at.getTime(),
      released_at: moving.released_at,
      held: false
    }) ?? 0,
  delivery_unconfirmed_at: moving.course.delivery.delivery_unconfirmed_at
})

const recoveryAt = (moving: Moving, now: number): number => {
  const recovery = recoverSend(attemptOf(moving), now)
  return recovery._tag === "Wait" ? recovery.until : now
}
