import { Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import type { VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { vendorFetch } from "@carteiro/vendor-http/VendorFetch.ts"
import { Effect } from "effect"
import { clientOf } from "./Client.ts"
import { transcribeRecording } from "./Recordings.ts"
import { refusalOf } from "./Refusals.ts"
import { speakText } from "./Texts.ts"

export { loadOpenAi } from "./Client.ts"

/** The vendor's address, its models and the operator's table of voices. */
export interface OpenAiOptions extends VendorTimes {
  /** The address below which the vendor's `/v1` is. */
  readonly url: OperatorUrl
  readonly model?: string | undefined
  readonly transcriptionModel?: string | undefined
  readonly voices?: ReadonlyMap<string, string> | undefined
}

/** The times of a whole call, in milliseconds: the answer comes once the text is spoken, or the recording is written down. */
const speechMs = 60_000
const transcriptionMs = 120_000

/** The port of a speech vendor by OpenAI's official client. Issue "Cards, Pix, numbers and speech", "Drivers" */
export const makeOpenAi = ({
  connectTimeoutMs = 3000,
  model = "gpt-4o-mini-tts",
  totalTimeoutMs,
  transcriptionModel = "whisper-1",
  url,
  voices = new Map()
}: OpenAiOptions): Effect.Effect<SpeechProvider, never, Calls> =>
  Effect.map(Calls, (calls): SpeechProvider => {
    const address = addressOf(url)
    const clientWith = (standardMs: number) => {
      const dial = vendorFetch(calls, url, { connectTimeoutMs, totalTimeoutMs: totalTimeoutMs ?? standardMs })
      return (key: string) => clientOf(dial, address, key)
    }
    return {
      speak: speakText(clientWith(speechMs), { model, voices }),
      transcribe: transcribeRecording(clientWith(transcriptionMs), transcriptionModel),
      // Every recording is answered at once: an id is of a job that another driver began.
      transcription: () => Effect.succeed({ _tag: "Refused", code: "transcription_unknown" })
    }
  })

const addressOf = (url: OperatorUrl): string => {
  const { origin, path } = url.below("/v1").target
  return origin + path
}

/** Proves a key by one read that changes nothing: `GET /v1/models`. */
export const proveOpenAi = (
  { url }: Pick<OpenAiOptions, "url">,
  key: string
): Effect.Effect<{ readonly _tag: "Done" } | ReturnType<typeof refusalOf>, never, Calls> =>
  Effect.flatMap(Calls, (calls) =>
    Effect.tryPromise({
      try: async (signal) => {
        const client = await clientOf(vendorFetch(calls, url), addressOf(url), key)
        await client.models.list({ signal })
        return { _tag: "Done" } as const
      },
      catch: (error) => refusalOf(error, "text_rejected")
    }).pipe(Effect.catch((none) => Effect.succeed(none)))
  )
