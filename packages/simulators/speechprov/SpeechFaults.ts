import type { Faults } from "../kit/Faults.ts"
import type { Answered, Call } from "../kit/Routes.ts"
import { refusalNames, type SpeechRefusal, speechError } from "./SpeechErrors.ts"

/** What a call is about, as faults name it. */
export type SpeechOperation = "speech" | "speech_status" | "file" | "transcriptions" | "transcription_status"

/** Hits before anything is done: the vendor does not have it. */
const before = ["timeout", "reset", "error_500"] as const
/** Hits when the vendor has it and only the answer is lost. */
const after = ["timeout_after", "reset_after", "error_500_after"] as const

/**
 * Every fault by name, beside refusals and lost calls: `stuck` never comes to an end, `late_failure` fails only when asked
 * how far it is, `wrong_type`, `wrong_bytes` and `empty_audio` are of no use, `foreign_url` leads to another host.
 */
export const speechFaultNames = [
  ...refusalNames,
  ...before,
  ...after,
  "stuck",
  "late_failure",
  "wrong_type",
  "wrong_bytes",
  "empty_audio",
  "foreign_url"
] as const

/** How a call ends by fault. */
export interface Struck {
  readonly name: string
  /** Undefined: it is left without an answer. */
  readonly answer: Answered | undefined
}

/** The refusal or the lost call that hits before anything is done. */
export const strikeBefore = (faults: Faults, operation: SpeechOperation, call: Call): Struck | undefined => {
  const fault = faults.hit([...refusalNames, ...before], { operation })
  if (fault === undefined) return undefined
  const answer = refusalNames.includes(fault.name as SpeechRefusal)
    ? speechError(fault.name as SpeechRefusal, "simulated", fault.value)
    : lost(fault.name, call)
  return { name: fault.name, answer }
}

/** The lost answer of a call that was done. */
export const strikeAfter = (faults: Faults, operation: SpeechOperation, call: Call): Struck | undefined => {
  const fault = faults.hit(after, { operation })
  return fault && { name: fault.name, answer: lost(fault.name, call) }
}

const lost = (name: string, { response }: Call): Answered | undefined => {
  if (name.startsWith("error_500")) return { status: 500, body: { error: { code: "internal", message: "simulated" } } }
  if (name.startsWith("reset")) response.destroy()
  return undefined
}
