import { Downloads } from "@carteiro/outbound/Downloads.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedMedia, type MediaProvider } from "@carteiro/provider/MediaProvider.ts"
import type { DeliveryCode } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Clock, Effect } from "effect"
import { judgeForSend } from "../asset/AssetForSend.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import type { StoredAsset } from "../asset/AssetState.ts"
import { baseType, isVoiceType, judgeFile } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"
import { MediaHandleRepo, rememberHandle } from "../job/MediaHandleRepo.ts"
import { type MediaJob, retryAt } from "../job/MediaJob.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import { type PreparedMedia, type SendMedia, sandboxHash } from "../job/SendMedia.ts"
import { makeFetchLink } from "./FetchLink.ts"
import { type JobOutcome, NotReady, notReady, outcome, type RunJob } from "./JobOutcome.ts"
import { makeRender } from "./RenderSpeech.ts"

/** A file in the store that is about to go to a provider. */
interface FileAtHand {
  readonly asset_id: string | null
  readonly blob_key: string
  readonly mime_type: string
  readonly filename: string | null
  readonly sha256: string
  readonly byte_length: number
  /** True when its leading bytes are of another type than the declared one. */
  readonly contradicted: boolean
  /** Rows that must be written with it. */
  readonly rows: ReadonlyArray<Row>
  /** True when no row names the blob once the provider has it. */
  readonly isPassing: boolean
  /** True when it may go with any number of messages. */
  readonly isLibrary: boolean
}

/**
 * Prepares the file of one message for the provider, or determines why it cannot be sent. M-DLV-07..13, gaps-2 F "Asset
 * states at send"
 */
export const makeRunSend = Effect.gen(function* () {
  const assets = yield* AssetRepo
  const handles = yield* MediaHandleRepo
  const blobs = yield* Blobs
  const downloads = yield* Downloads
  const connected = yield* ConnectedMedia
  const fetchLink = yield* makeFetchLink
  const render = yield* makeRender

  const fromAsset = Effect.fnUntraced(function* (job: MediaJob, send: SendMedia, asset_id: string) {
    const asset = yield* assets.find(job.environment_id, asset_id)
    const now = yield* Clock.currentTimeMillis
    const code = judgeForSend(asset, { kind: send.kind, holder: job.id }, now)
    if (code !== undefined) return yield* notReady(code)
    const { blob_key, sha256 } = asset as StoredAsset
    if (blob_key === null || sha256 === null) return yield* notReady("media_asset_resolution_failed")
    return atHand(asset as StoredAsset, blob_key, sha256)
  })

  const fromLink = Effect.fnUntraced(function* (job: MediaJob, send: SendMedia, link: string) {
    const now = yield* Clock.currentTimeMillis
    const of = { environment_id: job.environment_id, id: "links", now, kind: send.kind, filename: send.filename }
    const fetched = yield* Effect.mapError(fetchLink(of, link), ({ code, isPassing }) =>
      isPassing ? new NotReady({ code, retries: "send", afterMs: null }) : notReady(code)
    )
    const { bytes, mime_type } = fetched
    const file: FileAtHand = {
      ...bytes,
      asset_id: null,
      mime_type,
      filename: send.filename,
      rows: [],
      isPassing: true,
      isLibrary: false
    }
    return file
  })

  /** Reads the bytes once more, checks that they are the completed ones, and uploads them to the provider. M-DLV-12 */
  const handOver = Effect.fnUntraced(function* (job: MediaJob, send: SendMedia, file: FileAtHand) {
    const fault = fileFault(send, file)
    if (fault !== undefined) return yield* notReady(fault)
    const found = yield* Effect.catch(blobs.hash(file.blob_key), () => Effect.succeed(undefined))
    if (found === undefined) {
      return yield* new NotReady({ code: "media_asset_resolution_failed", retries: "send", afterMs: null })
    }
    if (found !== file.sha256) return yield* notReady("media_content_changed")
    const { environment_id } = job
    const { business_id, channel } = send
    const provider =
      job.environment === "sandbox" ? undefined : yield* connected({ environment_id, channel, business_id })
    if (provider === undefined) return { id: null, rows: [] }
    const handle = file.isLibrary &&
      file.asset_id !== null && { environment_id, asset_id: file.asset_id, channel, business_id }
    const now = yield* Clock.currentTimeMillis
    const known = handle ? yield* handles.find(handle, now) : undefined
    if (known !== undefined && (yield* stillHas(provider, known, file.sha256))) return { id: known, rows: [] }
    const answer = yield* provider.upload({
      _tag: "Bytes",
      mime_type: baseType(file.mime_type),
      filename: send.filename ?? file.filename,
      byte_length: file.byte_length,
      open: Effect.succeed(blobs.read(file.blob_key))
    })
    switch (answer._tag) {
      case "Done": {
        const { provider_media_id: id } = answer.value
        return { id, rows: handle ? [rememberHandle(handle, id, now)] : [] }
      }
      case "Refused":
      case "Failed":
        return yield* notTaken(answer)
    }
  })

  const prepare = Effect.fnUntraced(function* (job: MediaJob, send: SendMedia) {
    const { source } = send
    if ("link" in source && job.environment === "sandbox") {
      if (downloads.tenantLink(source.link) === undefined) return yield* notReady("media_link_fetch_failed")
      const sha256 = sandboxHash(source)
      if (send.expected_sha256 !== undefined && send.expected_sha256 !== sha256) {
        return yield* notReady("media_content_changed")
      }
      return { ready: { ...nothing, filename: send.filename, sha256 }, rows: [], passing: null, own: null }
    }
    const file =
      "asset_id" in source
        ? yield* fromAsset(job, send, source.asset_id)
        : "link" in source
          ? yield* fromLink(job, send, source.link)
          : yield* render(job, source.tts)
    const passing = file.isPassing ? file.blob_key : null
    const given = yield* Effect.tapError(handOver(job, send, file), () =>
      blobs.discard(passing ?? (file.rows.length > 0 ? file.blob_key : null))
    )
    // Bytes stored for this message alone have no owner unless the rows are written.
    const own = file.rows.length > 0 ? file.blob_key : null
    return { ready: readyFile(send, file, given.id), rows: [...file.rows, ...given.rows], passing, own }
  })

  const run: RunJob<"send"> = Effect.fnUntraced(function* (job) {
    const send = readJson(job.input)
    const prepared = yield* Effect.result(prepare(job, send))
    const at = yield* Clock.currentTimeMillis
    const end = (result: PreparedMedia, rows: ReadonlyArray<Row>, own: string | null): JobOutcome =>
      outcome([...rows, endJob(job, at, result)], undefined, { refused: blobs.discard(own) })
    if (prepared._tag === "Success") {
      const { own, passing, ready, rows } = prepared.success
      yield* blobs.discard(passing)
      return end({ _tag: "Ready", ...ready }, rows, own)
    }
    const { afterMs, code, provider_error, retries } = prepared.failure
    const due_at = retries === null ? undefined : retryAt(retries, job.attempts, at, afterMs)
    return due_at === undefined
      ? end({ _tag: "Failed", code, provider_error }, [], null)
      : outcome([postponeJob(job, due_at)], due_at)
  })
  return run
})

/**
 * Returns why a file cannot go with its message: its type or size, or other bytes than the sender expects. A file from a
 * link or an inline source has not been checked before. M-DLV-07..13
 */
const fileFault = (send: SendMedia, file: FileAtHand): DeliveryCode | undefined => {
  if (send.voice && !isVoiceType(file.mime_type)) return "media_voice_requires_ogg_opus"
  const code = judgeFile(send.kind, file.mime_type, file.byte_length)
  if (code !== undefined) return code
  if (file.contradicted) return "invalid_media_mime_type"
  const isExpected = send.expected_sha256 === undefined || send.expected_sha256 === file.sha256
  return isExpected ? undefined : "media_content_changed"
}

/** Returns the file as its message names it, with the id that the provider gave it. */
const readyFile = (send: SendMedia, file: FileAtHand, provider_media_id: string | null) => ({
  provider_media_id,
  asset_id: file.asset_id,
  mime_type: file.mime_type,
  filename: send.filename ?? file.filename,
  sha256: file.sha256,
  byte_length: file.byte_length
})

/** True when the provider still has a file with that id and hash; the sender may have another account by now. */
const stillHas = (provider: MediaProvider, provider_media_id: string, sha256: string): Effect.Effect<boolean> =>
  Effect.map(
    provider.find(provider_media_id),
    (found) => found._tag === "Done" && (found.value.sha256 === null || found.value.sha256 === sha256)
  )

/** Returns why the provider did not take a file, with what it said. */
const notTaken = (answer: Exclude<ChatCall<unknown>, { readonly _tag: "Done" }>): NotReady => {
  const provider_error = answer.error ?? undefined
  const code = "media_asset_resolution_failed"
  if (answer._tag === "Failed") return new NotReady({ code, retries: "send", afterMs: null, provider_error })
  return notReady(isDeliveryCode(answer.code) ? answer.code : code, provider_error)
}

const nothing = { provider_media_id: null, asset_id: null, mime_type: null, byte_length: null }

const atHand = (asset: StoredAsset, blob_key: string, sha256: string): FileAtHand => ({
  asset_id: asset.id,
  blob_key,
  mime_type: asset.mime_type,
  filename: asset.filename,
  sha256,
  byte_length: asset.byte_length,
  contradicted: false,
  rows: [],
  isPassing: false,
  isLibrary: asset.lifecycle === "library"
})

const isDeliveryCode = (code: string): code is DeliveryCode => Object.hasOwn(deliveryCodes, code)
