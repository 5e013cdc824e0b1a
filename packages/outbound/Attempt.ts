import type { Dispatcher } from "undici"

/** Why an attempt failed; null when it succeeded or the answer belongs to no class. A-WHV-07, A-WHV-08 */
export type FailureClass = "auth_rejected" | "server_error" | "unreachable" | "timeout"

/** The result of one request; it succeeded when `status_code` is 200..299. A-WHV-06..09 */
export interface OutboundResult {
  readonly status_code: number | null
  readonly failure_class: FailureClass | null
  /** The first bytes of the answer, not redacted; null when there were none. */
  readonly body: Uint8Array | null
  /** A fixed sentence that never names an address we looked up; null when the receiver answered. */
  readonly error_message: string | null
  /** No request was made, for want of a socket on this side: it says nothing of the receiver. */
  readonly exhausted?: true
}

/** An attempt that brought no answer. */
export const failed = (failure_class: "unreachable" | "timeout", error_message: string): OutboundResult => ({
  status_code: null,
  failure_class,
  body: null,
  error_message
})

/** An attempt that was answered. gaps-1 K "failure_class mapping" */
export const answered = (status: number, body: Uint8Array | null): OutboundResult => ({
  status_code: status,
  failure_class:
    status === 401 || status === 403 ? "auth_rejected" : status >= 500 && status <= 599 ? "server_error" : null,
  body,
  error_message: null
})

/** The attempt that is not made, because the rules refuse its destination. gaps-1 J "Unsafe destinations" */
export const notAllowed = failed("unreachable", "The destination is not allowed.")

/** Nobody waits for the result any more. */
export const cancelled = failed("unreachable", "The attempt was cancelled.")

const timeouts: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: "The connection was not established in time.",
  ETIMEDOUT: "The connection was not established in time.",
  UND_ERR_HEADERS_TIMEOUT: "The receiver did not answer in time.",
  UND_ERR_BODY_TIMEOUT: "The receiver did not finish its answer in time."
}

const failures: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was reset by the receiver.",
  EPIPE: "The connection was reset by the receiver.",
  UND_ERR_SOCKET: "The connection was closed before a complete answer.",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The connection was closed before a complete answer.",
  UND_ERR_HEADERS_OVERFLOW: "The headers of the answer were too large.",
  EHOSTUNREACH: "The receiver's network could not be reached.",
  ENETUNREACH: "The receiver's network could not be reached.",
  ENOTFOUND: "The host name did not resolve."
}

/** Error codes of a system that has no socket left. */
const wants: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOBUFS"])

const exhausted: OutboundResult = { ...failed("unreachable", "There was no socket left."), exhausted: true }

/** Maps what the client reports to the class the contract names. gaps-1 K "failure_class mapping" */
export const failureOf = (error: Error): OutboundResult => {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  if (wants.has(code)) return exhausted
  const late = timeouts[code]
  if (late !== undefined) return failed("timeout", late)
  const known = failures[code]
  if (known !== undefined) return failed("unreachable", known)
  if (code.startsWith("HPE_")) return failed("unreachable", "The answer was not valid HTTP.")
  if (/CERT|SIGNATURE|CRL|SELF_SIGNED/.test(code)) {
    return failed("unreachable", `The TLS certificate was not accepted (${code}).`)
  }
  if (/^ERR_SSL|^ERR_TLS|^EPROTO$/.test(code)) return failed("unreachable", "The TLS handshake failed.")
  return failed("unreachable", "The connection failed.")
}

/** How a client reports that the other side ended a connection. */
const endings = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

/** One connection that carries requests one after the other. */
export interface Carrier {
  /** Requests put on the connection since it was opened. */
  carried: number
}

/** Follows one request from dispatch to its only result, whatever the receiver does. gaps-1 K */
export class Attempt implements Dispatcher.DispatchHandler {
  /** Set as the request is given to a connection. */
  carrier: Carrier | undefined
  private controller: Dispatcher.DispatchController | undefined
  private kept = false
  private status = 0
  private size = 0
  private readonly chunks: Array<Buffer> = []
  private readonly timer: NodeJS.Timeout
  private readonly maxBytes: number
  private report: ((result: OutboundResult) => void) | undefined
  private again: ((attempt: Attempt) => void) | undefined

  /**
   * `again` sends the request once more, on a connection of its own: a receiver may end a kept connection at the very
   * moment it is used, which says nothing of how it takes the request.
   */
  constructor(
    totalMs: number,
    maxBytes: number,
    report: (result: OutboundResult) => void,
    again: (attempt: Attempt) => void
  ) {
    this.maxBytes = maxBytes
    this.report = report
    this.again = again
    this.timer = setTimeout(expire, Math.max(1, totalMs), this)
  }

  /** Gives the result once; later words of the client are not heard. */
  finish(result: OutboundResult): void {
    const report = this.report
    this.report = undefined
    clearTimeout(this.timer)
    report?.(result)
  }

  /** Gives the result and closes the socket; a request still waiting for one is closed when it gets it. */
  end(result: OutboundResult): void {
    this.finish(result)
    this.controller?.abort(new Error("over"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.carrier !== undefined) this.kept = this.carrier.carried++ > 0
    if (this.report === undefined) controller.abort(new Error("over"))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.size >= this.maxBytes) this.end(answered(this.status, this.body()))
  }

  onResponseEnd(): void {
    this.finish(answered(this.status, this.body()))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { again } = this
    this.again = undefined
    if (this.kept && this.status === 0 && again !== undefined && this.report !== undefined && isEnding(error)) {
      again(this)
    } else this.finish(failureOf(error))
  }

  private body(): Uint8Array | null {
    return this.size === 0 ? null : Buffer.concat(this.chunks, Math.min(this.size, this.maxBytes))
  }
}

const isEnding = (error: Error): boolean => "code" in error && endings.has(String(error.code))

const expire = (attempt: Attempt): void => attempt.end(failed("timeout", "The attempt took longer than allowed."))
