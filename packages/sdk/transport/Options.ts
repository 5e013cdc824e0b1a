import type { Timing } from "../Timing.ts"
import type { CarteiroError } from "./Errors.ts"

/** Bytes that a request sends as they are. Spelled out, because programs without DOM types have no `BodyInit`. */
export type RequestBytes = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>

/** One HTTP request as it leaves, for hooks. The API key is masked. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** 1 for the first try. */
  readonly attempt: number
}

/** One HTTP response or failure as it arrives, for hooks. */
export interface ReceivedResponse {
  readonly request: SentRequest
  /** Undefined when no response arrived. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly durationMs: number
  readonly error: CarteiroError | undefined
}

/** Settings of a client. */
export interface ClientOptions {
  /** A key of one environment, `svc_sbx_…` or `svc_live_…`. The variable `CARTEIRO_API_KEY` when left out. */
  readonly apiKey?: string | undefined
  /** Origin of the API. The variable `CARTEIRO_API_BASE` when left out, then `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined
  /** Tries after a failure; 3 when left out. With 0 a call that a rate limit refuses does not queue either. */
  readonly maxRetries?: number | undefined
  /** Milliseconds one try may take, its body included, and a call may queue for a rate limit; 60,000 when left out. */
  readonly timeoutMs?: number | undefined
  /** The `fetch` to call; the global one when left out. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Headers sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called before each try leaves. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined
  /** Called after each try, whether or not a response arrived. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined
  /** Replaces clock, sleep and chance; for tests. */
  readonly timing?: Timing | undefined
}

/** Settings of one call; they win over those of the client. */
export interface RequestOptions {
  /** The key under which the operation runs once. Made by the client when left out, where the operation takes one. */
  readonly idempotencyKey?: string | undefined
  readonly maxRetries?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as `svc-trace-id`, so that answers, events and logs carry it. */
  readonly traceId?: string | undefined
}
