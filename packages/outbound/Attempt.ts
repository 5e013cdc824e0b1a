import type { Dispatcher } from "undici"

/** The reason why an attempt failed; null when it succeeded or the response belongs to no class. A-WHV-07, A-WHV-08 */
export type FailureClass = "auth_rejected" | "server_error" | "unreachable" | "timeout"

/** The result of one request; it succeeded when `status_code` is 200..299. A-WHV-06..09 */
export interface OutboundResult {
  readonly status_code: number | null
  readonly failure_class: FailureClass | null
  /** The first bytes of the response, not redacted; null when there were none. */
  readonly body: Uint8Array | null
  /** A fixed sentence that never names an address from a look-up; null when the receiver answered. */
  readonly error_message: string | null
  /** True when no request was made because this node had no socket left: it says nothing about the receiver. */
  readonly exhausted?: true
}

/** Returns the result of an attempt without a response. */
export const failed = (failure_class: "unreachable" | "timeout", error_message: string): OutboundResult => ({
  status_code: null,
  failure_class,
  body: null,
  error_message
})

/** Returns the result of an attempt with a response. gaps-1 K "failure_class mapping" */
export const attemptResult = (status: number, body: Uint8Array | null): OutboundResult => ({
  status_code: status,
  failure_class:
    status === 401 || status === 403 ? "auth_rejected" : status >= 500 && status <= 599 ? "server_error" : null,
  body,
  error_message: null
})

/** The result when the rules refuse the destination, so that no attempt is made. gaps-1 J "Unsafe destinations" */
export const notAllowed = failed("unreachable", "The destination is not allowed.")

/** The result of an attempt whose caller no longer waits. */
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

/**
 * Returns the result for an error of the client, with the class that the contract names. gaps-1 K "failure_class
 * mapping"
 */
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

/** Error codes of a connection that the other side ended. */
const endings = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

/** One connection that carries requests one after another. */
export interface Carrier {
  /** The number of requests on the connection since it was opened. */
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
   * Takes `again`, which sends the request once more on a separate connection: a receiver may end a kept connection at
   * the moment of its use, which says nothing about the request.
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

  /** Gives the result once; later events of the client are ignored. */
  finish(result: OutboundResult): void {
    const report = this.report
    this.report = undefined
    clearTimeout(this.timer)
    report?.(result)
  }

  /** Gives the result and closes the socket; a request that waits for a socket is closed when it gets one. */
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
    if (this.size >= this.maxBytes) this.end(attemptResult(this.status, this.body()))
  }

  onResponseEnd(): void {
    this.finish(attemptResult(this.status, this.body()))
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
