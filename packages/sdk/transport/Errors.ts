import type { ErrorCode } from "../generated/Types.ts"

/** One error that this client throws. */
export class CarteiroError extends Error {
  override readonly name: string = "CarteiroError"
}

/** No answer arrived: the connection was refused, cut or never made. Whether the operation ran is unknown. A-ERR-39 */
export class CarteiroConnectionError extends CarteiroError {
  override readonly name: string = "CarteiroConnectionError"
}

/** No answer arrived within `timeoutMs`. Whether the operation ran is unknown. */
export class CarteiroTimeoutError extends CarteiroConnectionError {
  override readonly name: string = "CarteiroTimeoutError"
}

/** A text is no phone number, or no tax id. Nothing was sent to the API. */
export class CarteiroSpellingError extends CarteiroError {
  override readonly name: string = "CarteiroSpellingError"
  /** What is wrong, such as `invalid`, `decimal` or `check_digits`. New reasons may appear. */
  readonly reason: string
  /** What was probably meant; undefined where nothing suggests it. */
  readonly likely: string | undefined

  constructor(reason: string, message: string, likely: string | undefined) {
    super(message)
    this.reason = reason
    this.likely = likely
  }
}

/** The body of an error answer. New members may appear. A-VER-05 */
export interface ErrorBody {
  readonly type?: string
  readonly code?: string
  readonly message?: string
  readonly param?: string
  readonly request_id?: string
  readonly trace_id?: string
  readonly retry_after_ms?: number
  readonly retryable?: boolean
  readonly doc_url?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly feedback?: { readonly endpoint: string; readonly method: string }
}

/** The API refused the request, or failed. Decide by `code`; an unknown code is treated by its `status`. A-ERR-01 */
export class CarteiroApiError extends CarteiroError {
  override readonly name: string = "CarteiroApiError"
  readonly status: number
  /** Category of the code. New categories may appear. */
  readonly type: string
  /** The reason, such as `service_window_required`. New codes may appear. */
  readonly code: ErrorCode
  /** Path of the refused field, or name of the refused parameter or header. */
  readonly param: string | undefined
  /** Identifies the request; quote it when you ask for help. */
  readonly requestId: string | undefined
  readonly traceId: string | undefined
  /** False when the request, sent again unchanged, is refused again. */
  readonly retryable: boolean
  /** Milliseconds to wait before the next try, when the API says so. A-ERR-41 */
  readonly retryAfterMs: number | undefined
  /** Details for the code, such as the missing scopes. */
  readonly details: Readonly<Record<string, unknown>>
  /** Page that explains the code. */
  readonly docUrl: string | undefined
  /** Route for reports about this error. */
  readonly feedback: { readonly endpoint: string; readonly method: string } | undefined
  readonly headers: Headers

  constructor(status: number, headers: Headers, body: ErrorBody, text: string) {
    super(body.message ?? (text === "" ? `HTTP ${status}` : `HTTP ${status}: ${text.slice(0, 200)}`))
    this.status = status
    this.headers = headers
    this.type = body.type ?? "unknown"
    this.code = body.code ?? `http_${status}`
    this.param = body.param
    this.requestId = body.request_id ?? headers.get("svc-request-id") ?? undefined
    this.traceId = body.trace_id ?? headers.get("svc-trace-id") ?? undefined
    this.retryable = body.retryable ?? (status === 429 || status >= 500)
    this.retryAfterMs = body.retry_after_ms ?? retryAfterOf(headers)
    this.details = body.details ?? {}
    this.docUrl = body.doc_url
    this.feedback = body.feedback
  }
}

/** The request is not valid: `param` names the field. */
export class CarteiroInvalidRequestError extends CarteiroApiError {
  override readonly name = "CarteiroInvalidRequestError"
}
/** The API key is missing, unknown, expired or revoked. */
export class CarteiroAuthenticationError extends CarteiroApiError {
  override readonly name = "CarteiroAuthenticationError"
}
/** The credit balance, a spend cap or a saved card stands in the way. */
export class CarteiroPaymentRequiredError extends CarteiroApiError {
  override readonly name = "CarteiroPaymentRequiredError"
}
/** The key lacks a scope, or the capability is switched off. */
export class CarteiroPermissionError extends CarteiroApiError {
  override readonly name = "CarteiroPermissionError"
}
/** The thing does not exist in this environment. */
export class CarteiroNotFoundError extends CarteiroApiError {
  override readonly name = "CarteiroNotFoundError"
}
/** The thing is in a state that does not allow the operation. */
export class CarteiroConflictError extends CarteiroApiError {
  override readonly name = "CarteiroConflictError"
}
/** The idempotency key was used for another request, or its first request is still running. */
export class CarteiroIdempotencyError extends CarteiroApiError {
  override readonly name = "CarteiroIdempotencyError"
}
/** A rate limit is reached: wait `retryAfterMs`. */
export class CarteiroRateLimitError extends CarteiroApiError {
  override readonly name = "CarteiroRateLimitError"
}
/** A vendor behind the API refused or failed. */
export class CarteiroProviderError extends CarteiroApiError {
  override readonly name = "CarteiroProviderError"
}
/** The API is overloaded or cannot reach its database for the moment. */
export class CarteiroServiceUnavailableError extends CarteiroApiError {
  override readonly name = "CarteiroServiceUnavailableError"
}
/** A fault of the API. */
export class CarteiroInternalError extends CarteiroApiError {
  override readonly name = "CarteiroInternalError"
}

/** A webhook that is not to be trusted; `reason` says why. A-SIG-12 */
export class CarteiroSignatureError extends CarteiroError {
  override readonly name = "CarteiroSignatureError"
  readonly reason: SignatureRefusal
  constructor(reason: SignatureRefusal, sentence: string = reason.replaceAll("_", " ")) {
    super(`webhook refused: ${sentence}`)
    this.reason = reason
  }
}

/** Why a webhook is refused. */
export type SignatureRefusal =
  | "missing_header"
  | "malformed_timestamp"
  | "timestamp_outside_tolerance"
  | "malformed_signature"
  | "signature_mismatch"
  | "malformed_body"
  | "missing_body"
  | "parsed_body"

type ApiErrorClass = new (status: number, headers: Headers, body: ErrorBody, text: string) => CarteiroApiError

const classOfType: ReadonlyMap<string, ApiErrorClass> = new Map<string, ApiErrorClass>([
  ["validation_error", CarteiroInvalidRequestError],
  ["authentication_error", CarteiroAuthenticationError],
  ["payment_required", CarteiroPaymentRequiredError],
  ["authorization_error", CarteiroPermissionError],
  ["not_found", CarteiroNotFoundError],
  ["conflict", CarteiroConflictError],
  ["idempotency_conflict", CarteiroIdempotencyError],
  ["rate_limited", CarteiroRateLimitError],
  ["provider_error", CarteiroProviderError],
  ["service_unavailable", CarteiroServiceUnavailableError],
  ["internal_error", CarteiroInternalError]
])

/** Classes for answers without a known type, such as those of a proxy between client and API. */
const classOfStatus: ReadonlyMap<number, ApiErrorClass> = new Map<number, ApiErrorClass>([
  [401, CarteiroAuthenticationError],
  [403, CarteiroPermissionError],
  [404, CarteiroNotFoundError],
  [429, CarteiroRateLimitError],
  [500, CarteiroInternalError],
  [502, CarteiroServiceUnavailableError],
  [503, CarteiroServiceUnavailableError],
  [504, CarteiroServiceUnavailableError]
])

/** Returns the error of an answer with a status of 400 and above. */
export const apiErrorOf = (status: number, headers: Headers, text: string): CarteiroApiError => {
  const body = errorBodyOf(text)
  const Class = classOfType.get(body.type ?? "") ?? classOfStatus.get(status) ?? CarteiroApiError
  return new Class(status, headers, body, text)
}

const errorBodyOf = (text: string): ErrorBody => {
  try {
    const parsed: unknown = JSON.parse(text)
    const error = typeof parsed === "object" && parsed !== null && "error" in parsed ? parsed.error : undefined
    return typeof error === "object" && error !== null ? error : {}
  } catch {
    return {}
  }
}

/** Proxies write `Retry-After` as a date too, which is read against the date of the answer. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const header = headers.get("retry-after") ?? ""
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const wait = Date.parse(header) - Date.parse(headers.get("date") ?? "")
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
