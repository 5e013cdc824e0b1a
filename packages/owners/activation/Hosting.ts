import { Clock, Duration, Effect, Layer } from "effect"
import { Entity, EntityId, Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { SqlClient } from "effect/sql"
import { shardGroup, unanswered } from "../client/RemoteCalls.ts"
import { OwnerClocks } from "../clock/OwnerClocks.ts"
import { ShardEpochs } from "../cluster/ShardEpochs.ts"
import { unburdened } from "../cluster/Unburdened.ts"
import { Commit } from "../commit/Commit.ts"
import { forkHere } from "../Fork.ts"
import { IncomingLinks, type LinkedOperation, wakeKey } from "../link/Links.ts"
import type { Behaviour, Outcome } from "../protocol/Behaviour.ts"
import { type CallPayload, type HandlersOf, type Operations, type OwnerEntity, wakeTag } from "../protocol/Protocol.ts"
import type { Refusals } from "../Refusals.ts"
import { ownerMetrics } from "../telemetry/EngineMetrics.ts"
import { Instruments } from "../telemetry/Instruments.ts"
import { readTraceparent, Tracing } from "../telemetry/Tracing.ts"
import { Activation } from "./Activation.ts"
import type { ActivationContext } from "./ActivationContext.ts"
import { Activations } from "./Activations.ts"
import { registerWaking, wakingByRpc } from "./Waking.ts"

/** Options for hosting one owner type. */
export interface OwnerOptions {
  /** Calls that may wait or run per owner; further callers are told to retry. */
  readonly mailboxCapacity?: number
  /** Idle time after which an owner leaves memory. */
  readonly maxIdle?: `${number} seconds` | `${number} minutes`
  /** True when owners of the type use the node's clock whatever the clock of their tenant shows. */
  readonly realTime?: boolean
}

/** Services that every owner needs. */
export type ActivationServices = Sharding.Sharding | SqlClient.SqlClient | Commit | ShardEpochs | Activations | Refusals

/** Registers the owner type with the cluster. Every rule that holds for all owners is enforced here. */
export const ownerLayer = <State, Ops extends Operations, R>(
  type: string,
  entity: OwnerEntity,
  operations: Ops,
  behaviour: Effect.Effect<Behaviour<State, HandlersOf<State, Ops>>, never, R>,
  options: OwnerOptions
): Layer.Layer<never, never, R | ActivationServices> => {
  const maxIdle = options.maxIdle ?? "10 minutes"
  const hosted = Layer.unwrap(
    Effect.gen(function* () {
      const context: ActivationContext<State> = {
        type,
        behaviour: (yield* behaviour) as unknown as Behaviour<State, Record<string, unknown>>,
        clock: yield* Clock.Clock,
        clockOf: options.realTime === true ? undefined : yield* OwnerClocks,
        commit: yield* Commit,
        epochs: yield* ShardEpochs,
        sql: yield* SqlClient.SqlClient,
        activations: yield* Activations,
        fork: yield* forkHere,
        tracing: yield* Tracing,
        seenEveryMs: Duration.toMillis(maxIdle) / 3
      }
      const registered = entity.toLayer(activate(context, operations) as never, {
        // By default a defect rebuilds the owner and replays the failing message without end.
        disableFatalDefects: true,
        mailboxCapacity: options.mailboxCapacity ?? 1024,
        maxIdleTime: maxIdle
      })
      return unburdened(registered)
    })
  ) as Layer.Layer<never, never, R | ActivationServices>
  const counted = Layer.effectDiscard(
    Effect.gen(function* () {
      const activations = yield* Activations
      const metrics = ownerMetrics(yield* Instruments)
      yield* metrics.resident(type, () => activations.counts().get(type) ?? 0)
    })
  )
  const reached = Layer.effectDiscard(
    Effect.andThen(registerWaking(type, entity), answerLinks(type, entity, operations))
  )
  return Layer.merge(Layer.merge(hosted, reached), counted)
}

/** Brings one owner into memory and returns its handlers. */
const activate = <State>(context: ActivationContext<State>, operations: Operations) =>
  Effect.gen(function* () {
    const activation = new Activation<State>(context, yield* Entity.CurrentAddress, yield* Effect.scope)
    yield* activation.register
    const handlers: Record<string, unknown> = {
      [wakeTag]: ({ payload }: { readonly payload: { readonly at: number } }) =>
        Rpc.fork(activation.workUntilIdle(payload.at))
    }
    for (const [tag, operation] of Object.entries(operations)) {
      handlers[tag] = ({ payload }: { readonly payload: CallPayload }) =>
        operation.mode === "long"
          ? Rpc.fork(activation.longCall(tag, payload.items))
          : activation.batch(
              tag,
              payload.items,
              payload.traced?.flatMap((text) => readTraceparent(text) ?? [])
            )
    }
    return handlers
  })

/**
 * Answers calls over links for owners of a type on this node. An owner in memory is called directly. For any other, the
 * runtime library brings it into memory or says that this node does not hold it.
 */
const answerLinks = Effect.fnUntraced(function* (type: string, entity: OwnerEntity, operations: Operations) {
  const links = yield* IncomingLinks
  if (links === undefined) return
  const clientFor = yield* entity.client
  const activations = yield* Activations
  const sharding = yield* Sharding.Sharding
  const wake = yield* wakingByRpc(entity)
  links.answer(wakeKey(type), ({ id, items }) =>
    Effect.sync(() => {
      wake(id, Number(items[0]))
      return [{ ok: undefined }]
    })
  )
  for (const [tag, operation] of Object.entries(operations)) {
    const key = links.keyOf(type, tag, operation)
    if (key === undefined) continue
    const activate: LinkedOperation = ({ id, items, traced, waitsMs }) => {
      // The library would hand the call on to another node, and the caller would never learn of that one.
      if (!sharding.hasShardId(sharding.getShardId(EntityId.make(id), shardGroup))) return Effect.undefined
      const call = (clientFor(id) as unknown as Record<string, Call>)[tag] as Call
      return Effect.matchCause(Effect.timeout(call(traced === undefined ? { items } : { items, traced }), waitsMs), {
        onFailure: (cause) => {
          const outcome = unanswered(cause)
          return "retry" in outcome && outcome.retry === "leaving" ? undefined : items.map(() => outcome)
        },
        onSuccess: (outcomes) => outcomes
      })
    }
    links.answer(key, (call) => {
      const resident = activations.find(type, call.id)
      return resident === undefined
        ? activate(call)
        : resident.call(
            tag,
            call.items,
            call.traced?.flatMap((text) => readTraceparent(text) ?? [])
          )
    })
  }
})

type Call = (payload: CallPayload) => Effect.Effect<ReadonlyArray<Outcome<unknown>>, unknown>
