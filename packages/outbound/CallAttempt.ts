import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"

/** The result of a call to a vendor. */
export type CallResult =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly bytes: Uint8Array
      /** True when the response was longer than the bytes that are read, so that the connection was closed. */
      readonly isCut: boolean
    }
  /** `began` is false only when it is certain that not one byte of the request was written. */
  | { readonly _tag: "Broken"; readonly began: boolean }

/** The bounds of one attempt, in milliseconds and bytes. */
interface AttemptBounds {
  readonly totalTimeoutMs: number
  readonly idleTimeoutMs?: number
  readonly maxBytes: number
}

/** Follows one call from dispatch to its only result. */
export class CallAttempt implements Dispatcher.DispatchHandler {
  private began = false
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private size = 0
  private readonly chunks: Array<Buffer> = []
  private controller: Dispatcher.DispatchController | undefined
  private report: ((result: CallResult) => void) | undefined
  private readonly maxBytes: number
  private readonly timer: NodeJS.Timeout
  /** Ends a call without progress; undefined without such a bound. */
  private readonly idle: NodeJS.Timeout | undefined

  constructor({ idleTimeoutMs, maxBytes, totalTimeoutMs }: AttemptBounds, report: (result: CallResult) => void) {
    this.maxBytes = maxBytes
    this.report = report
    this.timer = setTimeout(expire, Math.max(1, totalTimeoutMs), this)
    this.idle = idleTimeoutMs === undefined ? undefined : setTimeout(expire, Math.max(1, idleTimeoutMs), this)
  }

  /** Returns the body to write; each piece that the connection takes is progress. */
  watched<B>(body: B | AsyncIterable<Uint8Array>): B | AsyncIterable<Uint8Array> {
    return this.idle === undefined || !isStream(body) ? body : this.pieces(body)
  }

  private async *pieces(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of body) {
      this.progress()
      yield piece
    }
    this.progress()
  }

  private progress(): void {
    if (this.report !== undefined) this.idle?.refresh()
  }

  /** Ends a call that is late or unwanted, and closes its connection. */
  abandon(): void {
    this.finish({ _tag: "Broken", began: this.began })
    this.controller?.abort(new Error("over"))
  }

  /** The client begins to write here. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.report === undefined) controller.abort(new Error("over"))
    else this.began = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.progress()
    this.status = status
    this.headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.progress()
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.size <= this.maxBytes) return
    this.answer(true)
    controller.abort(new Error("over"))
  }

  onResponseEnd(): void {
    this.answer(false)
  }

  onResponseError(): void {
    this.finish({ _tag: "Broken", began: this.began })
  }

  private answer(isCut: boolean): void {
    const { chunks, headers, status } = this
    this.finish({ _tag: "Answered", status, headers, bytes: Buffer.concat(chunks), isCut })
  }

  private finish(result: CallResult): void {
    const { report } = this
    this.report = undefined
    clearTimeout(this.timer)
    clearTimeout(this.idle)
    report?.(result)
  }
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body

const expire = (attempt: CallAttempt): void => attempt.abandon()
