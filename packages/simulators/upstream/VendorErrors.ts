import { randomBytes } from "node:crypto"
import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The platform's refusals: HTTP status and title by code. */
const refusals: Readonly<Record<number, readonly [status: number, title: string]>> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  3: [500, "Capability or permissions issue"],
  100: [400, "Invalid parameter"],
  4: [400, "Application request limit reached"],
  10: [403, "Application does not have permission for this action"],
  190: [401, "Access token has expired"],
  200: [403, "Permission denied"],
  368: [403, "Temporarily blocked for policies violations"],
  613: [400, "Calls to this api have exceeded the rate limit."],
  80007: [429, "Rate limit issues"],
  130429: [429, "Rate limit hit"],
  130472: [400, "User's number is part of an experiment"],
  131000: [500, "Something went wrong"],
  131016: [503, "Service unavailable"],
  131005: [403, "Access denied"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131021: [400, "Recipient cannot be sender"],
  131026: [400, "Message undeliverable"],
  131031: [403, "Business account has been locked"],
  131037: [400, "Display name has not been approved"],
  131042: [400, "Business eligibility payment issue"],
  131047: [400, "Re-engagement message"],
  131049: [400, "Not delivered to maintain healthy ecosystem engagement"],
  131050: [400, "User has stopped marketing messages"],
  131051: [400, "Message type is currently not supported."],
  131052: [400, "Media download error"],
  131053: [400, "Media upload error"],
  131056: [400, "Pair rate limit hit"],
  131057: [500, "Account in maintenance mode"],
  131062: [400, "BSUID recipients are not supported for this message"],
  132000: [400, "Template param count mismatch"],
  132001: [404, "Template does not exist"],
  132005: [400, "Template hydrated text too long"],
  132007: [400, "Template format character policy violated"],
  132012: [400, "Template parameter format mismatch"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  132018: [400, "Template parameters are not valid"],
  133005: [400, "Two step verification PIN mismatch"],
  133004: [503, "Server Temporarily Unavailable"],
  133006: [400, "Phone number re-verification needed"],
  133008: [400, "Too Many two step verification PIN Guesses"],
  133009: [400, "Two step verification PIN Guessed Too Fast"],
  133010: [400, "Phone number not registered"],
  133015: [400, "Please wait a few minutes before attempting to register this phone number"],
  136024: [400, "Request code error"],
  136025: [400, "Verify code error"],
  141006: [400, "Payment method is missing"],
  141008: [400, "Account is inactive"],
  141011: [400, "Messaging permission is missing"]
}

/** Codes that the platform reports by a failed status instead of refusing the call. */
const asynchronous: ReadonlySet<number> = new Set([130472, 131026, 131047, 131049, 131050, 131052, 131053])

const titleOf = (code: number): string => refusals[code]?.[1] ?? "Unknown error"

/** Codes of refusals that the platform calls temporary. */
const transient: ReadonlySet<number> = new Set([1, 2, 4, 17, 341, 613, 80007, 130429, 131000, 131016, 131056, 131057])

/** The body of a refusal. */
export const vendorError = (
  code: number,
  details = titleOf(code),
  status = refusals[code]?.[0] ?? 400
): SimulatedAnswer => ({
  status,
  body: {
    error: {
      message: `(#${code}) ${titleOf(code)}`,
      type: "OAuthException",
      code,
      error_subcode: 2_494_000 + (code % 1000),
      ...(transient.has(code) ? { is_transient: true } : {}),
      error_data: { messaging_product: "whatsapp", details },
      fbtrace_id: `A${randomBytes(16).toString("base64url")}`
    }
  }
})

/** The error of a failed status. */
export const statusError = (code: number, details = titleOf(code)) => ({
  code,
  title: titleOf(code),
  message: titleOf(code),
  error_data: { details }
})

/** Returns a text of the platform that repeats the recipient of a message. */
export const namingWords = (code: number, to: string, name: string | undefined): string =>
  `${titleOf(code)}: +${to.replace(/\D/g, "")} (${name ?? "no name"})`

/**
 * Returns the code that a recipient simulates: its last six digits name a code of the platform (`+5511913131026`),
 * which refuses the call or comes back as a failed status, as that code does at the platform.
 */
export const recipientCode = (recipient: string): { readonly code: number; readonly late: boolean } | undefined => {
  const code = Number(recipient.replace(/\D/g, "").slice(-6))
  return code > 100_000 && code in refusals ? { code, late: asynchronous.has(code) } : undefined
}
