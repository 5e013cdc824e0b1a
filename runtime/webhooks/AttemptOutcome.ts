import type { FailureClass } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"

/** How a call to a receiver ended on the wire. gaps-1 K "Success, timeouts, redirects" */
export type CallEnd =
  | { readonly kind: "answered"; readonly status: number; readonly body: Uint8Array }
  | {
      readonly kind: "unreachable"
      readonly reason: "dns_failed" | "connection_failed" | "tls_failed" | "address_blocked"
    }
  | { readonly kind: "timeout"; readonly reason: "connect_timeout" | "response_timeout" }

/** What an attempt records of its call. A-WHV-05..09 */
export interface AttemptOutcome {
  readonly succeeded: boolean
  readonly status_code: number | null
  readonly failure_class: FailureClass | null
  readonly response_body_redacted: string | null
  /** A stable token, null on success. */
  readonly error_message: string | null
}

/** Characters of an answer that are kept. gaps-1 K "response_body_redacted" */
export const keptCharacters = 1024

/** Judges one call; `redact` takes credentials out of text. gaps-1 K "Success, timeouts, redirects", "failure_class mapping" */
export const judge = (end: CallEnd, redact: (text: string) => string): AttemptOutcome => {
  if (end.kind !== "answered") {
    return {
      succeeded: false,
      status_code: null,
      failure_class: end.kind,
      response_body_redacted: null,
      error_message: end.reason
    }
  }
  const succeeded = end.status >= 200 && end.status <= 299
  return {
    succeeded,
    status_code: end.status,
    failure_class: succeeded ? null : classOf(end.status),
    response_body_redacted: excerpt(end.body, redact),
    error_message: succeeded ? null : "unexpected_status"
  }
}

/**
 * The first 1024 characters of an answer, null when it has none. Redaction comes before the cut, so that a credential
 * cannot survive as a half; NUL becomes U+FFFD, since a text column refuses it. gaps-1 K "response_body_redacted"
 */
export const excerpt = (body: Uint8Array, redact: (text: string) => string): string | null => {
  if (body.length === 0) return null
  const text = redact(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body).replaceAll("\0", "\ufffd"))
  let kept = 0
  let end = 0
  for (const character of text) {
    if (kept === keptCharacters) break
    kept++
    end += character.length
  }
  return text.slice(0, end)
}

const classOf = (status: number): FailureClass | null =>
  status === 401 || status === 403 ? "auth_rejected" : status >= 500 && status <= 599 ? "server_error" : null
