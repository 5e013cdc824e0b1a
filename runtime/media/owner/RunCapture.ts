import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { consumed, failed, type StoredAsset } from "../asset/AssetState.ts"
import { MediaRetentionDays } from "../asset/RetentionDays.ts"
import { Blobs } from "../blob/Blobs.ts"
import type { CaptureMedia } from "../job/CaptureMedia.ts"
import { lateRetryAt, type MediaJob, retryAt } from "../job/MediaJob.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import { receivedEvent, storedEvent } from "./CaptureEvents.ts"
import { full, makeFetchInbound } from "./FetchInbound.ts"
import { type JobOutcome, outcome, type RunJob } from "./JobOutcome.ts"

const failure = "inbound_media_download_failed"
const sentence = "The file could not be fetched from the provider."
const fullSentence = "The environment has no room for the file."

/**
 * Fetches one inbound file and then raises the event of its message. M-INB-19..21, M-MED-32..35, gaps-2 E "Inbound
 * media retries"
 */
export const makeRunCapture = Effect.gen(function* () {
  const assets = yield* AssetRepo
  const blobs = yield* Blobs
  const outbox = yield* Outbox
  const retentionDays = yield* MediaRetentionDays
  const { fetchFile, hasRoom } = yield* makeFetchInbound

  /** Fetches the file once, and judges whether the environment has room for it. */
  const attempt = Effect.fnUntraced(function* (job: MediaJob<"capture">, input: CaptureMedia, asset: StoredAsset) {
    const got = yield* Effect.result(fetchFile(job, input, asset))
    const at = yield* Clock.currentTimeMillis
    if (got._tag === "Failure") {
      const { isGone = false, isTerminal } = got.failure
      return { _tag: "NotFetched", isGone, isTerminal, at } as const
    }
    if (got.success === full) return { _tag: "NoRoom", at } as const
    const { mime_type, stored } = got.success
    if (!(yield* hasRoom(job, stored.byte_length))) {
      yield* blobs.discard(stored.blob_key)
      return { _tag: "NoRoom", at } as const
    }
    const days = yield* retentionDays(job.environment_id)
    return { _tag: "Fetched", after: consumed(asset, stored, mime_type, days, at), at } as const
  })

  /** One attempt for a file whose asset failed before. */
  const runLate = Effect.fnUntraced(function* (job: MediaJob<"capture">, input: CaptureMedia, asset: StoredAsset) {
    const got = yield* attempt(job, input, asset)
    if (got._tag === "Fetched") {
      const { after, at } = got
      return outcome(
        [...assets.save(asset, after), ...storedEvent(outbox, job, input, after, at), endJob(job, at)],
        undefined,
        { refused: blobs.discard(after.blob_key) }
      )
    }
    const isOver = got._tag === "NotFetched" && (got.isGone || got.isTerminal)
    return isOver ? outcome([endJob(job, got.at)]) : tryOn(job, input, [], got.at)
  })

  const settle = (
    job: MediaJob<"capture">,
    input: CaptureMedia,
    before: StoredAsset,
    after: StoredAsset,
    at: number
  ): JobOutcome => {
    const bytes = before.blob_key === after.blob_key ? null : after.blob_key
    const rows = before === after ? [] : assets.save(before, after)
    // Refused when the asset was deleted or the quota was used up meanwhile; the next attempt handles both.
    return outcome([...rows, ...receivedEvent(outbox, job, input, after, at), endJob(job, at)], undefined, {
      refused: blobs.discard(bytes)
    })
  }

  const run: RunJob<"capture"> = Effect.fnUntraced(function* (job) {
    const input = readJson(job.input)
    const asset = yield* assets.find(job.environment_id, job.id)
    const began = yield* Clock.currentTimeMillis
    if (asset === undefined) return outcome([endJob(job, began)])
    if (input.isLate === true) {
      const isWaiting = asset.status === "failed" && asset.failure_code === failure
      return isWaiting ? yield* runLate(job, input, asset) : outcome([endJob(job, began)])
    }
    if (asset.status !== "pending") return settle(job, input, asset, asset, began)
    if (!(yield* hasRoom(job, asset.byte_length))) {
      return settle(job, input, asset, failed(asset, full, fullSentence, began), began)
    }
    const got = yield* attempt(job, input, asset)
    const { at } = got
    switch (got._tag) {
      case "Fetched":
        return settle(job, input, asset, got.after, at)
      case "NoRoom":
        return settle(job, input, asset, failed(asset, full, fullSentence, at), at)
      case "NotFetched": {
        const due_at = got.isTerminal ? undefined : retryAt("capture", job.attempts, at)
        if (due_at !== undefined) return outcome([postponeJob(job, due_at)], due_at)
        const after = failed(asset, failure, sentence, at)
        if (got.isTerminal || got.isGone) return settle(job, input, asset, after, at)
        return tryOn(job, input, [...assets.save(asset, after), ...receivedEvent(outbox, job, input, after, at)], at)
      }
    }
  })
  return run
})

/** Tries on after the asset failed; `rows` say so once. U-MED-02 */
const tryOn = (job: MediaJob<"capture">, input: CaptureMedia, rows: ReadonlyArray<Row>, at: number): JobOutcome => {
  const due_at = lateRetryAt(job, at)
  if (due_at === undefined) return outcome([...rows, endJob(job, at)])
  const late = jsonText({
    ...input,
    event: null,
    isLate: true,
    message_id: input.event?.message_id ?? input.message_id
  })
  return outcome([...rows, postponeJob(job, due_at, late)], due_at)
}
