import type { FinishedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { KeptRequests } from "./RequestLogSettings.ts"

/** The most bytes of a body that is kept. */
const maxBodyBytes = 16_384

/** The most requests and bytes that wait to be written, in the whole node and for one environment. */
const nodeBounds = { rows: 4096, bytes: 16_777_216 } as const
const ownBounds = { rows: 1024, bytes: 4_194_304 } as const

/** So many requests that wait are written at once: half of an environment's share, and three quarters of the node's. */
const pressing = { own: 512, node: 3072 } as const

/** The bytes that a request counts besides its bodies. */
const rowBytes = 512

/** A request that waits to be written, with its bodies as text. */
export interface WaitingRequest extends Omit<FinishedRequest, "body"> {
  readonly body: string | undefined
}

/** The number of requests of an environment that are not kept. */
export interface NotKept {
  readonly environment_id: string
  readonly sampled: number
  readonly dropped: number
}

/** The rows that one statement writes. */
export interface RequestBatch {
  readonly requests: ReadonlyArray<WaitingRequest>
  readonly notKept: ReadonlyArray<NotKept>
}

interface Gathered {
  rows: number
  bytes: number
  second: number
  reads: number
  sampled: number
  dropped: number
}

export type Offered = "kept" | "sampled" | "dropped"

/**
 * Holds finished requests until they are written. It never waits: successful reads above their rate are sampled, and
 * requests without room are dropped; both are counted. Refusals are dropped only without room.
 */
export class RequestBuffer {
  private waiting: Array<WaitingRequest> = []
  private bytes = 0
  private isOwnPressing = false
  private readonly environments = new Map<string, Gathered>()

  private readonly settings: Readonly<Record<EnvironmentKind, KeptRequests>>

  constructor(settings: Readonly<Record<EnvironmentKind, KeptRequests>>) {
    this.settings = settings
  }

  /** True when more requests wait than should go on waiting. */
  get isPressing(): boolean {
    return this.isOwnPressing || this.waiting.length >= pressing.node || this.bytes * 2 >= nodeBounds.bytes
  }

  /** Adds a request at an instant in milliseconds. */
  offer(request: FinishedRequest, now: number): Offered {
    const { environment, environment_id } = request.owner
    const kept = this.settings[environment]
    const held = this.heldOf(environment_id)
    if (isPlainRead(request)) {
      const second = Math.floor(now / 1000)
      held.reads = held.second === second ? held.reads + 1 : 1
      held.second = second
      if (held.reads > kept.reads_per_second && held.reads % kept.sample_one_of !== 0) {
        held.sampled++
        return "sampled"
      }
    }
    const waiting = kept.bodies ? withBodies(request) : { ...request, body: undefined, answer: refusalOf(request) }
    const bytes = bytesOf(waiting)
    const isFull = this.waiting.length >= nodeBounds.rows || this.bytes + bytes > nodeBounds.bytes
    if (isFull || held.rows >= ownBounds.rows || held.bytes + bytes > ownBounds.bytes) {
      held.dropped++
      return "dropped"
    }
    held.rows++
    held.bytes += bytes
    this.bytes += bytes
    this.waiting.push(waiting)
    if (held.rows >= pressing.own || held.bytes * 2 >= ownBounds.bytes) this.isOwnPressing = true
    return "kept"
  }

  /**
   * Returns all requests and counts; undefined when there is nothing to write. The requests have left their room. `now` in
   * milliseconds.
   */
  take(now: number): RequestBatch | undefined {
    const requests = this.waiting
    this.waiting = []
    this.bytes = 0
    this.isOwnPressing = false
    const notKept: Array<NotKept> = []
    for (const [environment_id, held] of this.environments) {
      const { dropped, sampled } = held
      if (dropped + sampled > 0) notKept.push({ environment_id, dropped, sampled })
      held.dropped = 0
      held.sampled = 0
      held.rows = 0
      held.bytes = 0
      if (held.second < Math.floor(now / 1000)) this.environments.delete(environment_id)
    }
    return requests.length + notKept.length === 0 ? undefined : { requests, notKept }
  }

  /** Counts the requests of a failed batch as dropped. */
  lose({ notKept, requests }: RequestBatch): void {
    for (const { owner } of requests) this.heldOf(owner.environment_id).dropped++
    for (const { dropped, environment_id, sampled } of notKept) {
      const held = this.heldOf(environment_id)
      held.dropped += dropped
      held.sampled += sampled
    }
  }

  private heldOf(environmentId: string): Gathered {
    let held = this.environments.get(environmentId)
    if (held === undefined) {
      held = { rows: 0, bytes: 0, second: 0, reads: 0, sampled: 0, dropped: 0 }
      this.environments.set(environmentId, held)
    }
    return held
  }
}

const isRead = ({ method }: Pick<FinishedRequest, "method">): boolean => method === "GET" || method === "HEAD"

const isPlainRead = (request: FinishedRequest): boolean => isRead(request) && request.status < 400

const bytesOf = ({ answer = "", body = "" }: WaitingRequest): number => rowBytes + body.length + answer.length

/** Returns the code of a refusal, which is kept even when bodies are not. */
const refusalOf = ({ answer, status }: FinishedRequest): string | undefined =>
  status >= 400 && answer !== undefined && answer.length <= maxBodyBytes ? answer : undefined

/**
 * Returns the request with its bodies. The response to a successful read is not kept: it can be read again, and may
 * show many customers.
 */
const withBodies = (request: FinishedRequest): WaitingRequest => {
  const { answer, body } = request
  return {
    ...request,
    // The bytes belong to a buffer of the connection, so they are copied.
    body:
      body === undefined || body.length === 0 || body.length > maxBodyBytes
        ? undefined
        : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"),
    answer: isPlainRead(request) || answer === undefined || answer.length > maxBodyBytes ? undefined : answer
  }
}
