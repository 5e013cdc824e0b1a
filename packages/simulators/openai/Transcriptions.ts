import type { Faults } from "../kit/Faults.ts"
import { type FormPart, formParts } from "../kit/Multipart.ts"
import { type Call, ok } from "../kit/Routes.ts"
import type { Done } from "../speechprov/Done.ts"
import { type OpenAiRefusal, openAiError } from "./OpenAiErrors.ts"

const models = [
  ..."whisper-1 gpt-transcribe gpt-4o-transcribe gpt-4o-mini-transcribe".split(" "),
  ..."gpt-4o-mini-transcribe-2025-12-15 gpt-4o-transcribe-diarize".split(" ")
]
const members = [
  ..."file model language languages keywords prompt response_format temperature include".split(" "),
  ..."timestamp_granularities stream chunking_strategy known_speaker_names known_speaker_references".split(" ")
]
const types = "flac m4a mp3 mp4 mpeg mpga oga ogg wav webm".split(" ")
const longestFile = 25 * 1024 * 1024

/** The languages of answers by the code of a call; `verbose_json` says the name. */
const languages: Readonly<Record<string, string>> = { pt: "portuguese", en: "english", es: "spanish" }

const text = "Texto simulado."

/** True when a file begins like sound: Ogg, ID3 and MPEG frames, RIFF, FLAC, MP4. */
const isAudio = (bytes: Buffer): boolean =>
  /^(OggS|ID3|RIFF|fLaC|....ftyp)/s.test(bytes.subarray(0, 8).toString("latin1")) ||
  (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)

/** `POST /v1/audio/transcriptions`: writes a recording down. */
export const transcribe = ({ body, headers }: Call, faults: Faults): Done => {
  const parts = formParts(headers["content-type"], body)
  const fieldOf = (name: string) => parts.find((part) => part.name === name)?.bytes.toString("utf8")
  const file = parts.find(({ name }) => name === "file")
  const model = fieldOf("model")
  const language = fieldOf("language") ?? null
  const format = fieldOf("response_format") ?? "json"
  const facts = {
    language,
    model: model ?? null,
    format,
    filename: file?.filename ?? null,
    type: file?.type ?? null,
    bytes: file?.bytes.length ?? 0
  }
  const refuse = (name: OpenAiRefusal, message: string, param: string | null = null): Done => ({
    answer: openAiError(name, message, param),
    outcome: name,
    facts
  })
  const stranger = parts.find(({ name }) => !members.includes(name.replace(/\[\d*\]$/, "")))
  if (stranger !== undefined) {
    return refuse("audio_invalid", `Unrecognized request argument supplied: ${stranger.name}`)
  }
  const flaw = flawOf(file)
  if (flaw !== undefined) return refuse("audio_invalid", flaw, "file")
  if (model === undefined) return refuse("audio_invalid", "you must provide a model parameter", "model")
  if (!models.includes(model)) {
    return refuse("model_unknown", `The model '${model}' does not exist or you do not have access to it.`)
  }
  if (language !== null && !/^[a-z]{2,3}$/.test(language)) {
    const message = `Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`
    return refuse("audio_invalid", message, "language")
  }
  if (format !== "json" && (format !== "verbose_json" || model !== "whisper-1")) {
    const message = `response_format '${format}' is not compatible with model '${model}'. Use 'json' instead.`
    return refuse("audio_invalid", message, "response_format")
  }
  return { answer: writtenDown(format, language, faults), outcome: "succeeded", facts }
}

const flawOf = (file: FormPart | undefined): string | undefined => {
  if (file === undefined) return "Missing required parameter: 'file'."
  const ending = /\.([a-z0-9]+)$/i.exec(file.filename ?? "")?.[1]?.toLowerCase() ?? ""
  if (!types.includes(ending)) return `Invalid file format. Supported formats: ${JSON.stringify(types)}`
  if (file.bytes.length > longestFile) return `Maximum content size limit (${longestFile}) exceeded.`
  return isAudio(file.bytes) ? undefined : "The audio file could not be decoded or its format is not supported."
}

const writtenDown = (format: string, language: string | null, faults: Faults): Done["answer"] => {
  const usage = { type: "duration", seconds: 1 }
  const fault = faults.hit(["empty_text", "wrong_json"], { operation: "transcriptions" })?.name
  if (fault === "wrong_json")
    return { status: 200, body: Buffer.from("{"), headers: { "content-type": "application/json" } }
  const written = fault === "empty_text" ? "" : text
  if (format === "json") return ok({ text: written, usage })
  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: 1,
    text: ` ${written}`,
    tokens: [50364, 50414],
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 0.9,
    no_speech_prob: 0.01
  }
  const spoken = languages[language ?? "pt"] ?? String(language)
  return ok({ task: "transcribe", language: spoken, duration: 1, text: written, segments: [segment], usage })
}
