import { Context, type Effect } from "effect"

/** Vendors that synthesize speech; the first of them also transcribes. */
export type SpeechVendor = "speechprov1" | "speechprov2" | "speechprov3"

/** Voices that every driver of a vendor knows by these names; other names are an account's own voices. */
export type NeutralVoice = "ana" | "bia" | "clara" | "lia" | "caio" | "davi" | "rui" | "theo"

/** A text to synthesize. */
export interface Speech {
  /** The id of every try, so that a vendor renders the text once. */
  readonly external_id: string
  readonly text: string
  readonly voice: string
  readonly language: string
}

/** The result of a synthesis. */
export type SpeechAnswer =
  | { readonly _tag: "Spoken"; readonly mime_type: string; readonly audio: Uint8Array }
  /** Certainly refused: a retry does not help. */
  | { readonly _tag: "Refused"; readonly code: string }
  /** No usable response, or one that asks for a retry. */
  | { readonly _tag: "Failed"; readonly retry_after_ms: number | null }

/** A recording to transcribe. */
export interface Recording {
  readonly external_id: string
  /** The language; null lets the vendor detect it. */
  readonly language: string | null
  readonly mime_type: string
  readonly filename: string
  readonly audio: Uint8Array
}

/** The state of a transcription. */
export type TranscriptionAnswer =
  /** Still running: ask again by this id. */
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
  /** Sends a recording. */
  readonly transcribe: (key: string, recording: Recording) => Effect.Effect<TranscriptionAnswer>
  /** Reads the state of a recording that was sent. */
  readonly transcription: (key: string, id: string) => Effect.Effect<TranscriptionAnswer>
}

/** The speech vendors of this installation. */
export const SpeechProviders = Context.Reference<{ readonly [V in SpeechVendor]?: SpeechProvider }>(
  "@carteiro/provider/SpeechProviders",
  { defaultValue: () => ({}) }
)
