import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Cause, Clock, Effect, type Layer, type Tracer } from "effect"
import type { Sharding } from "effect/cluster"
import { Activations } from "../activation/Activations.ts"
import { type ActivationServices, type OwnerOptions, ownerLayer } from "../activation/Hosting.ts"
import { registerWaking } from "../activation/Waking.ts"
import { CallBatcher, resultOf } from "../client/CallBatcher.ts"
import { callLong } from "../client/LongCall.ts"
import { forkHere } from "../Fork.ts"
import { ownerMetrics } from "../metrics/EngineMetrics.ts"
import { Instruments } from "../metrics/Instruments.ts"
import type { Behaviour, Outcome } from "../protocol/Behaviour.ts"
import {
  type CallPayload,
  entityOf,
  type HandlersOf,
  type ItemOf,
  type LongCallOptions,
  type Operation,
  type Operations,
  type ResultOf
} from "../protocol/Protocol.ts"
import { duringSpan, sampledSpan, Tracing, traceparentOf } from "../tracing/Tracing.ts"

/** How long a caller waits for an owner, moves and retries included, in milliseconds. */
const callDeadlineMs = 10_000

/** One operation as others call it: of the owner with that id; concurrent calls travel together. */
export type OwnerCall<O> = (id: string, item: ItemOf<O>) => Effect.Effect<ResultOf<O>, ApiError>

/**
 * Calls to one owner type from this node, a method for each operation. The type maps the operations as they were given
 * to `defineOwner`, so that go-to-definition on `numbers.Accept(id, item)` ends at the declaration of `Accept`, above
 * the handler of the same name.
 */
export type OwnerClient<Ops> = { readonly [K in keyof Ops]: OwnerCall<Ops[K]> } & {
  /** Asks the owner to look at what is due; nobody waits. */
  readonly wake: (id: string) => void
}

/** An owner type: its protocol, its client, and the layer that hosts it. The single door to the cluster. */
export interface OwnerType<Name extends string, Ops extends Operations> {
  readonly name: Name
  readonly operations: Ops
  readonly client: Effect.Effect<OwnerClient<Ops>, never, Sharding.Sharding | Activations>
  /** Hosts owners of this type on nodes that hold shards. */
  readonly toLayer: <State, R>(
    behaviour: Effect.Effect<Behaviour<State, HandlersOf<State, Ops>>, never, R>,
    options?: OwnerOptions
  ) => Layer.Layer<never, never, R | ActivationServices>
}

/** Declares an owner type. Architecture, section 2 */
export const defineOwner = <const Name extends string, const Ops extends Operations>(
  name: Name,
  operations: Ops
): OwnerType<Name, Ops> => {
  const entity = entityOf(name, operations)
  const client = Effect.gen(function* () {
    const clientFor = yield* entity.client
    yield* registerWaking(name, entity)
    const clock = yield* Clock.Clock
    const metrics = ownerMetrics(yield* Instruments)
    const activations = yield* Activations
    const tracing = yield* Tracing
    const fork = yield* forkHere
    const now = () => clock.currentTimeMillisUnsafe()
    type Call = (payload: CallPayload) => Effect.Effect<ReadonlyArray<Outcome<unknown>>>
    const rpc = (id: string, tag: string) => (clientFor(id) as unknown as Record<string, Call>)[tag] as Call

    const sender = (tag: string) => {
      const batchSize = metrics.batchSize(name, tag)
      const callSeconds = metrics.callSeconds(name, tag)
      return (id: string) => (items: ReadonlyArray<unknown>, traced: ReadonlyArray<Tracer.Span> | undefined) => {
        const started = now()
        batchSize(items.length)
        const resident = activations.find(name, id)
        const answered =
          resident === undefined
            ? Effect.timeout(rpc(id, tag)(payloadOf(items, traced)), callDeadlineMs)
            : // On this node no message is needed: whatever it waits for inside has a deadline of its own.
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

    const batched = (operation: string): OwnerCall<Operation> => {
      const batchers = new Map<string, CallBatcher<unknown, unknown>>()
      const sendTo = sender(operation)
      const call = (id: string, item: unknown, span?: Tracer.Span) => {
        let batcher = batchers.get(id)
        if (batcher === undefined) {
          batcher = new CallBatcher({ send: sendTo(id), fork, now, onIdle: () => batchers.delete(id) })
          batchers.set(id, batcher)
        }
        return batcher.call(item, now() + callDeadlineMs, span)
      }
      if (tracing === undefined) return call
      return (id, item) =>
        Effect.withFiber((fiber) => {
          const above = sampledSpan(fiber)
          if (above === undefined) return call(id, item)
          const span = tracing.beneath(`${name}.${operation}`, "client", [above], {
            "carteiro.owner.type": name,
            "carteiro.owner.id": id,
            "carteiro.operation": operation
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
              Effect.suspend(() => rpc(id, operation)({ items: [item] })),
              ([outcome]) => outcome ?? { retry: "unavailable" as const }
            ),
            outcomeOf: unanswered,
            now,
            awayMs: callDeadlineMs
          }),
          resultOf
        )

    const calls = Object.entries<Operation>(operations as never).map(([operation, { longCall, mode }]) => [
      operation,
      mode === "long" ? alone(operation, longCall ?? {}) : batched(operation)
    ])
    // Each call was made from the operation of its name, whose types it has.
    return { ...Object.fromEntries(calls), wake: (id: string) => activations.wake(name, id) } as OwnerClient<Ops>
  })
  return {
    name,
    operations,
    client,
    toLayer: (behaviour, options) => ownerLayer(name, entity, operations, behaviour, options ?? {})
  }
}

const payloadOf = (items: ReadonlyArray<unknown>, traced: ReadonlyArray<Tracer.Span> | undefined): CallPayload =>
  traced === undefined ? { items } : { items, traced: traced.map(traceparentOf) }

/** The owner moved, its node went away or its mailbox is full: call again. Anything else is a defect. */
const unanswered = (cause: Cause.Cause<unknown>): Outcome<unknown> => {
  if (cause.reasons.some((reason) => reason._tag === "Fail" && isLeaving(reason.error))) return { retry: "leaving" }
  return Cause.hasDies(cause) && !Cause.hasInterrupts(cause)
    ? { defect: Cause.pretty(cause) }
    : { retry: "unavailable" }
}

/** Whether an error is the cluster's answer to a call on a node that stops. */
const isLeaving = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "EntityNotAssignedToRunner"

export {
  answer,
  commit,
  commitThen,
  type Decision,
  type Outcome,
  type OwnerHandle,
  refuse
} from "../protocol/Behaviour.ts"
export { batch, longCall } from "../protocol/Protocol.ts"
