import type { NoAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import { failed, pauseOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { isAnswered } from "@carteiro/vendor-http/VendorFetch.ts"
import type { APIError } from "openai"

/** The code of a refusal that names no member of the request, by the subject of the call. */
export type Subject = "text_rejected" | "audio_invalid"

/** The port's codes by the member of a request that the vendor refuses. */
const byMember: ReadonlyMap<string, string> = new Map(
  Object.entries({
    voice: "voice_unknown",
    input: "text_rejected",
    file: "audio_invalid",
    model: "model_unknown"
  })
)

/** Codes of the vendor that are certain whatever their status. */
const byCode: ReadonlyMap<string, string> = new Map(
  Object.entries({
    insufficient_quota: "quota_exceeded",
    invalid_api_key: "credentials_invalid",
    model_not_found: "model_unknown"
  })
)

/**
 * Returns the meaning of a call that brought no result. A broken call, a 5xx, 408, 409 and a passing 429 leave the outcome open; every
 * other status is certain. An exhausted quota is a 429 as well, and a retry does not help.
 */
export const refusalOf = (error: unknown, subject: Subject): NoAnswer => {
  if (!isAnswered<APIError>(error)) return failed
  const { status } = error
  const known = byCode.get(error.code ?? "")
  if (known !== undefined && status < 500) return { _tag: "Refused", code: known }
  if (status >= 500 || status === 408 || status === 409 || status === 429) {
    return { _tag: "Failed", retry_after_ms: pauseAfter(error.headers) }
  }
  if (status === 401 || status === 403) return { _tag: "Refused", code: "credentials_invalid" }
  if (status === 413) return { _tag: "Refused", code: subject }
  if (status !== 400 && status !== 404 && status !== 422) return { _tag: "Refused", code: "refused" }
  return { _tag: "Refused", code: byMember.get(memberOf(error) ?? "") ?? subject }
}

/** Returns the member of the request that an error is about: named by itself, or in the validation report of its message. */
const memberOf = (error: APIError): string | undefined => {
  if (typeof error.param === "string") return error.param
  return /'loc': \('body', '([a-z_]{1,40})'/.exec(error.message)?.[1]
}

/** Returns the pause that a response asks for, in milliseconds. */
const pauseAfter = (headers: Headers | undefined): number | null => {
  const exact = headers?.get("retry-after-ms") ?? ""
  if (/^\d{1,9}$/.test(exact)) return Number(exact)
  return pauseOf(headers?.get("retry-after"))
}
