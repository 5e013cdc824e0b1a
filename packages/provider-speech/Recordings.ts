import type { Recording, SpeechProvider, TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { codeOf, failed, idOf, isAnothers, jsonOf, memberOf, noAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorCalls, VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect } from "effect"

/** Separates the parts of a form; long enough not to occur in a file by chance. */
const boundary = "----carteiro-2b7c9e41d05f4a8fb36e1c7a94d8025e"

/**
 * `POST /v1/transcriptions`: every try has one id, so that the vendor transcribes a recording once. gaps-2 F
 * "Transcription"
 */
export const transcribeRecording =
  (calls: VendorCalls): SpeechProvider["transcribe"] =>
  (key, recording) =>
    Effect.map(
      calls.call({
        method: "POST",
        at: "/v1/transcriptions",
        key,
        idempotencyKey: recording.external_id,
        body: { type: `multipart/form-data; boundary=${boundary}`, bytes: formOf(recording) }
      }),
      (result) => {
        if (result._tag !== "Answered" || result.status !== 202) return noAnswer(result)
        const id = idOf(jsonOf(result))
        return id === undefined ? failed : { _tag: "Processing", id }
      }
    )

/** `GET /v1/transcriptions/{id}` */
export const transcriptionOf =
  (calls: VendorCalls): SpeechProvider["transcription"] =>
  (key, id) =>
    Effect.map(calls.call({ method: "GET", at: `/v1/transcriptions/${encodeURIComponent(id)}`, key }), (result) =>
      whereItStands(id, result)
    )

const whereItStands = (id: string, result: VendorResult): TranscriptionAnswer => {
  if (result._tag !== "Answered" || result.status !== 200) return noAnswer(result)
  const json = jsonOf(result)
  // A response about another recording is dropped: it would be shown to the wrong customer.
  if (isAnothers(json, id)) return failed
  const textOf = (name: string): string | null => {
    const value = memberOf(json, name)
    return typeof value === "string" && value !== "" ? value : null
  }
  switch (memberOf(json, "status")) {
    case "processing":
      return { _tag: "Processing", id }
    case "failed":
      return { _tag: "Refused", code: codeOf(memberOf(json, "error")) }
    case "succeeded": {
      const text = memberOf(json, "text")
      const seconds = memberOf(json, "duration_seconds")
      if (typeof text !== "string") return failed
      return {
        _tag: "Written",
        text,
        language: textOf("language"),
        duration_seconds: typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
        model: textOf("model")
      }
    }
    default:
      return failed
  }
}

const formOf = ({ audio, external_id, filename, language, mime_type }: Recording): Uint8Array => {
  const fields = Object.entries({ external_id, ...(language === null ? undefined : { language }) }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const file = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${quoted(filename)}"`,
    `Content-Type: ${mime_type}`,
    "",
    ""
  ].join("\r\n")
  return Buffer.concat([Buffer.from(fields.join("") + file), audio, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Returns a name in the form's syntax, without characters that end the header. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))
