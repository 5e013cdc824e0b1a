import { clip } from "../kit/Clip.ts"
import type { Faults } from "../kit/Faults.ts"
import { type Call, jsonOf, recordOf } from "../kit/Routes.ts"
import type { Done } from "../speechprov/Done.ts"
import { type OpenAiRefusal, openAiError } from "./OpenAiErrors.ts"

/** The models and voices of the description. */
const models = ["tts-1", "tts-1-hd", "gpt-4o-mini-tts", "gpt-4o-mini-tts-2025-12-15"]
const voices = [
  ..."alloy ash ballad coral echo fable nova onyx sage shimmer".split(" "),
  ..."verse marin cedar".split(" ")
]
const members = ["model", "input", "instructions", "voice", "response_format", "speed", "stream_format"]
const formats = ["mp3", "opus", "aac", "flac", "wav", "pcm"]
const longestInput = 4096

/** `POST /v1/audio/speech`: reads a text aloud. Only Ogg with Opus is real sound here. */
export const speak = ({ body, headers }: Call, faults: Faults): Done => {
  const order = recordOf(jsonOf(body))
  const { input, model, response_format = "mp3", speed = 1, voice } = order
  const facts = { text: input, voice, model, format: response_format, type: headers["content-type"] ?? null }
  const refuse = (name: OpenAiRefusal, message: string, param: string | null = null): Done => ({
    answer: openAiError(name, message, param),
    outcome: name,
    facts
  })
  const stranger = Object.keys(order).find((name) => !members.includes(name))
  if (stranger !== undefined) return refuse("text_rejected", `Unrecognized request argument supplied: ${stranger}`)
  for (const name of ["model", "input", "voice"]) {
    if (order[name] === undefined) return refuse("text_rejected", `Missing required parameter: '${name}'.`, name)
  }
  if (typeof input !== "string" || input === "") {
    return refuse("text_rejected", "Invalid 'input': empty string. Expected a string with minimum length 1.", "input")
  }
  if (input.length > longestInput) {
    const message = `string too long. Expected a string with maximum length ${longestInput}, but got a string with length ${input.length} instead.`
    return refuse("text_rejected", `Invalid 'input': ${message}`, "input")
  }
  if (typeof model !== "string" || !models.includes(model)) {
    return refuse("model_unknown", `The model '${String(model)}' does not exist or you do not have access to it.`)
  }
  const name = typeof voice === "string" ? voice : String(recordOf(voice).id)
  if (!voices.includes(name) && !/^voice_./.test(name)) {
    return refuse("voice_unknown", `Invalid value: '${name}'. Supported values are: ${voices.join(", ")}.`, "voice")
  }
  if (!formats.includes(String(response_format))) {
    const message = `Invalid value: '${String(response_format)}'. Supported values are: ${formats.join(", ")}.`
    return refuse("text_rejected", message, "response_format")
  }
  if (typeof speed !== "number" || speed < 0.25 || speed > 4) {
    return refuse("text_rejected", "Invalid 'speed': expected a number from 0.25 to 4.", "speed")
  }
  return { answer: sound(String(response_format), faults), outcome: "accepted", facts }
}

const notAudio = Buffer.from("%PDF-1.4\n%%EOF\n")

const sound = (format: string, faults: Faults): Done["answer"] => {
  const fault = faults.hit(["wrong_type", "wrong_bytes", "empty_audio"], { operation: "speech" })?.name
  const body =
    fault === "empty_audio" ? Buffer.alloc(0) : fault === "wrong_bytes" || format !== "opus" ? notAudio : clip
  const type = fault === "wrong_type" ? "text/html" : format === "mp3" ? "audio/mpeg" : `audio/${format}`
  return { status: 200, body, headers: { "content-type": type } }
}
