import { Clock, Effect, Layer, type Tracer } from "effect"
import type { Sharding } from "effect/cluster"
import { Activations } from "./activation/Activations.ts"
import { type ActivationServices, type OwnerOptions, ownerLayer } from "./activation/Hosting.ts"
import { registerWaking } from "./activation/Waking.ts"
import { CallBatchers, resultOf, type SendBatch } from "./client/CallBatcher.ts"
import { callDeadlineMs, callLong, type RpcCall, remoteCalls, unanswered } from "./client/RemoteCalls.ts"
import { forkHere } from "./Fork.ts"
import type { Refusal } from "./ProductTypes.ts"
import type { Behaviour, Outcome } from "./protocol/Behaviour.ts"
import {
  type CallPayload,
  entities,
  type HandlersOf,
  type ItemOf,
  type LongCallOptions,
  type Operation,
  type Operations,
  type ResultOf
} from "./protocol/Protocol.ts"
import { Refusals } from "./Refusals.ts"
import { ownerMetrics } from "./telemetry/EngineMetrics.ts"
import { Instruments } from "./telemetry/Instruments.ts"
import { duringSpan, sampledSpan, Tracing } from "./telemetry/Tracing.ts"

/** Calls one operation of the owner with that id; concurrent calls travel together. */
export type OwnerCall<O> = (id: string, item: ItemOf<O>) => Effect.Effect<ResultOf<O>, Refusal>

/**
 * Calls to one owner type from this node, one method an operation. The type maps the operations as they were given to
 * `defineOwner`, so that go-to-definition on `numbers.Accept(id, item)` ends at the declaration of `Accept`, above the
 * handler of equal name.
 */
export type OwnerClient<Ops> = { readonly [K in keyof Ops]: OwnerCall<Ops[K]> } & {
  /** Asks the owner to check for due work, without waiting. */
  readonly wake: (id: string) => void
}

/** One owner type: its protocol, its client, and the layer that hosts it. Rooms reach the cluster only through it. */
export interface OwnerType<Name extends string, Ops extends Operations> {
  readonly name: Name
  readonly operations: Ops
  readonly client: Effect.Effect<OwnerClient<Ops>, never, Sharding.Sharding | Activations | Refusals>
  /** Hosts owners of this type on nodes that hold shards. */
  readonly toLayer: <State, R>(
    behaviour: Effect.Effect<Behaviour<State, HandlersOf<State, Ops>>, never, R>,
    options?: OwnerOptions
  ) => Layer.Layer<never, never, R | ActivationServices>
}

/** Declares an owner type. */
export const defineOwner = <const Name extends string, const Ops extends Operations>(
  name: Name,
  operations: Ops
): OwnerType<Name, Ops> => {
  const entityFor = entities(name, operations)
  const client = Effect.gen(function* () {
    const refusals = yield* Refusals
    const entity = entityFor(refusals)
    const clientFor = yield* entity.client
    yield* registerWaking(name, entity)
    const clock = yield* Clock.Clock
    const metrics = ownerMetrics(yield* Instruments)
    const activations = yield* Activations
    const tracing = yield* Tracing
    const fork = yield* forkHere
    const now = () => clock.currentTimeMillisUnsafe()
    const rpc: RpcCall = (id, tag, payload) =>
      (
        (clientFor(id) as unknown as Record<string, (payload: CallPayload) => ReturnType<RpcCall>>)[tag] as (
          payload: CallPayload
        ) => ReturnType<RpcCall>
      )(payload)
    const remote = yield* remoteCalls(name, rpc, now)

    const sender = (tag: string, operation: Operation) => {
      const batchSize = metrics.batchSize(name, tag)
      const callSeconds = metrics.callSeconds(name, tag)
      const callOf = remote(tag, operation)
      return (id: string): SendBatch<unknown, unknown> => {
        const call = callOf(id)
        return (items, traced) => {
          const started = now()
          batchSize(items.length)
          const resident = activations.find(name, id)
          const answered =
            resident === undefined
              ? call(items, traced, started + callDeadlineMs)
              : // No message is needed on this node. What waits here too long is ended by the batcher.
                resident.call(tag, items, traced)
          return Effect.matchCauseEager(answered, {
            onFailure: (cause) => items.map((): Outcome<unknown> => unanswered(cause)),
            onSuccess: (outcomes) => {
              callSeconds((now() - started) / 1000)
              return outcomes
            }
          })
        }
      }
    }

    const batched = (tag: string, operation: Operation): OwnerCall<Operation> => {
      const batchers = new CallBatchers(sender(tag, operation), { fork, now, refusals })
      const call = (id: string, item: unknown, span?: Tracer.Span) =>
        batchers.call(id, item, now() + callDeadlineMs, span)
      if (tracing === undefined) return call
      return (id, item) =>
        Effect.withFiber((fiber) => {
          const above = sampledSpan(fiber)
          if (above === undefined) return call(id, item)
          const span = tracing.beneath(`${name}.${tag}`, "client", [above], {
            "carteiro.owner.type": name,
            "carteiro.owner.id": id,
            "carteiro.operation": tag
          })
          return duringSpan(tracing, span, call(id, item, span))
        })
    }

    const alone =
      (operation: string, options: LongCallOptions<unknown, unknown>): OwnerCall<Operation> =>
      (id, item) =>
        Effect.flatMap(
          callLong({
            item,
            options,
            ask: Effect.map(
              Effect.suspend(() => rpc(id, operation, { items: [item] })),
              ([outcome]) => outcome ?? { retry: "unavailable" as const }
            ),
            outcomeOf: unanswered,
            now,
            awayMs: callDeadlineMs
          }),
          (outcome) => resultOf(outcome, refusals)
        )

    const calls = Object.entries<Operation>(operations as never).map(([tag, operation]) => [
      tag,
      operation.mode === "long" ? alone(tag, operation.longCall ?? {}) : batched(tag, operation)
    ])
    // Each call was made from the operation of its name, and has its types.
    return { ...Object.fromEntries(calls), wake: (id: string) => activations.wake(name, id) } as OwnerClient<Ops>
  })
  return {
    name,
    operations,
    client,
    toLayer: (behaviour, options) =>
      Layer.unwrap(
        Effect.map(Refusals, (refusals) => ownerLayer(name, entityFor(refusals), operations, behaviour, options ?? {}))
      )
  }
}

export { Activations } from "./activation/Activations.ts"
export {
  answer,
  commit,
  commitThen,
  type Decision,
  decideEach,
  type Outcome,
  type OwnerHandle,
  refuse
} from "./protocol/Behaviour.ts"
export { batch, longCall } from "./protocol/Protocol.ts"
