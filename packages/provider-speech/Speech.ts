import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeVendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect } from "effect"
import { transcribeRecording, transcriptionOf } from "./Recordings.ts"
import { speakText } from "./Texts.ts"

/**
 * Makes the port of a speech vendor over HTTP. All three have one wire: the response tells whether the audio is ready,
 * comes later or is elsewhere. vendor-wires "speechprov1, speechprov2, speechprov3"
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
