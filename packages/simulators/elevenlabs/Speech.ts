import { clip } from "../kit/Clip.ts"
import type { Faults } from "../kit/Faults.ts"
import { type Call, jsonOf, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import type { Done } from "../speechprov/Done.ts"
import { type ElevenLabsRefusal, elevenLabsError, invalidCall } from "./ElevenLabsErrors.ts"

/** The formats of the client's types. */
const formats = [
  ..."alaw_8000 mp3_22050_32 mp3_24000_48 mp3_44100_128 mp3_44100_192 mp3_44100_32 mp3_44100_64".split(" "),
  ..."mp3_44100_96 opus_48000_128 opus_48000_192 opus_48000_32 opus_48000_64 opus_48000_96 pcm_16000".split(" "),
  ..."pcm_22050 pcm_24000 pcm_32000 pcm_44100 pcm_48000 pcm_8000 ulaw_8000 wav_16000 wav_22050".split(" "),
  ..."wav_24000 wav_32000 wav_44100 wav_48000 wav_8000".split(" ")
]
/** The models with the most characters that they read. */
const models: Readonly<Record<string, number>> = {
  eleven_v3: 5000,
  eleven_multilingual_v2: 10_000,
  eleven_flash_v2_5: 40_000,
  eleven_turbo_v2_5: 40_000
}

/** `POST /v1/text-to-speech/{voice_id}`: reads a text aloud. Only Ogg with Opus is real sound here. */
export const speak = ({ body, places: [voice = ""], query }: Call, faults: Faults): Done => {
  const order = recordOf(jsonOf(body))
  const { language_code = null, model_id = "eleven_multilingual_v2", text } = order
  const format = query.get("output_format") ?? "mp3_44100_128"
  const facts = { text, voice, language: language_code, model: model_id, format }
  const done = (outcome: string, answer: SimulatedAnswer): Done => ({ answer, outcome, facts })
  const refuse = (name: ElevenLabsRefusal, message: string) => done(name, elevenLabsError(name, message))
  if (!formats.includes(format)) {
    const msg = `Input should be ${formats.map((one) => `'${one}'`).join(", ")}`
    return done("text_rejected", invalidCall(["query", "output_format"], msg, "enum"))
  }
  if (text === undefined) return done("text_rejected", invalidCall(["body", "text"], "Field required", "missing"))
  if (typeof text !== "string") {
    return done("text_rejected", invalidCall(["body", "text"], "Input should be a valid string", "string_type"))
  }
  if (!/^[A-Za-z0-9]{16,40}$/.test(voice)) {
    return refuse("voice_unknown", `A voice with voice_id '${voice}' was not found.`)
  }
  const longest = Object.hasOwn(models, String(model_id)) ? models[String(model_id)] : undefined
  if (longest === undefined) return refuse("model_unknown", `A model with model ID ${String(model_id)} does not exist.`)
  if (text.trim() === "") return refuse("text_rejected", "Input text is empty.")
  if (text.length > longest) {
    return refuse("text_too_long", `Request text has more characters than the limit of ${longest} of this model.`)
  }
  if (language_code !== null && !/^[a-z]{2}$/.test(String(language_code))) {
    return done("text_rejected", invalidCall(["body", "language_code"], "Expected an ISO 639-1 code"))
  }
  return done("accepted", sound(format, text, faults))
}

const notAudio = Buffer.from("%PDF-1.4\n%%EOF\n")

const sound = (format: string, text: string, faults: Faults): SimulatedAnswer => {
  const fault = faults.hit(["wrong_type", "wrong_bytes", "empty_audio"], { operation: "speech" })?.name
  const isOpus = format.startsWith("opus_")
  const body = fault === "empty_audio" ? Buffer.alloc(0) : fault === "wrong_bytes" || !isOpus ? notAudio : clip
  const type = fault === "wrong_type" ? "text/html" : isOpus ? "audio/ogg" : "audio/mpeg"
  return { status: 200, body, headers: { "content-type": type, "character-cost": String(text.length) } }
}
