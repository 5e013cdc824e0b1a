import { Data, Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { TraceId } from "./Ids.ts"

/** The stable categories of `error.type`. Errors, categories; gaps-1 A "error.type for each shared code" */
export const ErrorType = Schema.Literals([
  "validation_error",
  "authentication_error",
  "payment_required",
  "authorization_error",
  "not_found",
  "conflict",
  "idempotency_conflict",
  "rate_limited",
  "provider_error",
  "service_unavailable",
  "internal_error"
])
export type ErrorType = typeof ErrorType.Type

/** The members of a refusal beyond its code; every member is public by design. A-ERR-01..07 */
export interface ApiErrorMembers {
  /** Dot path of the offending field, or the name of a query parameter or header. A-ERR-02 */
  readonly param?: string | undefined
  /** Replaces the standard message of the class. */
  readonly message?: string | undefined
  /** Exact wait in milliseconds; also sets `Retry-After`, rounded up to seconds. A-ERR-03 */
  readonly retry_after_ms?: number | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
}

/** The fixed facts of one code. */
export interface ApiErrorSpec {
  readonly status: number
  readonly type: ErrorType
  readonly message: string
  /** Adds the pointer to POST /v1/feedback. A-ERR-06, A-ERR-32..37 */
  readonly feedback?: boolean | undefined
  /** Set only where the contract names it (credit_balance_exhausted). A-ERR-05 */
  readonly retryable?: boolean | undefined
}

interface RefusalMembers<Code extends string> extends ApiErrorMembers {
  readonly _tag: Code
  readonly status: number
  readonly type: ErrorType
  readonly feedback?: boolean | undefined
  readonly retryable?: boolean | undefined
}

/** One refusal of the contract: its tag is the public code, its members are the ones that the envelope may carry. */
export class ApiError<Code extends string = string> extends Data.Error<RefusalMembers<Code>> {
  // A refusal reports the caller's mistake, so a stack is of no use; it would cost as much as the whole request.
  constructor(members: RefusalMembers<Code>) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(members)
    Error.stackTraceLimit = limit
  }
}

/** The error envelope on the wire. A-ERR-01 */
export const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    type: Schema.String.annotate({
      description: "Category of the code. New categories may appear.",
      "x-known-values": ErrorType.literals
    }),
    code: Schema.String.annotate({
      identifier: "ErrorCode",
      description:
        "Code of the error, for decisions in your program. Each response of an operation lists its known codes, and new codes may appear: treat an unknown code by its status.",
      examples: ["rate_limited"]
    }),
    message: Schema.String.annotate({ description: "Text for people. It may change; do not compare it." }),
    param: Schema.optionalKey(Schema.String).annotate({
      description: "Dot path of the refused field in the body, or name of the refused parameter or header.",
      examples: ["recipient.id"]
    }),
    request_id: Schema.String.annotate({ description: "Identifies this request; quote it when you ask for help." }),
    trace_id: TraceId,
    retry_after_ms: Schema.optionalKey(Schema.Int).annotate({
      description: "Milliseconds to wait before the next try. The Retry-After header gives this time in seconds."
    }),
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "Details for this code, such as the missing scopes."
    }),
    retryable: Schema.optionalKey(Schema.Boolean).annotate({
      description: "False when repeating the request is refused again."
    }),
    doc_url: Schema.optionalKey(Schema.String).annotate({
      description: "Page about this code: its meaning, causes and remedies.",
      examples: ["https://api.example.com/docs/errors/rate_limited"]
    }),
    feedback: Schema.optionalKey(
      Schema.Struct({ endpoint: Schema.Literal("/v1/feedback"), method: Schema.Literal("POST") })
    ).annotate({ description: "Route for reports about this error." }),
    discovery: Schema.optionalKey(
      Schema.Struct({ openapi: Schema.Literal("/openapi.json"), well_known: Schema.Literal("/.well-known/svc.json") })
    ).annotate({ description: "Address of this service's API description." })
  }).annotateKey({ description: "The error." })
}).annotate({ identifier: "Error" })

/** One code with its fixed facts, as the API description shows it. */
export interface KnownRefusal extends ApiErrorSpec {
  readonly code: string
}

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** The refusal behind an envelope in an endpoint's `error` list. */
      readonly refusal?: KnownRefusal | undefined
    }
  }
}

/** A class of refusals with one code; `wire` is its entry in an endpoint's `error` list. */
export interface ApiErrorClass<Code extends string> {
  new (members?: ApiErrorMembers): ApiError<Code>
  readonly code: Code
  readonly spec: ApiErrorSpec
  readonly wire: Schema.Top
}

/**
 * Declares a refusal that the contract names. Use as `class MessageNotFound extends apiError("message_not_found", {
 * status: 404, type: "not_found", message: "…" }) {}`.
 */
export const apiError = <const Code extends string>(code: Code, spec: ApiErrorSpec): ApiErrorClass<Code> => {
  class Refusal extends ApiError<Code> {
    static readonly code = code
    static readonly spec = spec
    static readonly wire = ErrorEnvelope.pipe(HttpApiSchema.status(spec.status)).annotate({
      refusal: { code, ...spec }
    })
    constructor(members: ApiErrorMembers = {}) {
      super({
        _tag: code,
        status: spec.status,
        type: spec.type,
        feedback: spec.feedback,
        retryable: spec.retryable,
        ...members,
        message: members.message ?? spec.message
      })
    }
  }
  return Refusal
}

const Plain = Schema.Struct({
  _tag: Schema.String,
  status: Schema.Int,
  type: ErrorType,
  message: Schema.String,
  param: Schema.UndefinedOr(Schema.String),
  retry_after_ms: Schema.UndefinedOr(Schema.Number),
  details: Schema.UndefinedOr(Schema.Record(Schema.String, Schema.Unknown)),
  feedback: Schema.UndefinedOr(Schema.Boolean),
  retryable: Schema.UndefinedOr(Schema.Boolean)
})

/** Carries any refusal between nodes; the receiver gets an equal tag and equal members. */
export const ApiErrorCodec: Schema.Codec<ApiError, typeof Plain.Encoded> = Plain.pipe(
  Schema.decodeTo(
    Schema.declare((u): u is ApiError => u instanceof ApiError),
    SchemaTransformation.transform({
      decode: (plain) => new ApiError(plain),
      encode: (error: ApiError) => ({
        _tag: error._tag,
        status: error.status,
        type: error.type,
        message: error.message,
        param: error.param,
        retry_after_ms: error.retry_after_ms,
        details: error.details,
        feedback: error.feedback,
        retryable: error.retryable
      })
    })
  )
)

/** True when a failure is a refusal of the contract. */
export const isApiError = (u: unknown): u is ApiError => u instanceof ApiError
