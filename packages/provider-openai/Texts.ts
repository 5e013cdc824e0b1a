import type { SpeechAnswer, SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { spokenAudio } from "@carteiro/vendor-http/SpokenAudio.ts"
import { Effect } from "effect"
import type OpenAI from "openai"
import { refusalOf } from "./Refusals.ts"
import { voiceOf } from "./Voices.ts"

/** The model that speaks, and the operator's own table of voices. */
export interface SpeechModel {
  readonly model: string
  readonly voices: ReadonlyMap<string, string>
}

/**
 * `POST /v1/audio/speech`, answered with the whole audio. The vendor keeps nothing that a lost call could be found by: a text whose answer
 * was lost is spoken again. M-MSG-47
 */
export const speakText =
  (clientFor: (key: string) => Promise<OpenAI>, { model, voices }: SpeechModel): SpeechProvider["speak"] =>
  (key, { language, text, voice }) =>
    Effect.tryPromise({
      try: async (signal) => {
        const client = await clientFor(key)
        const response = await client.audio.speech.create(
          {
            model,
            input: text,
            voice: voiceOf(voice, voices),
            response_format: "opus",
            ...(takesInstructions(model)
              ? { instructions: `Speak the text unchanged, in the language ${language}.` }
              : undefined)
          },
          { signal }
        )
        return spokenAudio(new Uint8Array(await response.arrayBuffer()), response.headers.get("content-type"))
      },
      catch: (error) => refusalOf(error, "text_rejected")
    }).pipe(Effect.catch((none) => Effect.succeed<SpeechAnswer>(none)))

/** The first models are given no language: they hear it in the text. */
const takesInstructions = (model: string): boolean => !model.startsWith("tts-1")
