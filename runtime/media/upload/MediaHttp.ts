import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { httpException } from "@carteiro/http-edge/Refusals.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { MediaApi } from "@carteiro/schema/media/Media.ts"
import type { CreateMediaUpload } from "@carteiro/schema/media/MediaAsset.ts"
import {
  InvalidMediaMimeType,
  MediaAssetNotFound,
  MediaBlobNotFound,
  MediaTooLarge,
  TranscriptionNotFound
} from "@carteiro/schema/media/MediaErrors.ts"
import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Effect, Result } from "effect"
import { readAsset } from "../asset/AssetRead.ts"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { standardLimit } from "../asset/AssetState.ts"
import { baseType, canonicalType, isOpenType, judgeFile, typesOf } from "../asset/MediaTypes.ts"
import { Blobs } from "../blob/Blobs.ts"
import { storeFailed } from "../blob/StoreFailed.ts"
import { readTranscription, TranscriptionRepo } from "../speech/TranscriptionRepo.ts"
import { Transcriptions } from "../speech/Transcriptions.ts"
import { readRange } from "./ByteRange.ts"
import { MediaUploads } from "./MediaUploads.ts"

/**
 * Refuses a file whose type or size its kind does not permit; an open type waits for the bytes. U-MED-03, gaps-2 F
 * "MIME types and sizes"
 */
const checkFile = ({ byte_length, kind, mime_type }: Partial<CreateMediaUpload>) => {
  if (kind === undefined || mime_type === undefined) return undefined
  const [first = mime_type] = typesOf(kind)
  switch (judgeFile(kind, isOpenType(mime_type, kind) ? first : canonicalType(mime_type), byte_length)) {
    case "invalid_media_mime_type":
      return Result.fail(new InvalidMediaMimeType({ param: "mime_type", message: refusedType(kind, mime_type) }))
    case "media_too_large":
      return Result.fail(new MediaTooLarge({ param: "byte_length" }))
    default:
      return undefined
  }
}

/** Returns the sentence that names a refused type and the types that the kind may have. */
const refusedType = (kind: MediaKind, mime_type: string): string => {
  const own = baseType(mime_type) || "this type"
  return `Files of ${own} cannot be sent as ${kind}. Convert the file to one of: ${typesOf(kind).join(", ")}.`
}

/** Routes of `/v1/media`. M-MED */
export const MediaHttp = Routes.group(
  MediaApi,
  Effect.gen(function* () {
    const uploads = yield* MediaUploads
    const repo = yield* AssetRepo
    const blobs = yield* Blobs
    const transcriptions = yield* Transcriptions
    const transcribed = yield* TranscriptionRepo
    const cursors = yield* Cursors

    const find = (environmentId: string, id: string) =>
      parseId("mda", id) ? repo.find(environmentId, id) : Effect.succeed(undefined)
    const require = (environmentId: string, id: string) =>
      Effect.flatMap(find(environmentId, id), (asset) =>
        asset === undefined ? Effect.fail(new MediaAssetNotFound()) : Effect.succeed(asset)
      )

    return Routes.handlers(MediaApi, {
      createUpload: Routes.checked(checkFile, (request) => uploads.create(request, request.body)),
      complete: (request) => uploads.complete(request, request.params.asset_id),
      downloadUrl: (request) => uploads.downloadUrl(request, request.params.asset_id),
      delete: (request) => uploads.delete(request, request.params.asset_id),

      get: (request) =>
        Effect.map(require(request.caller.environment_id, request.params.asset_id), (asset) =>
          reply(request, 200, readAsset(asset, request.now))
        ),

      list: Effect.fnUntraced(function* (request) {
        const { limit, starting_after, ...filters } = request.query
        const scope = request.caller.environment_id
        const page = yield* idPage(
          { cursors, route: request.operation, scope, after: starting_after, size: pageSize(limit) },
          (before, count) => repo.list(scope, filters, request.now, before, count),
          (asset) => readAsset(asset, request.now)
        )
        return pageReply(request, page)
      }),

      usage: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const { limit_bytes, used_bytes } = yield* repo.usage(environment_id)
        const limit = limit_bytes ?? standardLimit[environment]
        return reply(request, 200, {
          object: "media_storage_usage",
          used_bytes,
          limit_bytes: limit,
          available_bytes: Math.max(0, limit - used_bytes),
          percent_used: percentOf(used_bytes, limit)
        })
      }),

      putBlob: ({ body, now, params, traceId }) => uploads.put({ token: params.token, now, traceId }, body),

      getBlob: Effect.fnUntraced(function* ({ now, params, range: header }) {
        const asset = yield* uploads.findBlob(params.token, now)
        const range = readRange(header, asset.byte_length)
        if (range._tag === "Unsatisfiable") return yield* httpException(416, "The range lies outside of the file.")
        const part = range._tag === "Part" ? range : undefined
        const opened = blobs.open(asset.blob_key ?? "", part)
        const body = yield* Effect.catchTag(opened, "BlobStoreFailed", storeFailed)
        if (body === undefined) return yield* new MediaBlobNotFound()
        const length = part === undefined ? asset.byte_length : part.last - part.first + 1
        return {
          status: part === undefined ? 200 : 206,
          body,
          headers: {
            "content-type": asset.mime_type,
            "content-length": String(length),
            "accept-ranges": "bytes",
            "content-disposition": dispositionOf(asset.filename),
            // No browser may show a customer's file as a page of this origin.
            "content-security-policy": "sandbox; default-src 'none'",
            ...(part === undefined ? {} : { "content-range": `bytes ${part.first}-${part.last}/${asset.byte_length}` })
          }
        }
      }),

      createTranscription: (request) =>
        Effect.flatMap(find(request.caller.environment_id, request.params.asset_id), (asset) =>
          transcriptions.begin(request, asset, request.body)
        ),

      listTranscriptions: Effect.fnUntraced(function* (request) {
        const { limit, starting_after } = request.query
        const { environment_id } = request.caller
        const id = request.params.asset_id
        const page = yield* idPage(
          {
            cursors,
            route: request.operation,
            scope: `${environment_id}/${id}`,
            after: starting_after,
            size: pageSize(limit)
          },
          // The cursor is checked before the asset. gaps-1 A "Order of checks in one request"
          (before, count) =>
            Effect.andThen(require(environment_id, id), transcribed.list(environment_id, id, before, count)),
          readTranscription
        )
        return pageReply(request, page)
      }),

      getTranscription: Effect.fnUntraced(function* (request) {
        const { asset_id, transcription_id } = request.params
        const found = parseId("mtr", transcription_id)
          ? yield* transcribed.find(request.caller.environment_id, transcription_id)
          : undefined
        if (found === undefined || found.asset_id !== asset_id) return yield* new TranscriptionNotFound()
        return reply(request, 200, readTranscription(found))
      })
    })
  })
)

const percentOf = (used: number, limit: number): number =>
  limit === 0 ? (used === 0 ? 0 : 100) : Math.round((used / limit) * 10_000) / 100

/** Returns a Content-Disposition header; quotes, slashes and control characters are removed from the name. RFC 6266 */
const dispositionOf = (filename: string | null): string => {
  if (filename === null) return "attachment"
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\/]/g, "_")
  const encoded = encodeURIComponent(filename.replaceAll(/[/\\]/g, "_").toWellFormed()).replaceAll(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
