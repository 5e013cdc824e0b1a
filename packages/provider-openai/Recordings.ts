import type { Recording, SpeechProvider, TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { storableAnswer } from "@carteiro/provider/VendorWords.ts"
import { Effect } from "effect"
import type OpenAI from "openai"
import { languageHeard, vendorLanguage } from "./Languages.ts"
import { refusalOf } from "./Refusals.ts"

/** The most bytes of a recording that the vendor takes. */
const mostBytes = 25 * 1024 * 1024

/**
 * `POST /v1/audio/transcriptions`, answered with the text. A lost call cannot be found, and a repeated one is transcribed again. gaps-2 F
 * "Transcription"
 */
export const transcribeRecording =
  (clientFor: (key: string) => Promise<OpenAI>, model: string): SpeechProvider["transcribe"] =>
  (key, recording) =>
    recording.audio.length > mostBytes
      ? Effect.succeed({ _tag: "Refused", code: "audio_invalid" })
      : Effect.tryPromise({
          try: async (signal) => written(await clientFor(key), model, recording, signal),
          catch: (error) => refusalOf(error, "audio_invalid")
        }).pipe(Effect.catch((none) => Effect.succeed<TranscriptionAnswer>(none)))

const written = async (
  client: OpenAI,
  model: string,
  recording: Recording,
  signal: AbortSignal
): Promise<TranscriptionAnswer> => {
  const language = vendorLanguage(recording.language)
  const request = { file: fileOf(recording), model, ...(language === undefined ? undefined : { language }) }
  const answer: object = isVerbose(model)
    ? await client.audio.transcriptions.create({ ...request, response_format: "verbose_json" }, { signal })
    : await client.audio.transcriptions.create({ ...request, response_format: "json" }, { signal })
  return read(storableAnswer(answer), model, recording.language)
}

/** The model that tells language and duration; the later ones answer in the short form alone. */
const isVerbose = (model: string): boolean => model.startsWith("whisper")

const read = (answer: object, model: string, requested: string | null): TranscriptionAnswer => {
  const { duration, language, languages, text, usage } = answer as Readonly<Record<string, unknown>>
  if (typeof text !== "string") return { _tag: "Failed", retry_after_ms: null }
  const [first] = Array.isArray(languages) ? languages : []
  const used = usage as { readonly seconds?: unknown } | null | undefined
  return {
    _tag: "Written",
    text,
    language: languageHeard(language ?? first?.code, requested),
    duration_seconds: secondsOf(duration) ?? secondsOf(used?.seconds),
    model
  }
}

const secondsOf = (value: unknown): number | null => {
  // The duration of a form is a number, and was a text in earlier answers.
  const seconds = typeof value === "string" && value !== "" ? Number(value) : value
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** The extension that the vendor knows a type by. */
const extensions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "audio/ogg": "ogg",
    "audio/opus": "ogg",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/m4a": "m4a",
    "audio/x-m4a": "m4a",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/webm": "webm",
    "audio/flac": "flac",
    "audio/aac": "aac",
    "audio/amr": "amr"
  })
)

/**
 * The vendor judges a recording by the extension of its name: an `.opus` is refused that passes as `.ogg`. The name of the asset is not
 * handed on; it may tell about a person.
 */
const fileOf = ({ audio, mime_type }: Recording): File => {
  const type = (mime_type.split(";", 1)[0] ?? "").trim().toLowerCase()
  return new File([new Uint8Array(audio)], `recording.${extensions.get(type) ?? "bin"}`, { type })
}
