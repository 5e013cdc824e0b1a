import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The refusals by the names of the bridge's simulator, with ElevenLabs's HTTP status and name. */
const refusals = {
  voice_unknown: [404, "voice_not_found"],
  text_rejected: [400, "input_text_empty"],
  text_too_long: [400, "max_character_limit_exceeded"],
  model_unknown: [400, "model_not_found"],
  format_unavailable: [403, "output_format_not_allowed"],
  credentials_invalid: [401, "invalid_api_key"],
  quota_exceeded: [401, "quota_exceeded"],
  rate_limited: [429, "too_many_concurrent_requests"],
  overloaded: [503, "system_busy"]
} as const

/** A refusal's name. */
export type ElevenLabsRefusal = keyof typeof refusals

export const elevenLabsRefusals = Object.keys(refusals) as ReadonlyArray<ElevenLabsRefusal>

/** Returns ElevenLabs's envelope of a refusal; a limit tells the seconds to wait. */
export const elevenLabsError = (name: ElevenLabsRefusal, message: string = name, afterSeconds = 1): SimulatedAnswer => {
  const [status, vendorStatus] = refusals[name]
  return {
    status,
    body: { detail: { status: vendorStatus, message } },
    ...(status === 429 ? { headers: { "retry-after": String(afterSeconds) } } : undefined)
  }
}

/** Returns the envelope of a call whose parameters have another form. */
export const invalidCall = (loc: ReadonlyArray<string>, msg: string, type = "value_error"): SimulatedAnswer => ({
  status: 422,
  body: { detail: [{ type, loc, msg }] }
})
