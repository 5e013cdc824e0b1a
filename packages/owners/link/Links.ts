import type { Socket } from "node:net"
import { Context, type Effect } from "effect"
import type { RunnerAddress } from "effect/cluster"
import type { Outcome } from "../protocol/Behaviour.ts"
import { type Operation, wakeTag } from "../protocol/Protocol.ts"

/** One message to an owner of another node, as a link carries it. */
export interface LinkMessage {
  readonly shard: number
  readonly id: string
  /** The epoch millisecond at which the caller stops waiting. */
  readonly deadline: number
  readonly items: ReadonlyArray<unknown>
  /** The sampled spans of the callers, as `traceparent`. */
  readonly traced: ReadonlyArray<string> | undefined
}

/**
 * Returns the outcomes of a call; undefined when the peer does not answer for the owner, and the runtime library has to
 * find it.
 */
export type LinkedCall = Effect.Effect<ReadonlyArray<Outcome<unknown>> | undefined>

/**
 * Returns the name by which two nodes identify one operation: equal only where items and results have one shape.
 * Undefined for an operation that only uses the runtime library's RPC.
 */
export type KeyOf = (type: string, tag: string, operation: Operation) => string | undefined

/** Calls owners of other nodes over links. */
export interface OutgoingLinks {
  readonly keyOf: KeyOf
  /** Makes a call over the link to the node that holds the shard; undefined when there is no such link. */
  readonly call: (key: string, message: LinkMessage) => LinkedCall | undefined
  /**
   * Stores the address at which the runtime library reached an owner of the shard. It is used until that node denies
   * it.
   */
  readonly learn: (shard: number, address: RunnerAddress.RunnerAddress) => void
}

/** Holds the links of this node to others; undefined where all calls travel by the runtime library's RPC. */
export const OutgoingLinks = Context.Reference<OutgoingLinks | undefined>("@carteiro/owners/link/OutgoingLinks", {
  defaultValue: () => undefined
})

/** Returns the outcomes of a call, one an item; undefined when the owner is no longer on this node. */
export type LinkedOperation = (call: {
  readonly id: string
  readonly items: ReadonlyArray<unknown>
  readonly traced: ReadonlyArray<string> | undefined
  /** The time its caller waits, in milliseconds. */
  readonly waitsMs: number
}) => Effect.Effect<ReadonlyArray<Outcome<unknown>> | undefined>

/** Answers the links that other nodes opened to this one. */
export interface IncomingLinks {
  readonly keyOf: KeyOf
  /** Begins to answer an operation, and announces it to callers that are connected already. */
  readonly answer: (key: string, operation: LinkedOperation) => void
  /** Answers one connection after its handshake until it ends. */
  readonly serve: (socket: Socket, first: Buffer) => Effect.Effect<void>
}

/** Holds the links to this node; undefined where links are not answered. */
export const IncomingLinks = Context.Reference<IncomingLinks | undefined>("@carteiro/owners/link/IncomingLinks", {
  defaultValue: () => undefined
})

/** Returns the key of the wake-up operation of an owner type, whose only item is an instant. */
export const wakeKey = (type: string): string => `${type}.${wakeTag}`
