import type { Answered } from "../kit/Routes.ts"

/** How the vendors refuse: HTTP status by code. */
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

/** The body of a refusal; a used up quota says after how many seconds to come again. */
export const speechError = (code: SpeechRefusal, message: string = code, afterSeconds = 1): Answered => ({
  status: refusals[code],
  body: { error: { code, message } },
  ...(code === "quota_exceeded" ? { headers: { "retry-after": String(afterSeconds) } } : undefined)
})
