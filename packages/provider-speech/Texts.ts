import type { OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechAnswer, SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { codeOf, failed, idOf, isAnothers, jsonOf, memberOf, noAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorCalls, VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect } from "effect"

/** The pause between two polls for the audio, in milliseconds, and the number of polls before giving up. */
const pollMs = 500
const mostPolls = 40

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * `POST /v1/speech`, and the calls that its response leads to. A text that was not ready in time is requested again
 * under its id: the vendor continues its work. gaps-2 F "TTS"
 */
export const speakText = (calls: VendorCalls): SpeechProvider["speak"] => {
  const fetchAudio = (url: OperatorUrl | undefined, key: string | undefined): Effect.Effect<SpeechAnswer> =>
    url === undefined ? Effect.succeed(failed) : Effect.map(calls.call({ method: "GET", at: url, key }), audioOf)

  const awaitAudio = Effect.fnUntraced(function* (key: string, id: string): Effect.fn.Return<SpeechAnswer> {
    for (let polls = 0; polls < mostPolls; polls++) {
      yield* Effect.sleep(pollMs)
      const result = yield* calls.call({ method: "GET", at: `/v1/speech/${encodeURIComponent(id)}`, key })
      if (result._tag !== "Answered" || result.status !== 200) return noAnswer(result)
      const json = jsonOf(result)
      if (isAnothers(json, id)) return failed
      switch (memberOf(json, "status")) {
        case "processing":
          continue
        case "ready":
          return yield* fetchAudio(calls.own(memberOf(json, "url")), key)
        case "failed":
          return { _tag: "Refused", code: codeOf(memberOf(json, "error")) }
        default:
          return failed
      }
    }
    return failed
  })

  return Effect.fnUntraced(function* (key, { external_id, language, text, voice }) {
    const result = yield* calls.call({
      method: "POST",
      at: "/v1/speech",
      key,
      idempotencyKey: external_id,
      body: {
        type: "application/json",
        bytes: JSON.stringify({ external_id, text, voice, language, format: "ogg_opus" })
      }
    })
    if (result._tag === "Answered" && redirects.has(result.status)) {
      // The signature in the URL is the credential; the key is not sent.
      return yield* fetchAudio(calls.own(result.headers.location), undefined)
    }
    if (result._tag === "Answered" && result.status === 202) {
      const id = idOf(jsonOf(result))
      return id === undefined ? failed : yield* awaitAudio(key, id)
    }
    return audioOf(result)
  })
}

/** Returns the body of any success unchanged: the room judges whether it can be sent. */
const audioOf = (result: VendorResult): SpeechAnswer => {
  if (result._tag !== "Answered" || result.status !== 200) return noAnswer(result)
  const mime_type = result.headers["content-type"]
  return { _tag: "Spoken", mime_type: mime_type ?? "application/octet-stream", audio: result.bytes }
}
