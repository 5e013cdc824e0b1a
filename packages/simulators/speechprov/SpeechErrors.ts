import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The vendors' refusals: HTTP status by code. */
const refusals = {
  voice_unknown: 400,
  text_rejected: 422,
  audio_invalid: 422,
  credentials_invalid: 401,
  quota_exceeded: 429
} as const

/** A code of the vendors. */
export type SpeechRefusal = keyof typeof refusals

export const refusalNames = Object.keys(refusals) as ReadonlyArray<SpeechRefusal>

/** Returns the body of a refusal; one for a used-up quota has the seconds to wait. */
export const speechError = (code: SpeechRefusal, message: string = code, afterSeconds = 1): SimulatedAnswer => ({
  status: refusals[code],
  body: { error: { code, message } },
  ...(code === "quota_exceeded" ? { headers: { "retry-after": String(afterSeconds) } } : undefined)
})
