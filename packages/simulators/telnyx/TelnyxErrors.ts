import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The refusals by the simulators' common names: HTTP status, code and title of Telnyx's list, sentence. */
const refusals = {
  credentials_invalid: [401, "10009", "Authentication failed", "The API key is not valid."],
  account_suspended: [403, "10010", "Authorization failed", "The account is not allowed to do this."],
  no_inventory: [422, "10015", "Bad Request", "No such numbers are left."],
  number_unavailable: [422, "10015", "Bad Request", "The phone number is no longer available."],
  idempotency_key_in_use: [409, "10012", "Duplicate resource", "An order of this number is under way."],
  invalid_request: [422, "10004", "Missing required parameter", "A required parameter was missing."],
  not_found: [404, "10005", "Resource not found", "The requested resource or URL could not be found."],
  rate_limited: [429, "10011", "Too many requests", "You have exceeded the maximum number of allowed requests."]
} as const

/** A refusal's name in faults and log. */
export type TelnyxRefusal = keyof typeof refusals

export const telnyxRefusals = Object.keys(refusals) as ReadonlyArray<TelnyxRefusal>

/** Returns a refusal, with the parameter that it is about; one for too many calls has the seconds to wait. */
export const refusalOf = (name: TelnyxRefusal, parameter?: string, afterSeconds = 1): SimulatedAnswer => {
  const [status, code, title, detail] = refusals[name]
  const source = parameter === undefined ? undefined : { source: { parameter } }
  const answer = { status, body: { errors: [{ code, title, detail, ...source }] } }
  return name === "rate_limited" ? { ...answer, headers: { "retry-after": String(afterSeconds) } } : answer
}

/** The answer when Telnyx itself fails. */
export const failure: SimulatedAnswer = {
  status: 500,
  body: { errors: [{ code: "10007", title: "Unexpected error", detail: "An unexpected error occured." }] }
}
