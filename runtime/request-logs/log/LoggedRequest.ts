import { parseText } from "@carteiro/http-edge/Json.ts"
import type { RedactionMemory } from "./RedactionMemory.ts"
import type { WaitingRequest } from "./RequestBuffer.ts"
import type { RequestLine } from "./RequestLines.ts"
import { isOfTenant, masked, maskFilter, maskPath, maskTexts, RequestRedaction } from "./RequestRedaction.ts"

/** The most bytes of a body as stored. */
const maxKept = 16_384

/** The encrypted part of a request. */
export interface RequestDetails {
  readonly masked: boolean
  readonly path: string
  /** Null for none. */
  readonly query: string | null
  readonly idempotency_key: string | null
  readonly request_body: unknown
  readonly response_body: unknown
}

/** A request whose project's country is known. */
export interface LocatedRequest extends WaitingRequest {
  readonly region: string
}

/** A request as the log keeps it: its line in lists, its details without secrets, and the marks that find them. */
export interface LoggedRequest {
  readonly line: RequestLine
  readonly details: RequestDetails
  /** The marks of the customers whom the details name. */
  readonly subjects: ReadonlyArray<number>
}

/** Redacts a finished request. */
export const readRequest = (request: LocatedRequest, memory: RedactionMemory): LoggedRequest => {
  const { environment_id, api_key_id } = request.owner
  const answer = parsed(request.answer)
  const { details, subjects } = detailsOf(request, answer, memory)
  return {
    line: {
      id: request.requestId,
      api_key_id,
      method: request.method,
      route: routeOf(request),
      status: request.status,
      code: request.status < 400 ? null : codeIn(answer),
      duration_ms: Math.max(0, Math.round(request.millis)),
      source_address: request.ip,
      replayed: request.isReplayed,
      warning: request.warning ?? null,
      trace_id: request.traceId,
      created_at: request.arrivedAt
    },
    details,
    subjects: subjects?.map((subject) => memory.mark(environment_id, subject)) ?? []
  }
}

const detailsOf = (request: LocatedRequest, answer: unknown, memory: RedactionMemory) => {
  const redaction = new RequestRedaction(request.region, memory)
  const route = routeOf(request)
  const path = redaction.path(request.path)
  const query = redaction.query(request.search)
  const [key] = request.idempotencyKeys.filter((one) => one !== "")
  const idempotency_key = key === undefined ? null : redaction.text(key)
  const request_body = redaction.json(parsed(request.body), true)
  const response_body = redaction.json(answer, false)
  const { subjects } = redaction
  const isMasked = subjects === undefined && !isOfTenant(route)
  const details: RequestDetails = isMasked
    ? {
        masked: true,
        path: maskPath(path, route),
        query: queryText(query.map(maskFilter)),
        idempotency_key: idempotency_key === null ? null : (maskTexts(idempotency_key) as string),
        request_body: withinBounds(maskTexts(request_body), request.body),
        response_body: withinBounds(
          withMaskedPath(maskTexts(response_body), request.path, maskPath(path, route)),
          request.answer
        )
      }
    : {
        masked: false,
        path,
        query: queryText(query),
        idempotency_key,
        request_body: withinBounds(request_body, request.body),
        response_body: withinBounds(response_body, request.answer)
      }
  return { details, subjects }
}

/** The message of `route_not_found` repeats the path, which is the caller's word and is masked like the path itself. */
const withMaskedPath = (answer: unknown, path: string, shown: string): unknown => {
  const refusal = (answer as { readonly error?: { readonly code?: unknown; readonly message?: unknown } } | null)?.error
  if (refusal?.code !== "route_not_found" || typeof refusal.message !== "string") return answer
  const message = refusal.message.includes(path) ? refusal.message.replace(path, () => shown) : masked
  return { ...(answer as object), error: { ...refusal, message } }
}

/** Returns the route as the documentation writes it. */
const routeOf = ({ route }: Pick<WaitingRequest, "route">): string =>
  route.includes(":") ? route.replaceAll(/:(\w+)/g, "{$1}") : route

const queryText = (query: ReadonlyArray<readonly [string, string]>): string | null =>
  query.length === 0 ? null : query.map(([name, value]) => `${name}=${value}`).join("&")

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : parseText(text)) ?? null

/** A redacted body is at most so many times as long as what was sent: `""` becomes `"[REDACTED]"`. */
const mostGrowth = 12

const withinBounds = (body: unknown, { length }: string = ""): unknown =>
  length * mostGrowth <= maxKept || body === null || Buffer.byteLength(JSON.stringify(body)) <= maxKept ? body : null

const codeIn = (answer: unknown): string | null => {
  const code = (answer as { readonly error?: { readonly code?: unknown } } | null)?.error?.code
  return typeof code === "string" ? code : null
}
