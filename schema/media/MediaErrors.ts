import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a media body breaks the contract. gaps-2 A "New error codes" */
export class InvalidMediaRequest extends apiError("invalid_media_request", {
  status: 400,
  type: "validation_error",
  message: "The media request is invalid."
}) {}

/** Refuses when a query of a media list breaks the contract. gaps-2 A "New error codes" */
export class InvalidMediaQuery extends apiError("invalid_query", {
  status: 400,
  type: "validation_error",
  message: "The query is invalid."
}) {}

/** Refuses when the kind does not allow this media type, or the bytes have another type than announced. gaps-2 F */
export class InvalidMediaMimeType extends apiError("invalid_media_mime_type", {
  status: 400,
  type: "validation_error",
  message: "Files of this media type are not accepted here."
}) {}

/** gaps-2 F "MIME types and sizes" */
export class MediaTooLarge extends apiError("media_too_large", {
  status: 400,
  type: "validation_error",
  message: "The size is not one that files of this type may have."
}) {}

/** gaps-2 F "Upload and complete" */
export class MediaUploadLengthMismatch extends apiError("media_upload_length_mismatch", {
  status: 400,
  type: "validation_error",
  message: "The upload has another length than its session was made for."
}) {}

/** gaps-2 F "Quota" */
export class MediaStorageQuotaExceeded extends apiError("media_storage_quota_exceeded", {
  status: 409,
  type: "conflict",
  message: "The environment has no room for this file; delete assets that are no longer needed."
}) {}

/** Refuses while another request uploads these bytes: an upload takes one request at a time. */
export class MediaUploadInProgress extends apiError("media_upload_in_progress", {
  status: 409,
  type: "conflict",
  message: "The bytes of this upload are being sent by another request; wait for its answer before you send them again."
}) {}

/** gaps-2 F "Upload and complete" */
export class MediaUploadIncomplete extends apiError("media_upload_incomplete", {
  status: 409,
  type: "conflict",
  message: "No bytes were uploaded yet; PUT them to the upload_url first."
}) {}

/** gaps-2 F "download-url on other states" */
export class MediaAssetNotReady extends apiError("media_asset_not_ready", {
  status: 409,
  type: "conflict",
  message:
    "The asset has no bytes: complete its upload, or wait until a customer's file is stored; a failed one stays without."
}) {}

/** gaps-2 F "Upload and complete", "download-url on other states" */
export class MediaAssetExpired extends apiError("media_asset_expired", {
  status: 409,
  type: "conflict",
  message: "The asset expired and its bytes are gone."
}) {}

/** Refuses when the calling key's environment has no such asset. M-ERR-02 */
export class MediaAssetNotFound extends apiError("media_asset_not_found", {
  status: 404,
  type: "not_found",
  message: "No media asset with this id."
}) {}

/**
 * Refuses when the token is unknown, expired or for another purpose, or when its bytes are deleted. gaps-2 F "Upload
 * and complete"
 */
export class MediaBlobNotFound extends apiError("media_blob_not_found", {
  status: 404,
  type: "not_found",
  message: "This URL does not lead to a file, or no longer does."
}) {}

/** gaps-2 F "Transcription" */
export class TranscriptionNotFound extends apiError("transcription_not_found", {
  status: 404,
  type: "not_found",
  message: "No transcription with this id."
}) {}

/** gaps-2 F "Transcription" */
export class TranscriptionMediaUnsupported extends apiError("transcription_media_unsupported", {
  status: 400,
  type: "validation_error",
  message: "Only audio can be transcribed."
}) {}

/** gaps-2 F "Transcription" */
export class TranscriptionInProgress extends apiError("transcription_in_progress", {
  status: 409,
  type: "conflict",
  message: "This asset is being transcribed already."
}) {}

/** gaps-2 F "Transcription" */
export class TranscriptionProviderNotConfigured extends apiError("transcription_provider_not_configured", {
  status: 409,
  type: "conflict",
  message: "The environment has no key of a transcription provider."
}) {}
