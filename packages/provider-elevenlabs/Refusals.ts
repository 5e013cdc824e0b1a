import { jsonOf, memberOf, type NoAnswer, noAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"

/** The port's codes by the vendor's, whatever their status: an exhausted quota is a 401, an unknown voice a 400 or a 404. */
const byCode: ReadonlyMap<string, string> = new Map(
  Object.entries({
    voice_not_found: "voice_unknown",
    quota_exceeded: "quota_exceeded",
    payment_required: "quota_exceeded",
    max_character_limit_exceeded: "text_rejected",
    text_too_long: "text_rejected",
    input_text_empty: "text_rejected",
    content_against_policy: "text_rejected",
    detected_unusual_activity: "credentials_invalid",
    model_not_found: "model_unknown",
    output_format_not_allowed: "output_format_not_allowed"
  })
)

/** The port's codes by the statuses that are certain. */
const byStatus: Readonly<Record<number, string>> = {
  401: "credentials_invalid",
  402: "quota_exceeded",
  403: "credentials_invalid",
  404: "voice_unknown"
}

/**
 * Returns the meaning of a response without audio. A broken call, a 5xx, 408, 409 and 429 leave the outcome open; a 4xx with a code of
 * the table is certain.
 */
export const refusalOf = (result: VendorResult): NoAnswer => {
  if (result._tag === "Broken" || result.status === 409) return { _tag: "Failed", retry_after_ms: null }
  const open = noAnswer(result)
  if (open._tag === "Failed") return open
  const detail = memberOf(jsonOf(result), "detail")
  const code = byCode.get(String(memberOf(detail, "status"))) ?? byCode.get(String(memberOf(detail, "code")))
  return { _tag: "Refused", code: code ?? byStatus[result.status] ?? memberCode(detail) ?? "refused" }
}

/** Returns the code for the member of the request that a validation report names. */
const memberCode = (detail: unknown): string | undefined => {
  if (!Array.isArray(detail)) return undefined
  const members = detail.flatMap((one) => memberOf(one, "loc"))
  if (members.includes("voice_id")) return "voice_unknown"
  return members.includes("text") ? "text_rejected" : undefined
}
