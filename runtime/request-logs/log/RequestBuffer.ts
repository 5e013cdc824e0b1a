import type { FinishedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { KeptRequests } from "./RequestLogSettings.ts"

/** The most bytes of a body that is kept. */
const maxBodyBytes = 16_384

/** The most requests and bytes that wait to be written, in the whole node and for one environment. */
const nodeBounds = { rows: 4096, bytes: 16_777_216 } as const
const ownBounds = { rows: 1024, bytes: 4_194_304 } as const

/** The bytes that a request counts besides its bodies. */
const rowBytes = 512

/** A request that waits to be written, with its bodies as text. */
export interface WaitingRequest extends Omit<FinishedRequest, "body"> {
  readonly body: string | undefined
}

/** The numbers of requests of an environment that the log leaves out. */
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

/** The share of an environment in the buffer, and its reads of the present second. */
interface Usage {
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
  private readonly environments = new Map<string, Usage>()

  private readonly settings: Readonly<Record<EnvironmentKind, KeptRequests>>

  constructor(settings: Readonly<Record<EnvironmentKind, KeptRequests>>) {
    this.settings = settings
  }

  /** Adds a request at an instant in milliseconds. */
  offer(request: FinishedRequest, now: number): Offered {
    const { environment, environment_id } = request.owner
    const kept = this.settings[environment]
    const usage = this.usageOf(environment_id)
    if (isPlainRead(request)) {
      const second = Math.floor(now / 1000)
      usage.reads = usage.second === second ? usage.reads + 1 : 1
      usage.second = second
      if (usage.reads > kept.reads_per_second && usage.reads % kept.sample_one_of !== 0) {
        usage.sampled++
        return "sampled"
      }
    }
    const waiting = kept.bodies ? withBodies(request) : { ...request, body: undefined, answer: refusalOf(request) }
    const bytes = bytesOf(waiting)
    const isFull = this.waiting.length >= nodeBounds.rows || this.bytes + bytes > nodeBounds.bytes
    if (isFull || usage.rows >= ownBounds.rows || usage.bytes + bytes > ownBounds.bytes) {
      usage.dropped++
      return "dropped"
    }
    usage.rows++
    usage.bytes += bytes
    this.bytes += bytes
    this.waiting.push(waiting)
    return "kept"
  }

  /**
   * Returns the oldest requests, at most that many, and all counts; undefined when there is nothing to write. `now` in
   * milliseconds.
   */
  take(count: number, now: number): RequestBatch | undefined {
    const requests = this.waiting.splice(0, count)
    for (const request of requests) {
      const usage = this.usageOf(request.owner.environment_id)
      const bytes = bytesOf(request)
      usage.rows--
      usage.bytes -= bytes
      this.bytes -= bytes
    }
    const notKept: Array<NotKept> = []
    for (const [environment_id, usage] of this.environments) {
      const { dropped, rows, sampled } = usage
      if (dropped + sampled > 0) notKept.push({ environment_id, dropped, sampled })
      usage.dropped = 0
      usage.sampled = 0
      if (rows === 0 && usage.second < Math.floor(now / 1000)) this.environments.delete(environment_id)
    }
    return requests.length + notKept.length === 0 ? undefined : { requests, notKept }
  }

  /** Counts the requests of a failed batch as dropped. */
  lose({ notKept, requests }: RequestBatch): void {
    for (const { owner } of requests) this.usageOf(owner.environment_id).dropped++
    for (const { dropped, environment_id, sampled } of notKept) {
      const usage = this.usageOf(environment_id)
      usage.dropped += dropped
      usage.sampled += sampled
    }
  }

  private usageOf(environmentId: string): Usage {
    let usage = this.environments.get(environmentId)
    if (usage === undefined) {
      usage = { rows: 0, bytes: 0, second: 0, reads: 0, sampled: 0, dropped: 0 }
      this.environments.set(environmentId, usage)
    }
    return usage
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
