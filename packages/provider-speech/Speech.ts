import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { Effect, type Scope } from "effect"
import { transcribeRecording, transcriptionOf } from "./Recordings.ts"
import { makeSpeechCalls, type SpeechOptions } from "./SpeechCalls.ts"
import { speakText } from "./Texts.ts"

/**
 * A vendor of speech over HTTP, connections kept while the scope is open. All three speak one wire: the answer itself says
 * whether the audio is there, comes later or lies elsewhere. vendor-wires "speechprov1, speechprov2, speechprov3"
 */
export const makeSpeech = (options: SpeechOptions): Effect.Effect<SpeechProvider, never, Scope.Scope> =>
  Effect.map(
    makeSpeechCalls(options),
    (calls): SpeechProvider => ({
      speak: speakText(calls),
      transcribe: transcribeRecording(calls),
      transcription: transcriptionOf(calls)
    })
  )
