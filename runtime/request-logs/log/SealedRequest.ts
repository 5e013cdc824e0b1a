import { parseText } from "@carteiro/http-edge/Json.ts"
import { subjectHash } from "@carteiro/owners/Subject.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow, TableRow } from "@carteiro/tables/Table.ts"
import type { WaitingRequest } from "./RequestBuffer.ts"
import type { requestColumns, requestLogsTable } from "./RequestLogTables.ts"
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

const detailsJson = jsonCodec<RequestDetails>()

/** A row of `request_logs`; instants are epoch milliseconds. */
export type RequestLogRow = SelectedRow<typeof requestColumns> & TableRow<typeof requestLogsTable, "details">

/** A request whose project's country is known. */
export interface LocatedRequest extends WaitingRequest {
  readonly region: string
}

/** A row to be written, with the hashes of the customers that its details name, joined by commas. */
export interface SealedRequest extends RequestLogRow {
  readonly subjects: string | null
}

/** Returns the value to which encrypted details are bound: their row. */
const boundOf = (environmentId: string, id: string): string => `${environmentId}/${id}`

/** Returns the details of a row; undefined once they are erased. */
export const openDetails = (
  secrets: Secrets["Service"],
  { details, environment_id, id }: Pick<RequestLogRow, "details" | "environment_id" | "id">
): RequestDetails | undefined => {
  const text = details === null ? undefined : secrets.open("request_log", details, boundOf(environment_id, id))
  return text === undefined ? undefined : detailsJson.read(text)
}

/** Redacts a finished request, and encrypts the rest. */
export const sealRequest = (secrets: Secrets["Service"], request: LocatedRequest): SealedRequest => {
  const { environment, environment_id, api_key_id } = request.owner
  const id = request.requestId
  const answer = parsed(request.answer)
  const { details, subjects } = detailsOf(request, answer)
  return {
    environment_id,
    id,
    production: environment === "production",
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
    created_at: request.arrivedAt,
    details: secrets.seal("request_log", detailsJson.write(details), boundOf(environment_id, id)),
    subjects:
      subjects === undefined ? null : subjects.map((subject) => subjectHash(secrets, environment_id, subject)).join(",")
  }
}

const detailsOf = (request: LocatedRequest, answer: unknown) => {
  const redaction = new RequestRedaction(request.region)
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
        request_body: withinBounds(maskTexts(request_body)),
        response_body: withinBounds(withMaskedPath(maskTexts(response_body), request.path, maskPath(path, route)))
      }
    : {
        masked: false,
        path,
        query: queryText(query),
        idempotency_key,
        request_body: withinBounds(request_body),
        response_body: withinBounds(response_body)
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
const routeOf = ({ route }: Pick<WaitingRequest, "route">): string => route.replaceAll(/:(\w+)/g, "{$1}")

const queryText = (query: ReadonlyArray<readonly [string, string]>): string | null =>
  query.length === 0 ? null : query.map(([name, value]) => `${name}=${value}`).join("&")

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : parseText(text)) ?? null

const withinBounds = (body: unknown): unknown =>
  body !== null && Buffer.byteLength(JSON.stringify(body)) > maxKept ? null : body

const codeIn = (answer: unknown): string | null => {
  const code = (answer as { readonly error?: { readonly code?: unknown } } | null)?.error?.code
  return typeof code === "string" ? code : null
}
