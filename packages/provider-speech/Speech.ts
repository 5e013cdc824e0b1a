import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeVendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect } from "effect"
import { transcribeRecording, transcriptionOf } from "./Recordings.ts"
import { speakText } from "./Texts.ts"

/**
 * A vendor of speech over HTTP. All three speak one wire: the answer itself says
 * whether the audio is there, comes later or lies elsewhere. vendor-wires "speechprov1, speechprov2, speechprov3"
 */
export const makeSpeech = (options: VendorOptions): Effect.Effect<SpeechProvider, never, Calls> =>
  Effect.map(
    makeVendorCalls(options),
    (calls): SpeechProvider => ({
      speak: speakText(calls),
      transcribe: transcribeRecording(calls),
      transcription: transcriptionOf(calls)
    })
  )
