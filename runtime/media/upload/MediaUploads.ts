import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import type { IncomingBody } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { mostMediaBytes } from "@carteiro/schema/media/Media.ts"
import type { CreateMediaUpload } from "@carteiro/schema/media/MediaAsset.ts"
import {
  InvalidMediaMimeType,
  MediaAssetExpired,
  MediaAssetNotFound,
  MediaAssetNotReady,
  MediaBlobNotFound,
  MediaStorageQuotaExceeded,
  MediaUploadIncomplete,
  MediaUploadLengthMismatch
} from "@carteiro/schema/media/MediaErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Effect, Layer, Stream } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { readAsset } from "../asset/AssetRead.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { announced, completed, deleted, isAwaited, type StoredAsset, statusAt } from "../asset/AssetState.ts"
import { baseType, canonicalType, isOpenType } from "../asset/MediaTypes.ts"
import { type BlobVerb, readCapability, signCapability } from "../blob/BlobToken.ts"
import { mediaOwner } from "../job/MediaJob.ts"
import { discardOf } from "../job/MediaJobRepo.ts"
import { makeUploadBodies } from "./UploadBodies.ts"

/** The parts of a call that the actions of this room use. */
type MediaCall = ApiCall<"environment_id" | "environment">

/** How long a download URL is valid, in milliseconds. M-MED-26 */
const downloadMs = 5 * 60_000

/** The slowest permitted upload: at least this many bytes every twenty seconds, and 15 minutes in all. gaps-2 F */
const uploadPace = { totalMillis: 15 * 60_000, leastBytes: 262_144 }

/** The uploads of an environment, from the announcement to the deletion of the asset. M-MED */
export class MediaUploads extends Context.Service<
  MediaUploads,
  {
    /** Announces a file whose type and size are already checked. M-MED-17 */
    create(call: MediaCall, body: CreateMediaUpload): OperationReply
    /** Stores the bytes of an announced file for a client with its token. M-MED-20 */
    put(
      call: { readonly token: string; readonly now: number; readonly traceId: string },
      body: IncomingBody
    ): OperationReply
    complete(call: MediaCall, id: string): OperationReply
    downloadUrl(call: MediaCall, id: string): OperationReply
    /** Returns the asset of a download token, while it has bytes. M-MED-27 */
    findBlob(token: string, now: number): Effect.Effect<StoredAsset, MediaBlobNotFound>
    delete(call: MediaCall, id: string): OperationReply
  }
>()("@carteiro/runtime/media/upload/MediaUploads") {
  static readonly layer = Layer.effect(
    MediaUploads,
    Effect.gen(function* () {
      const repo = yield* AssetRepo
      const bodies = yield* makeUploadBodies
      const commit = yield* Commit
      const secrets = yield* Secrets
      const publicUrl = yield* PublicUrl
      const ids = yield* Ids
      const activations = yield* Activations

      const urlOf = (asset: Pick<StoredAsset, "environment_id" | "id">, verb: BlobVerb, expires_at: number) => {
        const { environment_id, id: asset_id } = asset
        return `${publicUrl()}/v1/media/blobs/${signCapability(secrets, { verb, environment_id, asset_id, expires_at })}`
      }

      const find = (environmentId: string, id: string) =>
        parseId("mda", id) ? repo.find(environmentId, id) : Effect.succeed(undefined)

      const require = (environmentId: string, id: string) =>
        Effect.flatMap(find(environmentId, id), (asset) =>
          asset === undefined ? Effect.fail(new MediaAssetNotFound()) : Effect.succeed(asset)
        )

      const put = Effect.fnUntraced(function* (
        { now, token, traceId }: { readonly token: string; readonly now: number; readonly traceId: string },
        body: IncomingBody
      ) {
        const capability = readCapability(secrets, token, "put", now)
        const asset = capability && (yield* repo.find(capability.environment_id, capability.asset_id))
        if (asset === undefined || !isAwaited(asset, now)) return yield* new MediaBlobNotFound()
        const fault = uploadFault(asset, body)
        if (fault !== undefined) return yield* fault
        yield* bodies.take(asset, exactly(asset, body), now)
        return reply({ traceId }, 200, { ok: true })
      })

      return MediaUploads.of({
        create: Effect.fnUntraced(function* (call, body) {
          const { environment, environment_id } = call.caller
          const asset = announced(
            {
              environment_id,
              environment,
              id: ids.mint("mda", call.now),
              kind: body.kind,
              filename: body.filename ?? null,
              mime_type: canonicalType(body.mime_type.trim()),
              byte_length: body.byte_length,
              trace_id: call.traceId
            },
            body.lifecycle ?? "single_use",
            call.now
          )
          const ends = asset.upload_expires_at ?? call.now
          const answer = reply(call, 201, uploadOf(asset, urlOf(asset, "put", ends), ends))
          const keys = yield* commit.write(repo.insert(asset), { claim: call.claim, response: answer })
          if (!keys("media_assets.insert").has(asset.id)) return yield* new MediaStorageQuotaExceeded()
          return answer
        }),

        put,

        complete: Effect.fnUntraced(function* (call, id) {
          while (true) {
            const asset = yield* require(call.caller.environment_id, id)
            const status = statusAt(asset, call.now)
            if (status === "deleted" || asset.source !== "customer") return yield* new MediaAssetNotFound()
            if (status === "expired") return yield* new MediaAssetExpired()
            if (status !== "pending")
              return yield* commit.complete(call.claim, reply(call, 200, readAsset(asset, call.now)))
            if (asset.blob_key === null) return yield* new MediaUploadIncomplete()
            const after = completed(asset, call.now)
            const answer = reply(call, 200, readAsset(after, call.now))
            const rows = [...repo.save(asset, after), ...discardOf(asset, after, call.now)]
            const keys = yield* commit.write(rows, { claim: call.claim, response: answer })
            if (!keys("media_assets.save").has(id)) continue
            if (rows.length > 1) activations.wake(mediaOwner, asset.environment_id)
            return answer
          }
        }),

        downloadUrl: Effect.fnUntraced(function* (call, id) {
          const asset = yield* require(call.caller.environment_id, id)
          const fault = downloadFault(statusAt(asset, call.now))
          if (fault !== undefined) return yield* fault
          const ends = call.now + downloadMs
          return reply(call, 200, {
            id,
            object: "media_asset_download",
            download_url: urlOf(asset, "get", ends),
            expires_at: formatTimestamp(ends)
          })
        }),

        findBlob: Effect.fnUntraced(function* (token, now) {
          const capability = readCapability(secrets, token, "get", now)
          const asset = capability && (yield* repo.find(capability.environment_id, capability.asset_id))
          const status = asset && statusAt(asset, now)
          if (asset === undefined || asset.blob_key === null || (status !== "ready" && status !== "consumed")) {
            return yield* new MediaBlobNotFound()
          }
          return asset
        }),

        delete: Effect.fnUntraced(function* (call, id) {
          while (true) {
            const asset = yield* require(call.caller.environment_id, id)
            const answer = reply(call, 200, { id, object: "media_asset", deleted: true })
            if (asset.status === "deleted") return answer
            const after = deleted(asset, call.now)
            const keys = yield* commit.write([...repo.save(asset, after), ...discardOf(asset, after, call.now)])
            if (!keys("media_assets.save").has(id)) continue
            activations.wake(mediaOwner, asset.environment_id)
            return answer
          }
        })
      })
    })
  )
}

/** Returns how the bytes of an announced file are sent. M-MED-17 */
const uploadOf = ({ id, mime_type }: StoredAsset, upload_url: string, ends: number) => ({
  id,
  object: "media_upload",
  upload_url,
  upload_method: "PUT",
  upload_headers: { "Content-Type": mime_type },
  expires_at: formatTimestamp(ends)
})

/**
 * Refuses an upload of another type or declared length than were announced. A type that says nothing leaves the bytes to
 * decide. M-MED-20 U-MED-03
 */
const uploadFault = (asset: StoredAsset, { contentLength, contentType }: IncomingBody): ApiError | undefined => {
  const type = canonicalType(contentType ?? "")
  if (!isOpenType(type, asset.kind) && baseType(type) !== baseType(asset.mime_type)) {
    return new InvalidMediaMimeType({
      param: "Content-Type",
      message: `Content-Type must be ${asset.mime_type}, as upload_headers say.`
    })
  }
  return contentLength === undefined || contentLength === asset.byte_length ? undefined : wrongLength(asset)
}

const wrongLength = ({ byte_length }: StoredAsset) =>
  new MediaUploadLengthMismatch({
    param: "Content-Length",
    message: `The upload must have exactly ${byte_length} bytes.`
  })

/** Refuses a download of an asset that has no bytes to show. M-MED-26 */
const downloadFault = (status: ReturnType<typeof statusAt>): ApiError | undefined => {
  switch (status) {
    case "deleted":
      return new MediaAssetNotFound()
    case "expired":
      return new MediaAssetExpired()
    case "pending":
    case "failed":
      return new MediaAssetNotReady()
    default:
      return undefined
  }
}

/** Passes the body on, and fails unless it has exactly the announced bytes. */
const exactly = (asset: StoredAsset, body: IncomingBody): Stream.Stream<Uint8Array, ApiError> => {
  const { byte_length } = asset
  let came = 0
  const counted = Stream.tap(body.stream({ limit: mostMediaBytes, ...uploadPace }), (chunk) => {
    came += chunk.length
    return came > byte_length ? Effect.fail(wrongLength(asset)) : Effect.void
  })
  return Stream.concat(
    counted,
    Stream.unwrap(Effect.sync(() => (came === byte_length ? Stream.empty : Stream.fail(wrongLength(asset)))))
  )
}
