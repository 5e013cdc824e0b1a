import { Context, type Effect } from "effect"

/** Vendors that speak; the first of them also writes down. */
export type SpeechVendor = "speechprov1" | "speechprov2" | "speechprov3"

/** A text to be spoken. */
export interface Speech {
  /** The same for every try, so that a vendor renders it once. */
  readonly external_id: string
  readonly text: string
  readonly voice: string
  readonly language: string
}

/** The result of a text that was to be spoken. */
export type SpeechAnswer =
  | { readonly _tag: "Spoken"; readonly mime_type: string; readonly audio: Uint8Array }
  /** Definitely refused: another try changes nothing. */
  | { readonly _tag: "Refused"; readonly code: string }
  /** No usable answer, or one that says to come again. */
  | { readonly _tag: "Failed"; readonly retry_after_ms: number | null }

/** A recording to be written down. */
export interface Recording {
  readonly external_id: string
  /** Null lets the vendor find out. */
  readonly language: string | null
  readonly mime_type: string
  readonly filename: string
  readonly audio: Uint8Array
}

/** Where a transcription stands. */
export type TranscriptionAnswer =
  /** Ask again by this id. */
  | { readonly _tag: "Processing"; readonly id: string }
  | {
      readonly _tag: "Written"
      readonly text: string
      readonly language: string | null
      readonly duration_seconds: number | null
      readonly model: string | null
    }
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Failed"; readonly retry_after_ms: number | null }

/** Port to a vendor of speech; `key` is the credential of the environment. */
export interface SpeechProvider {
  readonly speak: (key: string, speech: Speech) => Effect.Effect<SpeechAnswer>
  /** Hands a recording over. */
  readonly transcribe: (key: string, recording: Recording) => Effect.Effect<TranscriptionAnswer>
  /** Reads the state of a recording that was handed over. */
  readonly transcription: (key: string, id: string) => Effect.Effect<TranscriptionAnswer>
}

/** The vendors this installation is set up for. */
export const SpeechProviders = Context.Reference<{ readonly [V in SpeechVendor]?: SpeechProvider }>(
  "@carteiro/provider/SpeechProviders",
  { defaultValue: () => ({}) }
)
