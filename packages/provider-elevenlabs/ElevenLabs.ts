import { Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechAnswer, SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { spokenAudio } from "@carteiro/vendor-http/SpokenAudio.ts"
import type { NoAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import type { BodyTextToSpeechFull } from "@elevenlabs/elevenlabs-js/serialization/resources/textToSpeech/client/requests/BodyTextToSpeechFull.js"
import { Effect } from "effect"
import { refusalOf } from "./Refusals.ts"
import { voiceOf } from "./Voices.ts"

/** The vendor's address, its model and the operator's table of voices. */
export interface ElevenLabsOptions extends VendorTimes {
  /** The address below which the vendor's `/v1` is. */
  readonly url: OperatorUrl
  readonly model?: string | undefined
  readonly voices?: ReadonlyMap<string, string> | undefined
}

/** The time of a whole call, in milliseconds: the answer comes once the text is spoken. */
const speechMs = 60_000

const connectMs = 3000
const mostBytes = 32 * 1024 * 1024

/** Opus of 64 kbit/s, as phones record a voice message. */
const format = "opus_48000_64"

/**
 * The port of a speech vendor by plain calls to ElevenLabs, whose official client has dependencies. Issue "Cards, Pix, numbers and
 * speech", "Drivers"
 */
export const makeElevenLabs = ({
  connectTimeoutMs = connectMs,
  model = "eleven_multilingual_v2",
  totalTimeoutMs = speechMs,
  url,
  voices = new Map()
}: ElevenLabsOptions): Effect.Effect<SpeechProvider, never, Calls> =>
  Effect.map(Calls, (calls): SpeechProvider => {
    const limits = { connectTimeoutMs, totalTimeoutMs, maxBytes: mostBytes }
    return {
      speak: (key, { language, text, voice }) => {
        const at = `/v1/text-to-speech/${encodeURIComponent(voiceOf(voice, voices))}?output_format=${format}`
        const body: BodyTextToSpeechFull.Raw = { text, model_id: model, ...languageFor(model, language) }
        return Effect.map(
          calls.call({
            method: "POST",
            url: url.below(at),
            headers: { "xi-api-key": key, "content-type": "application/json", accept: "audio/*, application/json" },
            body: JSON.stringify(body),
            limits
          }),
          (result): SpeechAnswer => {
            if (result._tag !== "Answered" || result.status !== 200) return refusalOf(result)
            // A cut answer is longer than any audio that may be sent; the room refuses it by its length.
            const type = result.headers["content-type"]
            return spokenAudio(result.bytes, type ?? null)
          }
        )
      },
      transcribe: () => Effect.succeed({ _tag: "Refused", code: "transcription_unsupported" }),
      transcription: () => Effect.succeed({ _tag: "Refused", code: "transcription_unsupported" })
    }
  })

/** Proves a key by one read that changes nothing: `GET /v1/user/subscription`. */
export const proveElevenLabs = (
  { url }: Pick<ElevenLabsOptions, "url">,
  key: string
): Effect.Effect<{ readonly _tag: "Done" } | NoAnswer, never, Calls> =>
  Effect.flatMap(Calls, (calls) =>
    Effect.map(
      calls.call({
        method: "GET",
        url: url.below("/v1/user/subscription"),
        headers: { "xi-api-key": key, accept: "application/json" },
        limits: { connectTimeoutMs: connectMs, totalTimeoutMs: 15_000, maxBytes: 1024 * 1024 }
      }),
      (result) =>
        result._tag === "Answered" && result.status === 200 ? ({ _tag: "Done" } as const) : refusalOf(result)
    )
  )

/** The language as the vendor takes it. The multilingual models of the second version hear it in the text, and take none. */
const languageFor = (model: string, tag: string) => {
  const code = (tag.split(/[-_]/)[0] ?? "").toLowerCase()
  return /multilingual_v2/.test(model) || !/^[a-z]{2}$/.test(code) ? undefined : { language_code: code }
}
