import { ConnectedMedia } from "@carteiro/provider/MediaProvider.ts"
import { MessageReceived } from "@carteiro/schema/messages/MessageEvents.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Data, Effect, Stream } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { describeAsset, withCaption } from "../asset/AssetRead.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { failed, kept, type StoredAsset, standardLimit } from "../asset/AssetState.ts"
import { mostInboundBytes } from "../asset/MediaTypes.ts"
import { MediaRetentionDays } from "../asset/RetentionDays.ts"
import { sandboxFiles } from "../asset/SandboxFiles.ts"
import { Blobs } from "../blob/Blobs.ts"
import type { CaptureMedia } from "../job/CaptureMedia.ts"
import { type MediaJob, retryAt } from "../job/MediaJob.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import { type JobOutcome, outcome, type RunJob } from "./JobOutcome.ts"

/** A file could not be fetched in this attempt; a terminal failure is not retried. */
class NotCaptured extends Data.TaggedError("NotCaptured")<{ readonly isTerminal: boolean }> {}

const failure = "inbound_media_download_failed"
const sentence = "The file could not be fetched from the provider."
const full = "media_storage_quota_exceeded"
const fullSentence = "The environment has no room for the file."

/**
 * Fetches one inbound file and then raises the event of its message. M-INB-19..21, M-MED-32..35, gaps-2 E "Inbound
 * media retries"
 */
export const makeRunCapture = Effect.gen(function* () {
  const assets = yield* AssetRepo
  const blobs = yield* Blobs
  const outbox = yield* Outbox
  const connected = yield* ConnectedMedia
  const retentionDays = yield* MediaRetentionDays

  /** Stores the provider's file, or the simulated one. */
  const fetch = Effect.fnUntraced(function* (
    job: MediaJob,
    { business_id, channel, from }: CaptureMedia,
    asset: StoredAsset
  ) {
    const { environment_id } = job
    const now = yield* Clock.currentTimeMillis
    const store = (bytes: Stream.Stream<Uint8Array, unknown>, mime_type: string) =>
      Effect.map(
        Effect.mapError(blobs.store({ environment_id, id: asset.id, mime_type, now }, bounded(bytes)), (error) =>
          error instanceof NotCaptured ? error : passing()
        ),
        (stored) => ({ stored, mime_type })
      )
    switch (from._tag) {
      case "BuiltIn":
        return yield* store(Stream.make(sandboxFiles[asset.kind].bytes()), asset.mime_type)
      case "Asset": {
        const given = yield* assets.find(environment_id, from.asset_id)
        if (given?.blob_key == null) return yield* new NotCaptured({ isTerminal: true })
        return yield* store(blobs.read(given.blob_key), asset.mime_type)
      }
      case "Provider": {
        const provider = yield* connected({ environment_id, channel, business_id })
        if (provider === undefined) return yield* passing()
        const found = yield* provider.find(from.provider_media_id)
        if (found._tag !== "Done") return yield* passing()
        const { byte_length, mime_type, open, sha256 } = found.value
        if (byte_length > mostInboundBytes) return yield* new NotCaptured({ isTerminal: true })
        if (!(yield* hasRoom(job, byte_length))) return full
        const opened = yield* open
        if (opened._tag !== "Done") return yield* passing()
        const fetched = yield* store(opened.value, mime_type)
        if (sha256 === null || sha256 === fetched.stored.sha256) return fetched
        yield* blobs.discard(fetched.stored.blob_key)
        return yield* passing()
      }
    }
  }, Effect.scoped)

  const hasRoom = (job: MediaJob, bytes: number) =>
    Effect.map(
      assets.usage(job.environment_id),
      ({ limit_bytes, used_bytes }) => used_bytes + bytes <= (limit_bytes ?? standardLimit[job.environment])
    )

  /** Returns the event that waited for the file, with the file's current state. */
  const released = (
    job: MediaJob,
    { caption, event, subject }: CaptureMedia,
    asset: StoredAsset,
    at: number
  ): ReadonlyArray<Row> => {
    if (event === null) return []
    return [
      outbox.event(MessageReceived, {
        environment_id: job.environment_id,
        environment: job.environment,
        source_id: event.message_id,
        subject,
        trace_id: job.trace_id,
        at,
        data: { ...event, content: { type: "media", media: withCaption(describeAsset(asset, at), caption) } }
      })
    ]
  }

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
    return outcome([...rows, ...released(job, input, after, at), endJob(job, at)], undefined, {
      refused: blobs.discard(bytes)
    })
  }

  const run: RunJob<"capture"> = Effect.fnUntraced(function* (job) {
    const input = readJson(job.input)
    const asset = yield* assets.find(job.environment_id, job.id)
    const began = yield* Clock.currentTimeMillis
    if (asset === undefined) return outcome([endJob(job, began)])
    if (asset.status !== "pending") return settle(job, input, asset, asset, began)
    if (!(yield* hasRoom(job, asset.byte_length))) {
      return settle(job, input, asset, failed(asset, full, fullSentence, began), began)
    }
    const got = yield* Effect.result(fetch(job, input, asset))
    const at = yield* Clock.currentTimeMillis
    if (got._tag === "Failure") {
      const due_at = got.failure.isTerminal ? undefined : retryAt("capture", job.attempts, at)
      return due_at === undefined
        ? settle(job, input, asset, failed(asset, failure, sentence, at), at)
        : outcome([postponeJob(job, due_at)], due_at)
    }
    if (got.success === full) return settle(job, input, asset, failed(asset, full, fullSentence, at), at)
    const { mime_type, stored } = got.success
    if (!(yield* hasRoom(job, stored.byte_length))) {
      yield* blobs.discard(stored.blob_key)
      return settle(job, input, asset, failed(asset, full, fullSentence, at), at)
    }
    const days = yield* retentionDays(job.environment_id)
    return settle(job, input, asset, kept(asset, stored, mime_type, days, at), at)
  })
  return run
})

const passing = () => new NotCaptured({ isTerminal: false })

/** Fails on a file that is larger than the limit of inbound files. gaps-2 F "MIME types and sizes" */
const bounded = (bytes: Stream.Stream<Uint8Array, unknown>): Stream.Stream<Uint8Array, unknown> => {
  let came = 0
  return Stream.tap(bytes, (chunk) => {
    came += chunk.length
    return came > mostInboundBytes ? Effect.fail(new NotCaptured({ isTerminal: true })) : Effect.void
  })
}
