import type { IncomingMessage } from "node:http"

/** The parts of a request's line and headers that the pipeline needs, read in one pass over the raw headers. */
export interface RequestHead {
  readonly method: string
  /** The percent-encoded path as received, without its query. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string
  /** Every Authorization header; the contract allows exactly one. gaps-1 C "401 details" */
  readonly authorization: ReadonlyArray<string>
  /** Cookie and form token, for a route that takes a person's session. */
  readonly cookie: string | undefined
  readonly csrfToken: string | undefined
  /** Every Idempotency-Key header, trimmed. gaps-1 B "Key shape" */
  readonly idempotencyKeys: ReadonlyArray<string>
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly contentLength: number | undefined
  /** True when a body follows, declared or chunked. */
  readonly hasBody: boolean
  /** The number of Host headers; an HTTP/1.1 request has exactly one. */
  readonly hosts: number
  /** The caller's own trace id when it has the accepted form. A-CONV-23 */
  readonly traceId: string | undefined
  /** The caller's `traceparent` header as sent; undefined when there are several. */
  readonly traceparent: string | undefined
  readonly forwardedFor: string | undefined
  /** The Range header; the first if there are several. */
  readonly range: string | undefined
}

/** Returns why a request has no host that it is for: HTTP/1.1 asks for exactly one, HTTP/1.0 for one at most. */
export const hostFault = ({ hosts }: Pick<RequestHead, "hosts">, httpVersion: string): string | undefined => {
  if (hosts > 1) return "The request has more than one Host header."
  return hosts === 0 && httpVersion === "1.1" ? "The request has no Host header." : undefined
}

const none: ReadonlyArray<string> = []
const traceShape = /^[A-Za-z0-9_-]{8,64}$/

/** Reads the head. Header names compare without case; lengths compare first, because most headers are not needed. */
export const readHead = (request: IncomingMessage): RequestHead => {
  const raw = request.rawHeaders
  let authorization: Array<string> | undefined
  let idempotencyKeys: Array<string> | undefined
  let contentType: string | undefined
  let contentEncoding: string | undefined
  let contentLength: number | undefined
  let chunked = false
  let hosts = 0
  let traces = 0
  let traceId: string | undefined
  let traceparents = 0
  let traceparent: string | undefined
  let forwardedFor: string | undefined
  let range: string | undefined
  let cookie: string | undefined
  let csrfToken: string | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string
    const value = raw[index + 1] as string
    switch (name.length) {
      case 4:
        if (is(name, "host")) hosts++
        break
      case 5:
        if (is(name, "range")) range ??= value
        break
      case 6:
        if (is(name, "cookie")) cookie ??= value
        break
      case 11:
        if (is(name, "traceparent") && ++traceparents === 1) traceparent = value
        break
      case 12:
        if (is(name, "content-type")) contentType ??= value
        else if (is(name, "x-csrf-token")) csrfToken ??= value
        else if (is(name, "svc-trace-id") && ++traces === 1) traceId = traceShape.test(value) ? value : undefined
        break
      case 13:
        if (is(name, "authorization")) authorization = append(authorization, value)
        break
      case 14:
        if (is(name, "content-length")) contentLength = Number(value)
        break
      case 15:
        if (is(name, "idempotency-key")) idempotencyKeys = append(idempotencyKeys, value.trim())
        else if (is(name, "x-forwarded-for"))
          forwardedFor = forwardedFor === undefined ? value : `${forwardedFor},${value}`
        break
      case 16:
        if (is(name, "content-encoding")) contentEncoding = value
        break
      case 17:
        if (is(name, "transfer-encoding")) chunked = true
        break
    }
  }
  const target = originForm(request.url as string)
  const mark = target.indexOf("?")
  return {
    method: request.method as string,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? "" : target.slice(mark + 1),
    authorization: authorization ?? none,
    cookie,
    csrfToken,
    idempotencyKeys: idempotencyKeys ?? none,
    contentType,
    contentEncoding,
    contentLength,
    hasBody: chunked || (contentLength !== undefined && contentLength > 0),
    hosts,
    traceId: traces === 1 ? traceId : undefined,
    traceparent: traceparents === 1 ? traceparent : undefined,
    forwardedFor,
    range
  }
}

const is = (name: string, expected: string): boolean => name === expected || name.toLowerCase() === expected

const append = (list: Array<string> | undefined, value: string): Array<string> => {
  if (list === undefined) return [value]
  list.push(value)
  return list
}

// A server must accept the absolute form too (RFC 9112 3.2.2); its authority is ignored like the Host header.
const originForm = (target: string): string => {
  if (target.charCodeAt(0) === 0x2f) return target
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)
  if (match === null) return target
  const rest = match[1] as string
  return rest.startsWith("/") ? rest : `/${rest}`
}
