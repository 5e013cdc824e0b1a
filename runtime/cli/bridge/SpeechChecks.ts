import type { Speech, SpeechProvider, TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { Effect } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"

/** Key and names of one run: `id` makes them those of no other run. */
export interface SpeechCheckOptions {
  readonly key: string
  readonly voice: string
  readonly id: string
  /** True for speech provider 1, which transcribes. */
  readonly transcribes: boolean
}

const wrongKey = "carteiro-bridge-check-wrong-key"

/** The promises of vendor-wires "speechprov1, speechprov2, speechprov3" that can be seen from outside. */
export const speechChecks = (
  provider: SpeechProvider,
  { id, key, transcribes, voice }: SpeechCheckOptions
): ReadonlyArray<BridgeCheck> => {
  const speech: Speech = { external_id: id, text: "Olá, seu pedido saiu.", voice, language: "pt-BR" }
  const refused = (code: string, withKey: string, more: Partial<Speech>): BridgeCheck["run"] =>
    Effect.map(provider.speak(withKey, { ...speech, ...more, external_id: `${id}.${code}` }), (answer) =>
      answer._tag === "Refused" && answer.code === code ? undefined : expected(`the refusal ${code}`, answer)
    )
  return [
    {
      promise: "another key is refused with credentials_invalid",
      writes: false,
      run: refused("credentials_invalid", wrongKey, {})
    },
    {
      promise: "the voice `unknown` is refused with voice_unknown",
      writes: false,
      run: refused("voice_unknown", key, { voice: "unknown" })
    },
    {
      promise: "a text becomes audio/ogg with Opus, under its id again and again",
      writes: true,
      run: spoken(provider, key, speech)
    },
    ...(transcribes
      ? [{ promise: "what was spoken is transcribed", writes: true, run: transcribed(provider, key, speech) }]
      : [])
  ]
}

const spoken = Effect.fnUntraced(function* (
  provider: SpeechProvider,
  key: string,
  speech: Speech
): Effect.fn.Return<string | undefined> {
  for (const time of ["first", "second"]) {
    const answer = yield* provider.speak(key, speech)
    if (answer._tag !== "Spoken") return expected(`audio from the ${time} call`, answer)
    const head = Buffer.from(answer.audio.subarray(0, 512)).toString("latin1")
    if (!/^audio\/ogg\b/i.test(answer.mime_type)) return `expected audio/ogg; the audio came as ${answer.mime_type}`
    if (!head.startsWith("OggS") || !head.includes("OpusHead"))
      return "expected Ogg with Opus; the bytes are something else"
  }
  return undefined
})

/** The pause between two looks at a transcription, in milliseconds, and their number. */
const pauseMs = 2000
const mostLooks = 30

const transcribed = Effect.fnUntraced(function* (
  provider: SpeechProvider,
  key: string,
  speech: Speech
): Effect.fn.Return<string | undefined> {
  const source = yield* provider.speak(key, speech)
  if (source._tag !== "Spoken") return expected("audio to transcribe", source)
  let answer: TranscriptionAnswer = yield* provider.transcribe(key, {
    external_id: speech.external_id,
    language: speech.language,
    mime_type: source.mime_type,
    filename: "check.ogg",
    audio: source.audio
  })
  for (let look = 0; look < mostLooks && answer._tag === "Processing"; look++) {
    yield* Effect.sleep(pauseMs)
    answer = yield* provider.transcription(key, answer.id)
  }
  return answer._tag === "Written" ? undefined : expected("a text within a minute", answer)
})
