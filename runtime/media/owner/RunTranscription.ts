import { SpeechProviders, type TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { MessageMediaTranscribed, MessageMediaTranscriptionFailed } from "@carteiro/schema/media/MediaEvents.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { type StoredAsset, statusAt } from "../asset/AssetState.ts"
import { Blobs } from "../blob/Blobs.ts"
import type { MediaJob, TranscriptionInput } from "../job/MediaJob.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import { SpeechCredentials } from "../speech/SpeechCredentials.ts"
import {
  moveTranscription,
  type StoredTranscription,
  type TranscriptionFailure,
  TranscriptionRepo
} from "../speech/TranscriptionRepo.ts"
import { outcome, type RunJob } from "./JobOutcome.ts"

/** The longest time of a transcription, in milliseconds. */
const mostMs = 10 * 60_000
/** The pause between two polls of the vendor, and after a vendor's request to come back later, in milliseconds. */
const pollMs = 2000
const againMs = 5000

/** The text that the sandbox returns for every recording. gaps-2 F "Transcription" */
const sandboxAnswer: TranscriptionAnswer = {
  _tag: "Written",
  text: "This is a sandbox transcription.",
  language: null,
  duration_seconds: 1,
  model: "sandbox"
}

/** Runs one transcription, one step in each run of the job. gaps-2 F "Transcription" */
export const makeRunTranscription = Effect.gen(function* () {
  const transcriptions = yield* TranscriptionRepo
  const assets = yield* AssetRepo
  const blobs = yield* Blobs
  const credentials = yield* SpeechCredentials
  const providers = yield* SpeechProviders
  const outbox = yield* Outbox

  const ask = Effect.fnUntraced(function* (
    job: MediaJob,
    input: TranscriptionInput,
    asset: StoredAsset
  ): Effect.fn.Return<TranscriptionAnswer> {
    if (job.environment === "sandbox") return sandboxAnswer
    const key = yield* credentials.find(job.environment_id, "speechprov1")
    const provider = providers.speechprov1
    if (key === undefined || provider === undefined) return { _tag: "Refused", code: "credentials_invalid" }
    if (input.vendor_id !== null) return yield* provider.transcription(key, input.vendor_id)
    const audio = yield* blobs.readAll(asset.blob_key ?? "")
    if (audio === undefined) return { _tag: "Failed", retry_after_ms: null }
    return yield* provider.transcribe(key, {
      external_id: job.id,
      language: input.language,
      mime_type: asset.mime_type,
      filename: asset.filename ?? asset.id,
      audio
    })
  })

  const told = (job: MediaJob, asset: StoredAsset | undefined, at: number) => ({
    environment_id: job.environment_id,
    environment: job.environment,
    source_id: asset?.message_id ?? asset?.id ?? job.id,
    subject:
      asset === undefined || asset.customer_type === null || asset.customer_key === null
        ? null
        : { type: asset.customer_type, key: asset.customer_key },
    trace_id: job.trace_id,
    at
  })

  const fail = (
    job: MediaJob<"transcribe">,
    before: StoredTranscription,
    asset: StoredAsset | undefined,
    error_code: TranscriptionFailure,
    at: number
  ) => {
    const after: StoredTranscription = { ...before, status: "failed", error_code, completed_at: at }
    const data = {
      media_asset_id: before.asset_id,
      error_code,
      sender: { profile_name: asset?.sender_name ?? null }
    }
    const event = outbox.event(MessageMediaTranscriptionFailed, { ...told(job, asset, at), data })
    return outcome([moveTranscription(after), event, endJob(job, at)])
  }

  const succeed = (
    job: MediaJob<"transcribe">,
    before: StoredTranscription,
    asset: StoredAsset,
    written: Extract<TranscriptionAnswer, { readonly _tag: "Written" }>,
    at: number
  ) => {
    const { duration_seconds, model, text } = written
    const language = written.language ?? before.language
    const heard = { text, language, duration_seconds, model }
    const data = {
      media_asset_id: asset.id,
      provider: before.provider,
      ...heard,
      duration: duration_seconds,
      sender: { profile_name: asset.sender_name }
    }
    const rows: ReadonlyArray<Row> = [
      moveTranscription({ ...before, ...heard, status: "succeeded", completed_at: at }),
      outbox.event(MessageMediaTranscribed, { ...told(job, asset, at), data }),
      endJob(job, at)
    ]
    return outcome(rows)
  }

  const run: RunJob<"transcribe"> = Effect.fnUntraced(function* (job) {
    const input = readJson(job.input)
    const transcription = yield* transcriptions.find(job.environment_id, job.id)
    const asset = yield* assets.find(job.environment_id, input.asset_id)
    const began = yield* Clock.currentTimeMillis
    // The insert of the transcription was ignored, or the transcription is over.
    if (transcription === undefined || isOver(transcription)) return outcome([endJob(job, began)])
    const status = asset && statusAt(asset, began)
    if (asset === undefined || (status !== "ready" && status !== "consumed")) {
      return fail(job, transcription, asset, "transcription_audio_invalid", began)
    }
    const answer = yield* ask(job, input, asset)
    const at = yield* Clock.currentTimeMillis
    const later = (due_at: number, vendor_id: string | null) => {
      if (due_at > job.created_at + mostMs) return fail(job, transcription, asset, "transcription_timeout", at)
      const next = jsonText({ ...input, vendor_id })
      const moved = vendor_id === input.vendor_id ? [] : [moveTranscription({ ...transcription, status: "processing" })]
      return outcome([...moved, postponeJob(job, due_at, next)], due_at)
    }
    switch (answer._tag) {
      case "Written":
        return succeed(job, transcription, asset, answer, at)
      case "Processing":
        return later(at + pollMs, answer.id)
      case "Failed":
        return later(at + Math.max(againMs, answer.retry_after_ms ?? 0), input.vendor_id)
      case "Refused": {
        const code = answer.code === "audio_invalid" ? "transcription_audio_invalid" : "transcription_provider_error"
        return fail(job, transcription, asset, code, at)
      }
    }
  })
  return run
})

const isOver = ({ status }: StoredTranscription): boolean => status === "succeeded" || status === "failed"
