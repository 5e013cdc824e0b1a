import { type OperationTraits, takesApiKey } from "@carteiro/schema/conventions/Access.ts"
import type { KnownRefusal } from "@carteiro/schema/conventions/ApiError.ts"
import * as Shared from "@carteiro/schema/conventions/SharedErrors.ts"
import type { ContractOperation } from "./ContractOperation.ts"
import { defined, type Json } from "./Json.ts"

/**
 * Returns the error responses of an operation: every known code of a status, with its sentence, its example, and
 * `x-known-codes` for programs. The code remains a plain string, because new ones may appear. A-ERR-01, A-VER-05
 */
export const refusalResponses = (operation: ContractOperation): Json => {
  const responses: Json = {}
  for (const [status, found] of Map.groupBy(refusalsOf(operation), (one) => one.status)) {
    const codes = [...new Map(found.map((one) => [one.code, one])).values()]
    const [only] = codes
    responses[status] =
      only !== undefined && isOneForAll(only, codes)
        ? { $ref: `#/components/responses/${only.code}` }
        : refusalResponse(status, codes)
  }
  return { ...responses, default: { $ref: "#/components/responses/Error" } }
}

/** The responses that are equal for all operations. */
export const sharedResponses = (): Json =>
  Object.fromEntries(alone.map((one) => [one.code, refusalResponse(one.status, [one])]))

const refusalResponse = (status: number, codes: ReadonlyArray<KnownRefusal>): Json => ({
  description: codes.map(({ code, message }) => `- \`${code}\`: ${message}`).join("\n"),
  "x-known-codes": codes.map(({ code }) => code),
  headers: { ...requestHeaders, ...(delays.has(status) ? retryAfter : {}) },
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Error" },
      examples: Object.fromEntries(codes.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]))
    }
  }
})

/** Returns every code that the contract knows, with one example each. */
export const knownRefusals = (operations: ReadonlyArray<ContractOperation>): ReadonlyMap<string, KnownRefusal> => {
  const found = new Map<string, KnownRefusal>()
  for (const refusal of operations.flatMap(refusalsOf)) {
    if (!found.has(refusal.code)) found.set(refusal.code, refusal)
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the envelope of a refusal as a response carries it. */
export const exampleOf = ({ code, feedback, message, retryable, status, type }: KnownRefusal): Json => ({
  summary: message,
  value: {
    error: defined({
      type,
      code,
      message,
      request_id: "req_01kah7v3m8q6x2r9d4t5w0y1z3",
      trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      retry_after_ms: delays.has(status) ? 1200 : undefined,
      retryable,
      feedback: feedback === true ? { endpoint: "/v1/feedback", method: "POST" } : undefined
    })
  }
})

/** The headers of every refusal, and the delay where one is known. A-ERR-03 */
export const requestHeaders: Json = {
  "svc-request-id": { $ref: "#/components/headers/svc-request-id" },
  "svc-trace-id": { $ref: "#/components/headers/svc-trace-id" }
}
export const retryAfter: Json = { "Retry-After": { $ref: "#/components/headers/Retry-After" } }
const delays = new Set([429, 503])

/** True when an operation reads the idempotency key. A-IDEM-02 */
export const takesKey = ({ idempotency }: OperationTraits): boolean =>
  idempotency !== undefined && idempotency !== "none"

/** Returns the refusals of an operation: those that it declares, and those that follow from its traits. */
export const refusalsOf = (operation: ContractOperation): ReadonlyArray<KnownRefusal> =>
  [...operation.refusals, ...sharedOf(operation)].sort((a, b) => a.status - b.status)

const sharedOf = ({ takesBody, traits }: ContractOperation): ReadonlyArray<KnownRefusal> => {
  const behindKey = takesApiKey(traits)
  const when = (applies: boolean, ...classes: ReadonlyArray<{ readonly code: string; readonly spec: Spec }>) =>
    applies ? classes.map(known) : []
  return [
    ...when(takesKey(traits), Shared.InvalidIdempotencyKey),
    ...(takesBody
      ? [unreadable(400, "The body is not JSON."), unreadable(415, "Send application/json in UTF-8.")]
      : []),
    ...when(behindKey, Shared.AuthenticationError),
    ...when(traits.restrictedWithoutCredit === true, Shared.CreditBalanceExhausted),
    ...when(behindKey, Shared.InsufficientScope, Shared.OrganizationSuspended),
    ...when(traits.capability !== undefined, Shared.FeatureDisabled),
    ...when(behindKey, Shared.ProjectNotFound),
    ...when(takesKey(traits), Shared.IdempotencyKeyConflict, Shared.IdempotencyKeyInProgress),
    ...when(takesBody, Shared.PayloadTooLarge),
    ...when(true, Shared.RateLimited, Shared.InternalError, Shared.ServiceUnavailable)
  ]
}

const known = ({ code, spec }: { readonly code: string; readonly spec: Spec }): KnownRefusal => ({ code, ...spec })

/** Codes that are the only one of their status on most operations. */
const alone = [
  Shared.AuthenticationError,
  Shared.CreditBalanceExhausted,
  Shared.ProjectNotFound,
  Shared.PayloadTooLarge,
  Shared.RateLimited,
  Shared.InternalError,
  Shared.ServiceUnavailable
].map(known)

const isOneForAll = ({ code }: KnownRefusal, codes: ReadonlyArray<KnownRefusal>): boolean =>
  codes.length === 1 && alone.some((one) => one.code === code)

type Spec = Omit<KnownRefusal, "code">

/** Returns a refusal of the framework, which no room declares. A-ERR-22, A-ERR-23 */
const unreadable = (status: number, message: string): KnownRefusal => ({
  code: "http_exception",
  status,
  type: "validation_error",
  message
})
