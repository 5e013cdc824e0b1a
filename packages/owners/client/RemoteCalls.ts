import { Cause, Effect, type Tracer } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { OutgoingLinks } from "../link/Links.ts"
import type { Outcome } from "../protocol/Behaviour.ts"
import type { CallPayload, LongCallOptions, Operation } from "../protocol/Protocol.ts"
import { ownerMetrics } from "../telemetry/EngineMetrics.ts"
import { Instruments } from "../telemetry/Instruments.ts"
import { traceparentOf } from "../telemetry/Tracing.ts"

/** The longest time a caller waits for an owner, moves and retries included, in milliseconds. */
export const callDeadlineMs = 10_000

/** Sends one message, with the sampled spans it serves, to an owner that is not in this node's memory. */
export type RemoteCall = (
  items: ReadonlyArray<unknown>,
  traced: ReadonlyArray<Tracer.Span> | undefined,
  deadline: number
) => Effect.Effect<ReadonlyArray<Outcome<unknown>>, unknown>

/** Sends one message over the runtime library's RPC. */
export type RpcCall = (
  id: string,
  tag: string,
  payload: CallPayload
) => Effect.Effect<ReadonlyArray<Outcome<unknown>>, unknown>

/**
 * Makes the calls of one owner type to other nodes. A call uses the link to the node that holds the owner's shard if
 * there is one. Otherwise it uses the library's RPC, which finds the owner and brings it into memory.
 */
export const remoteCalls = Effect.fnUntraced(function* (type: string, rpc: RpcCall, now: () => number) {
  const links = yield* OutgoingLinks
  const { getShardId } = yield* Sharding.Sharding
  const { messages } = ownerMetrics(yield* Instruments)
  const [linkMessages, rpcMessages] = [messages("link"), messages("rpc")]
  return (tag: string, operation: Operation) => {
    const key = links?.keyOf(type, tag, operation)
    return (id: string): RemoteCall => {
      const byRpc = (payload: CallPayload, deadline: number) =>
        Effect.suspend(() => {
          rpcMessages(1)
          return Effect.timeout(rpc(id, tag, payload), Math.max(1, deadline - now()))
        })
      if (links === undefined || key === undefined)
        return (items, traced, deadline) => byRpc(payloadOf(items, traced?.map(traceparentOf)), deadline)
      const shard = getShardId(EntityId.make(id), shardGroup).id
      return (items, traced, deadline) => {
        const texts = traced?.map(traceparentOf)
        const linked = links.call(key, { shard, id, items, traced: texts, deadline })
        if (linked === undefined) return byRpc(payloadOf(items, texts), deadline)
        linkMessages(1)
        return Effect.flatMap(linked, (outcomes) =>
          outcomes === undefined ? byRpc(payloadOf(items, texts), deadline) : Effect.succeed(outcomes)
        )
      }
    }
  }
})

/** The only shard group; the runtime library's default. */
export const shardGroup = "default"

const payloadOf = (items: ReadonlyArray<unknown>, traced: ReadonlyArray<string> | undefined): CallPayload =>
  traced === undefined ? { items } : { items, traced }

/** Returns a retry when the owner moved, its node went away or its mailbox is full. Any other cause is a defect. */
export const unanswered = (cause: Cause.Cause<unknown>): Outcome<unknown> => {
  if (cause.reasons.some((reason) => reason._tag === "Fail" && isLeaving(reason.error))) return { retry: "leaving" }
  return Cause.hasDies(cause) && !Cause.hasInterrupts(cause)
    ? { defect: Cause.pretty(cause) }
    : { retry: "unavailable" }
}

/** True for the cluster's error on a call from a node that stops. */
const isLeaving = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "EntityNotAssignedToRunner"

const longCallTimeoutMs = 60_000
/** A waiting call that lasted this many milliseconds had reached its owner. */
const servedMs = 1000

/** One call of an operation that may wait. */
export interface LongCall {
  readonly item: unknown
  readonly options: LongCallOptions<unknown, unknown>
  /** Sends the call to the owner, on whichever node that is now. */
  readonly ask: Effect.Effect<Outcome<unknown>, unknown>
  readonly outcomeOf: (cause: Cause.Cause<unknown>) => Outcome<unknown>
  readonly now: () => number
  /** The longest time without an owner before the caller gets an error, in milliseconds. */
  readonly awayMs: number
}

/**
 * Makes a waiting call. When its owner leaves, the call goes to the new owner, or returns the answer that the operation
 * declares for that case. It ends after its timeout, or after `awayMs` without an owner that serves it.
 */
export const callLong = (call: LongCall): Effect.Effect<Outcome<unknown>> => {
  const { awayMs, item, now, options } = call
  const asking = (giveUpAt: number): Effect.Effect<Outcome<unknown>> => {
    const startedAt = now()
    return Effect.matchCauseEffect(call.ask, {
      onFailure: (cause) => {
        if (Cause.hasInterrupts(cause) && options.moved !== undefined)
          return Effect.succeed({ ok: options.moved(item) })
        return goOn(call.outcomeOf(cause), startedAt, giveUpAt)
      },
      onSuccess: (outcome) => goOn(outcome, startedAt, giveUpAt)
    })
  }
  const goOn = (outcome: Outcome<unknown>, startedAt: number, giveUpAt: number) => {
    if (!("retry" in outcome) || outcome.retry === "duplicate" || outcome.retry === "leaving")
      return Effect.succeed(outcome)
    const took = now() - startedAt
    // A call that took long because the database did not answer was not served, and the next one would take as long.
    const away = outcome.retry === "no_database"
    const until = took > servedMs && !away ? now() + awayMs : giveUpAt
    if (now() + (away ? took : 0) >= until) return Effect.succeed(outcome)
    return Effect.andThen(
      Effect.sleep("50 millis"),
      Effect.suspend(() => asking(until))
    )
  }
  return Effect.timeoutOrElse(
    Effect.suspend(() => asking(now() + awayMs)),
    {
      duration: options.timeoutMs ?? longCallTimeoutMs,
      orElse: () => Effect.succeed<Outcome<unknown>>({ retry: "unavailable" })
    }
  )
}
