import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { InvalidCursor, PayloadTooLarge, ServiceUnavailable } from "../conventions/SharedErrors.ts"
import * as Assets from "./MediaAsset.ts"
import * as Errors from "./MediaErrors.ts"
import { CreateTranscription, MediaTranscription } from "./Transcription.ts"

/** The size of the largest file in bytes, which limits its upload: 100 MB. M-MED-21, gaps-2 F "MIME types and sizes" */
export const mostMediaBytes = 104_857_600

const writing: OperationTraits = {
  scopes: ["messages:write"],
  rate: "write",
  validation: Errors.InvalidMediaRequest.code,
  restrictedWithoutCredit: true
}
const reading: OperationTraits = {
  scopes: ["messages:read"],
  rate: "read",
  validation: Errors.InvalidMediaQuery.code,
  restrictedWithoutCredit: true
}
/** The token in the path is the only credential. M-ERR-10 */
const capability: OperationTraits = {
  authentication: "none",
  scopes: [],
  rate: "media_blob",
  validation: Errors.InvalidMediaRequest.code
}

const asset = { asset_id: pathId("mda") }
const blob = {
  token: Schema.String.annotate({ description: "The signed part of the URL.", examples: ["signed-part-of-the-url"] })
}

const bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())

/** Routes of files: upload, list, download, delete and transcribe. M-MED */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("createUpload", "/v1/media/uploads", {
      payload: Assets.CreateMediaUpload,
      success: Assets.MediaUpload.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidMediaRequest.wire,
        Errors.InvalidMediaMimeType.wire,
        Errors.MediaTooLarge.wire,
        Errors.MediaStorageQuotaExceeded.wire
      ]
    })
      .annotate(Traits, { ...writing, idempotency: "optional" })
      .annotate(OpenApi.Identifier, "media.uploads.create")
      .annotate(OpenApi.Summary, "Start an upload")
      .annotate(
        OpenApi.Description,
        "Creates an upload. Then PUT the bytes to upload_url with upload_headers and without a key, and complete the upload. The id is that of the asset."
      )
  )
  .add(
    HttpApiEndpoint.post("complete", "/v1/media/:asset_id/complete", {
      params: asset,
      success: Assets.MediaAsset,
      error: [Errors.MediaAssetNotFound.wire, Errors.MediaUploadIncomplete.wire, Errors.MediaAssetExpired.wire]
    })
      .annotate(Traits, { ...writing, idempotency: "optional" })
      .annotate(OpenApi.Summary, "Complete an upload")
      .annotate(
        OpenApi.Description,
        "Makes the asset ready, or failed when its first bytes are of another type than announced. A repeated call returns the asset unchanged."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/v1/media", {
      query: Assets.listMediaQuery,
      success: pageOf(Assets.MediaAsset),
      error: [Errors.InvalidMediaQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Summary, "List media assets")
      .annotate(OpenApi.Description, "Newest first; deleted assets only with status=deleted.")
  )
  .add(
    HttpApiEndpoint.get("usage", "/v1/media/storage-usage", { success: Assets.MediaStorageUsage })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read storage usage")
      .annotate(OpenApi.Description, "Storage used by the files of the environment, including inbound files.")
  )
  .add(
    HttpApiEndpoint.get("get", "/v1/media/:asset_id", {
      params: asset,
      success: Assets.MediaAsset,
      error: Errors.MediaAssetNotFound.wire
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Read a media asset")
      .annotate(OpenApi.Description, "Returns the facts about a file, never its bytes.")
  )
  .add(
    HttpApiEndpoint.get("downloadUrl", "/v1/media/:asset_id/download-url", {
      params: asset,
      success: Assets.MediaDownload,
      error: [Errors.MediaAssetNotFound.wire, Errors.MediaAssetNotReady.wire, Errors.MediaAssetExpired.wire]
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Summary, "Mint a download URL")
      .annotate(
        OpenApi.Description,
        "The URL serves the bytes for five minutes without a key; request another afterwards."
      )
  )
  .add(
    HttpApiEndpoint.delete("delete", "/v1/media/:asset_id", {
      params: asset,
      success: Assets.DeletedMediaAsset,
      error: Errors.MediaAssetNotFound.wire
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Delete a media asset")
      .annotate(
        OpenApi.Description,
        "Deletes the bytes and frees their storage. A repeated call returns the asset unchanged."
      )
  )
  .add(
    HttpApiEndpoint.put("putBlob", "/v1/media/blobs/:token", {
      params: blob,
      payload: bytes,
      success: Assets.UploadedBytes,
      error: [
        Errors.InvalidMediaMimeType.wire,
        Errors.MediaUploadLengthMismatch.wire,
        Errors.MediaBlobNotFound.wire,
        Errors.MediaStorageQuotaExceeded.wire,
        Errors.MediaUploadInProgress.wire,
        PayloadTooLarge.wire,
        ServiceUnavailable.wire
      ]
    })
      .annotate(Traits, { ...capability, maxBodyBytes: mostMediaBytes })
      .annotate(OpenApi.Identifier, "media.blobs.put")
      .annotate(OpenApi.Summary, "Upload bytes")
      .annotate(
        OpenApi.Description,
        "The upload_url of an upload: raw bytes with the upload's headers and no key. Content-Type is the media type that the upload was made for, as upload_headers say. The request may be repeated until the upload is completed, one at a time: a parallel one is refused with 409. A request that sends no bytes for twenty seconds ends with 408."
      )
  )
  .add(
    HttpApiEndpoint.get("getBlob", "/v1/media/blobs/:token", {
      params: blob,
      success: [bytes, bytes.pipe(HttpApiSchema.status(206))],
      error: Errors.MediaBlobNotFound.wire
    })
      .annotate(Traits, capability)
      .annotate(OpenApi.Identifier, "media.blobs.get")
      .annotate(OpenApi.Summary, "Download bytes")
      .annotate(
        OpenApi.Description,
        "A download_url: returns the bytes with the asset's media type; takes no key. A Range header with one range returns a part."
      )
  )
  .add(
    HttpApiEndpoint.post("createTranscription", "/v1/media/:asset_id/transcriptions", {
      params: asset,
      payload: CreateTranscription,
      success: MediaTranscription.pipe(HttpApiSchema.status(202)),
      error: [
        Errors.InvalidMediaRequest.wire,
        Errors.TranscriptionMediaUnsupported.wire,
        Errors.MediaAssetNotFound.wire,
        Errors.MediaAssetNotReady.wire,
        Errors.TranscriptionInProgress.wire,
        Errors.TranscriptionProviderNotConfigured.wire
      ]
    })
      .annotate(Traits, { ...writing, idempotency: "optional", capability: "messaging", strictBody: true })
      .annotate(OpenApi.Identifier, "media.transcriptions.create")
      .annotate(OpenApi.Summary, "Transcribe an audio asset")
      .annotate(OpenApi.Description, "The text comes in a message.media_transcribed event and in the transcription.")
  )
  .add(
    HttpApiEndpoint.get("listTranscriptions", "/v1/media/:asset_id/transcriptions", {
      params: asset,
      query: pageQuery(),
      success: pageOf(MediaTranscription),
      error: [Errors.InvalidMediaQuery.wire, InvalidCursor.wire, Errors.MediaAssetNotFound.wire]
    })
      .annotate(Traits, { ...reading, strictQuery: true })
      .annotate(OpenApi.Identifier, "media.transcriptions.list")
      .annotate(OpenApi.Summary, "List transcriptions of an asset")
      .annotate(OpenApi.Description, "Newest first.")
  )
  .add(
    HttpApiEndpoint.get("getTranscription", "/v1/media/:asset_id/transcriptions/:transcription_id", {
      params: { ...asset, transcription_id: pathId("mtr") },
      success: MediaTranscription,
      error: Errors.TranscriptionNotFound.wire
    })
      .annotate(Traits, reading)
      .annotate(OpenApi.Identifier, "media.transcriptions.get")
      .annotate(OpenApi.Summary, "Read a transcription")
      .annotate(OpenApi.Description, "Returns the status and the text of a transcription.")
  )
  .annotate(OpenApi.Title, "Media")
  .annotate(OpenApi.Description, "Files of an environment: files that you send and files that customers sent.") {}
