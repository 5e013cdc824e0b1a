import type { ChatRefusal, NotSentReason } from "@carteiro/provider/ChatProvider.ts"

/** Delivery codes by the platform's numbers. gaps-2 E "Upstream code map" */
const byCode: Readonly<Record<number, string>> = {
  10: "upstream_messaging_permission_missing",
  190: "provider_connection_unauthorized",
  200: "upstream_messaging_permission_missing",
  368: "upstream_business_account_locked",
  130472: "upstream_experiment_holdout",
  131005: "upstream_messaging_permission_missing",
  131026: "upstream_recipient_undeliverable",
  131031: "upstream_business_account_locked",
  131037: "upstream_display_name_not_approved",
  131042: "upstream_payment_method_required",
  131047: "service_window_required",
  131049: "upstream_engagement_limited",
  131050: "upstream_marketing_opted_out",
  131052: "upstream_media_download_failed",
  131053: "upstream_media_download_failed",
  131062: "upstream_recipient_phone_required",
  132000: "template_param_mismatch",
  132001: "template_unavailable",
  132005: "template_unavailable",
  132007: "template_unavailable",
  132012: "template_param_mismatch",
  132015: "template_unavailable",
  132016: "template_unavailable",
  132018: "template_param_mismatch",
  133010: "upstream_registration_required",
  141006: "upstream_payment_method_required",
  141008: "upstream_account_inactive",
  141011: "upstream_messaging_permission_missing"
}

/** Refusals because of a rate, whatever their status. gaps-2 D "Throughput exhaustion" */
const throttles: Readonly<Record<number, Exclude<NotSentReason, "transient">>> = {
  4: "throughput",
  17: "throughput",
  613: "throughput",
  80007: "throughput",
  130429: "throughput",
  // The number's quality limits it: the first pause is the longer one of a pair.
  131048: "pair",
  131056: "pair"
}

/** Refusals that pass by themselves, whatever their status. U-SND-09 */
const temporary: ReadonlySet<number> = new Set([1, 2, 341, 131000, 131016, 131057, 133004])

/**
 * Returns the reason why a refused call may be repeated; undefined for a refusal that stays. An error that the platform
 * calls transient is one, also where its number otherwise stays, such as 368. U-SND-09
 */
export const notSentReason = (code: number | null, error: unknown): NotSentReason | undefined => {
  const throttled = throttleOf(code)
  if (throttled !== undefined) return throttled
  const isTransient =
    typeof error === "object" && error !== null && "is_transient" in error && error.is_transient === true
  return isTransient || (code !== null && temporary.has(code)) ? "transient" : undefined
}

/**
 * Returns the delivery code of a refusal; `status` is null for one that a status report brings. gaps-2 E "Upstream code
 * map"
 */
export const deliveryCode = (code: number | null, status: number | null): string => {
  if (code !== null && code in throttles) return "phone_number_rate_limit_exhausted"
  if (status === 401) return "provider_connection_unauthorized"
  return (code === null ? undefined : byCode[code]) ?? "upstream_rejected"
}

/** Returns the rate that a refusal says is used up. */
const throttleOf = (code: number | null): Exclude<NotSentReason, "transient"> | undefined =>
  code === null ? undefined : throttles[code]

/**
 * Returns the platform's error object in the product's members; null when there is none. gaps-2 B "Inner read shapes"
 */
export const refusalOf = (error: unknown, http_status: number | null): ChatRefusal | null => {
  if (typeof error !== "object" || error === null) return null
  const { code, error_data, error_subcode, error_user_title, message, title, type } = error as VendorError
  if (typeof code !== "number" && typeof message !== "string") return null
  return {
    provider: "upstream",
    code: integerOrNull(code),
    subcode: integerOrNull(error_subcode),
    title: textOrNull(title) ?? textOrNull(error_user_title) ?? textOrNull(type),
    message: textOrNull(error_data?.details) ?? textOrNull(message),
    http_status
  }
}

interface VendorError {
  readonly code?: unknown
  readonly error_subcode?: unknown
  readonly error_user_title?: unknown
  readonly title?: unknown
  readonly type?: unknown
  readonly message?: unknown
  readonly error_data?: { readonly details?: unknown } | null
}

const integerOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** Returns a text of the platform, shortened. */
const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, 1000) : null
