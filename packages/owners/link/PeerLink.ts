import type { Socket } from "node:net"
import type { Outcome } from "../protocol/Behaviour.ts"
import { fromWire } from "../protocol/WireOutcome.ts"
import type { Refusals } from "../Refusals.ts"
import { Connection } from "./Connection.ts"
import type { LinkMessage } from "./Links.ts"
import { type AnswerMessage, type CallMessage, type OperationsMessage, type RefusalMessage, says } from "./Messages.ts"

/** Limits of the messages that wait for one peer, and of their bytes. Calls beyond them are refused as overload. */
export interface PeerBounds {
  readonly calls: number
  readonly bytes: number
}

/** The bounds in production. */
export const peerBounds: PeerBounds = { calls: 4096, bytes: 32 * 1024 * 1024 }

/** The checks without data from the peer after which the connection is cut: three seconds. */
const mostSilentLooks = 12
const looksBetweenPings = 4

/** One message, with the callback for its outcomes. */
export interface LinkCall extends LinkMessage {
  /**
   * Called once: with the outcomes and the epoch they were decided under, or with undefined when the peer does not
   * answer for the owner, so that the call has to take another way.
   */
  readonly answered: (outcomes: ReadonlyArray<Outcome<unknown>> | undefined, epoch: number) => void
}

interface Waiting {
  readonly call: LinkCall
  readonly bytes: number
}

/** A link to one peer: it holds the waiting calls, their limits and their deadlines. */
export class PeerLink {
  private readonly waiting = new Map<number, Waiting>()
  private waitingBytes = 0
  private lastCall = 0
  private looks = 0
  private readonly operations = new Map<string, number>()
  private readonly connection: Connection
  private readonly bounds: PeerBounds
  private readonly refusals: Refusals["Service"]

  constructor(socket: Socket, bounds: PeerBounds, refusals: Refusals["Service"], closed: () => void) {
    this.bounds = bounds
    this.refusals = refusals
    this.connection = new Connection(socket, {
      messages: (messages) => {
        for (const message of messages) if (Array.isArray(message)) this.take(message as unknown as Taken)
      },
      closed: () => {
        closed()
        for (const number of [...this.waiting.keys()]) this.end(number, unavailable)
      }
    })
  }

  start(first: Buffer): void {
    this.connection.start(first)
  }

  close(): void {
    this.connection.close()
  }

  get closed(): boolean {
    return this.connection.closed
  }

  /** Returns the number that the peer gave an operation of that shape, if any. */
  numberOf(key: string): number | undefined {
    return this.operations.get(key)
  }

  /**
   * Sends a call. `epoch` is the one under which the caller expects the peer to hold the shard; 0 when it knows none.
   */
  send(operation: number, epoch: number, call: LinkCall): void {
    if (this.waiting.size >= this.bounds.calls || this.waitingBytes >= this.bounds.bytes) {
      call.answered(call.items.map(this.overload), 0)
      return
    }
    const number = ++this.lastCall
    const { deadline, id, items, shard, traced } = call
    const message: CallMessage =
      traced === undefined
        ? [says.call, number, operation, shard, epoch, id, deadline, items]
        : [says.call, number, operation, shard, epoch, id, deadline, items, traced]
    const bytes = this.connection.send(JSON.stringify(message))
    if (bytes === undefined) {
      call.answered(undefined, 0)
      return
    }
    this.waiting.set(number, { call, bytes })
    this.waitingBytes += bytes
    if (this.closed) this.end(number, unavailable)
  }

  /**
   * Checks the waiting calls four times a second: ends those past their deadline, and cuts the link when the peer is
   * silent.
   */
  look(now: number): void {
    // Calls were sent in the order of their deadlines.
    for (const [number, { call }] of this.waiting) {
      if (now < call.deadline) break
      this.end(number, unavailable)
    }
    if (this.connection.look() >= mostSilentLooks) this.connection.close()
    else if (this.looks++ % looksBetweenPings === 0) this.connection.ping()
  }

  private take(message: Taken): void {
    switch (message[0]) {
      case says.operations: {
        const [, first, keys] = message
        for (const [at, key] of keys.entries()) this.operations.set(key, first + at)
        return
      }
      case says.answer: {
        const [, number, epoch, outcomes] = message
        this.takeWaiting(number)?.call.answered(
          outcomes.map((outcome) => fromWire(this.refusals, outcome)),
          epoch
        )
        return
      }
      case says.elsewhere:
        this.takeWaiting(message[1])?.call.answered(undefined, 0)
        return
      case says.overload:
        this.end(message[1], this.overload)
    }
  }

  private readonly overload = (): Outcome<unknown> => ({ error: this.refusals.unavailable() })

  private end(number: number, outcome: () => Outcome<unknown>): void {
    const waiting = this.takeWaiting(number)
    waiting?.call.answered(waiting.call.items.map(outcome), 0)
  }

  private takeWaiting(number: number): Waiting | undefined {
    const waiting = this.waiting.get(number)
    if (waiting === undefined) return undefined
    this.waiting.delete(number)
    this.waitingBytes -= waiting.bytes
    return waiting
  }
}

/** One message from a runner. A later release may send more kinds, which are ignored. */
type Taken = OperationsMessage | AnswerMessage | RefusalMessage

/**
 * The connection broke or the answer did not come in time: the call may have taken effect, and goes again with
 * unchanged ids.
 */
const unavailable = (): Outcome<unknown> => ({ retry: "unavailable" })
