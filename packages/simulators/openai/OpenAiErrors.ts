import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The refusals by the names of the bridge's simulator, with OpenAI's status, type and code. */
const refusals = {
  voice_unknown: [400, "invalid_request_error", "invalid_value"],
  text_rejected: [400, "invalid_request_error", null],
  audio_invalid: [400, "invalid_request_error", "invalid_value"],
  credentials_invalid: [401, "invalid_request_error", "invalid_api_key"],
  quota_exceeded: [429, "insufficient_quota", "insufficient_quota"],
  rate_limited: [429, "requests", "rate_limit_exceeded"],
  model_unknown: [404, "invalid_request_error", "model_not_found"],
  overloaded: [503, "server_error", null]
} as const

/** A refusal's name. */
export type OpenAiRefusal = keyof typeof refusals

/** The member that a forced refusal is about, where it is always the same. */
const members: { readonly [name in OpenAiRefusal]?: string } = { voice_unknown: "voice", audio_invalid: "file" }

export const openAiRefusals = Object.keys(refusals) as ReadonlyArray<OpenAiRefusal>

/** Returns OpenAI's envelope of a refusal; a limit tells the seconds to wait. */
export const openAiError = (
  name: OpenAiRefusal,
  message: string = name,
  param: string | null = members[name] ?? null,
  afterSeconds = 1
): SimulatedAnswer => {
  const [status, type, code] = refusals[name]
  return {
    status,
    body: { error: { message, type, param, code } },
    ...(name === "rate_limited" || name === "overloaded"
      ? { headers: { "retry-after": String(afterSeconds) } }
      : undefined)
  }
}
