import type { Faults } from "../kit/Faults.ts"
import type { Call } from "../kit/Routes.ts"
import { lostCallNames, type Struck, strikeBefore as strike } from "../kit/Strikes.ts"
import { refusalNames, speechError } from "./SpeechErrors.ts"

/** The operation of a call, as faults name it. */
export type SpeechOperation = "speech" | "speech_status" | "file" | "transcriptions" | "transcription_status"

/**
 * Every fault by name, beside refusals and lost calls: `stuck` never finishes; `late_failure` fails only when its
 * status is read; `anothers` answers that read with another job; `wrong_type`, `wrong_bytes` and `empty_audio` return
 * unusable audio; `foreign_url` leads to another host.
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

/** Returns the refusal or the lost call that a fault causes before the effect. */
export const strikeBefore = (faults: Faults, operation: SpeechOperation, call: Call): Struck | undefined =>
  strike(faults, refusalNames, (code, value) => speechError(code, "simulated", value), operation, call)
