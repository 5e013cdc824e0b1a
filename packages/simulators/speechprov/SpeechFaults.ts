import type { Faults } from "../kit/Faults.ts"
import type { Call } from "../kit/Routes.ts"
import { lostCallNames, type Struck, strikeBefore as strike } from "../kit/Strikes.ts"
import { refusalNames, speechError } from "./SpeechErrors.ts"

/** What a call is about, as faults name it. */
export type SpeechOperation = "speech" | "speech_status" | "file" | "transcriptions" | "transcription_status"

/**
 * Every fault by name, beside refusals and lost calls: `stuck` never comes to an end, `late_failure` fails only when asked
 * how far it is, `anothers` answers that as of another job, `wrong_type`, `wrong_bytes` and `empty_audio` are of no use, `foreign_url` leads to another host.
 */
export const speechFaultNames = [
  ...refusalNames,
  ...lostCallNames,
  "stuck",
  "late_failure",
  "anothers",
  "wrong_type",
  "wrong_bytes",
  "empty_audio",
  "foreign_url"
] as const

/** The refusal or the lost call that hits before anything is done. */
export const strikeBefore = (faults: Faults, operation: SpeechOperation, call: Call): Struck | undefined =>
  strike(faults, refusalNames, (code, value) => speechError(code, "simulated", value), operation, call)
