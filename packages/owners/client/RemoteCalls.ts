import { Cause, Effect, type Tracer } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { OutgoingLinks } from "../link/Links.ts"
import { ownerMetrics } from "../metrics/EngineMetrics.ts"
import { Instruments } from "../metrics/Instruments.ts"
import type { Outcome } from "../protocol/Behaviour.ts"
import type { CallPayload, LongCallOptions, Operation } from "../protocol/Protocol.ts"
import { traceparentOf } from "../tracing/Tracing.ts"

/** How long a caller waits for an owner, moves and retries included, in milliseconds. */
export const callDeadlineMs = 10_000

/** Sends one message to an owner that is not in this node's memory, with the sampled spans it serves. */
export type RemoteCall = (
  items: ReadonlyArray<unknown>,
  traced: ReadonlyArray<Tracer.Span> | undefined,
  deadline: number
) => Effect.Effect<ReadonlyArray<Outcome<unknown>>, unknown>

/** Sends one message by the library's RPC. */
export type RpcCall = (
  id: string,
  tag: string,
  payload: CallPayload
) => Effect.Effect<ReadonlyArray<Outcome<unknown>>, unknown>

/**
 * Makes the calls of one owner type to other nodes: over the link to the node that holds the owner's shard where there
 * is one, and otherwise by the library, which finds the owner and brings it to memory.
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

/** The only group of shards; the library's default. */
export const shardGroup = "default"

const payloadOf = (items: ReadonlyArray<unknown>, traced: ReadonlyArray<string> | undefined): CallPayload =>
  traced === undefined ? { items } : { items, traced }

/** The owner moved, its node went away or its mailbox is full: call again. Anything else is a defect. */
export const unanswered = (cause: Cause.Cause<unknown>): Outcome<unknown> => {
  if (cause.reasons.some((reason) => reason._tag === "Fail" && isLeaving(reason.error))) return { retry: "leaving" }
  return Cause.hasDies(cause) && !Cause.hasInterrupts(cause)
    ? { defect: Cause.pretty(cause) }
    : { retry: "unavailable" }
}

/** Whether an error is the cluster's answer to a call on a node that stops. */
const isLeaving = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "EntityNotAssignedToRunner"

const longCallTimeoutMs = 60_000
/** A waiting call that lasted this long had found its owner. */
const servedMs = 1000

/** One call of an operation that may wait. */
export interface LongCall {
  readonly item: unknown
  readonly options: LongCallOptions<unknown, unknown>
  /** Sends it to the owner, wherever that is now. */
  readonly ask: Effect.Effect<Outcome<unknown>, unknown>
  readonly outcomeOf: (cause: Cause.Cause<unknown>) => Outcome<unknown>
  readonly now: () => number
  /** How long owners may be away before the caller is told, in milliseconds. */
  readonly awayMs: number
}

/**
 * Makes a waiting call, again at the new owner when the old one leaves; or answers what the operation says for that
 * case. Never longer than its timeout, and no longer than `awayMs` without an owner that serves it.
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
    // A call that took long because the database did not answer was not served, and would take as long again.
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
