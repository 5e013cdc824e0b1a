import { Schema, SchemaTransformation } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import type { Refusals } from "../Refusals.ts"
import type { BatchHandler, LongCallHandler, Outcome } from "./Behaviour.ts"
import { omittable } from "./Omittable.ts"

/**
 * One operation of an owner: the shape of an item and of its result. Between nodes both travel as JSON, over a link
 * unchanged and by the runtime library's RPC through these schemas; their numbers are finite.
 */
export interface Operation<Item = unknown, A = unknown> {
  readonly mode: "batch" | "long"
  readonly item: Schema.Codec<Item, unknown>
  readonly result: Schema.Codec<A, unknown>
  readonly longCall?: LongCallOptions<Item, A>
}

/** Options of a call that waits. */
export interface LongCallOptions<Item, A> {
  /** The longest time for one call, in milliseconds; a minute by default. */
  readonly timeoutMs?: number
  /**
   * Returns the answer when the owner moves to another node while the call waits there (a planned stop): an empty page.
   * Without it the call is made again at the new owner.
   */
  moved?(item: Item): A
}

/** Declares an operation whose concurrent calls from one node to one owner travel as one message. */
export const batch = <Item, A>(
  item: Schema.Codec<Item, unknown>,
  result: Schema.Codec<A, unknown>
): Operation<Item, A> & { readonly mode: "batch" } => ({ mode: "batch", item, result })

/** Declares a call that may wait for long, beside the mailbox; it ends when its caller goes away. */
export const longCall = <Item, A>(
  item: Schema.Codec<Item, unknown>,
  result: Schema.Codec<A, unknown>,
  options: LongCallOptions<Item, A> = {}
): Operation<Item, A> & { readonly mode: "long" } => ({ mode: "long", item, result, longCall: options })

export type Operations = { readonly [name: string]: Operation<never, unknown> | Operation }

export type ItemOf<O> = O extends { readonly item: Schema.Codec<infer Item, unknown> } ? Item : never
export type ResultOf<O> = O extends { readonly result: Schema.Codec<infer A, unknown> } ? A : never

/** The handlers that an owner type must have. */
export type HandlersOf<State, Ops> = {
  readonly [K in keyof Ops]: Ops[K] extends { readonly mode: "long" }
    ? LongCallHandler<State, ItemOf<Ops[K]>, ResultOf<Ops[K]>>
    : // biome-ignore lint/suspicious/noExplicitAny: what a handler reads is its own affair
      BatchHandler<State, ItemOf<Ops[K]>, any, ResultOf<Ops[K]>>
}

const outcomeOf = (
  result: Schema.Codec<unknown, unknown>,
  refusal: Refusals["Service"]["codec"]
): Schema.Codec<Outcome<unknown>, unknown> =>
  Schema.Union([
    Schema.Struct({ ok: result }),
    Schema.Struct({ error: refusal }),
    Schema.Struct({ retry: Schema.Literals(["fenced", "unavailable", "no_database", "changed", "duplicate"]) }),
    Schema.Struct({ defect: Schema.String })
  ]) as Schema.Codec<Outcome<unknown>, unknown>

/** A message to an owner: items of one operation, and the sampled spans of the callers among them as `traceparent`. */
export interface CallPayload {
  readonly items: ReadonlyArray<unknown>
  readonly traced?: ReadonlyArray<string>
}

/** The wake-up operation of every owner: it runs due work and stays open while there is any. */
export const wakeTag = "Wake"

/**
 * Returns a codec that takes values unchecked where they are made, because types guarantee their shape there, and
 * decodes them where they enter another node. By default the client checks every message against its whole schema, even
 * within one process.
 */
const madeHere = <A>(codec: Schema.Codec<A, unknown>): Schema.Codec<A, unknown> =>
  Schema.declare<A>((_value): _value is A => true, {
    toCodecJson: () => Schema.link<A>()(omittable(codec), SchemaTransformation.passthrough())
  }) as unknown as Schema.Codec<A, unknown>

/** The cluster entity of an owner type. */
export type OwnerEntity = ReturnType<typeof entityOf>

/** Returns what makes the cluster entity of an owner type, once for each product whose refusals it carries. */
export const entities = (type: string, operations: Operations) => {
  const made = new WeakMap<object, OwnerEntity>()
  return ({ codec }: Pick<Refusals["Service"], "codec">): OwnerEntity => {
    const entity = made.get(codec) ?? entityOf(type, operations, codec)
    made.set(codec, entity)
    return entity
  }
}

const entityOf = (type: string, operations: Operations, refusal: Refusals["Service"]["codec"]) => {
  const rpcs = Object.entries(operations).map(([tag, operation]) => {
    const rpc = Rpc.make(tag, {
      payload: madeHere(
        Schema.Struct({
          items: Schema.Array(operation.item as Schema.Codec<unknown, unknown>),
          traced: Schema.optional(Schema.Array(Schema.String))
        })
      ),
      success: madeHere(Schema.Array(outcomeOf(operation.result as Schema.Codec<unknown, unknown>, refusal)))
    })
    // A batch is finished even if its caller goes away. A call that only waits must not hold up an owner that leaves.
    return operation.mode === "long"
      ? rpc.annotate(ClusterSchema.InterruptOnTermination, true)
      : rpc.annotate(ClusterSchema.Uninterruptible, true)
  })
  const wake = Rpc.make(wakeTag, { payload: { at: Schema.Number } })
    .annotate(ClusterSchema.Uninterruptible, "client")
    .annotate(ClusterSchema.InterruptOnTermination, true)
  return Entity.make(type, [wake, ...rpcs]).annotateRpcs(ClusterSchema.ClientTracingEnabled, false)
}
