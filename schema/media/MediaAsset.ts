import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { MediaKind } from "../messages/content/MediaContent.ts"

/** M-MED-05 */
export const MediaLifecycle = Schema.Literals(["single_use", "library"]).annotate({
  description: "single_use: for one send, deleted after 24 hours without one. library: kept until you delete it."
})
export type MediaLifecycle = typeof MediaLifecycle.Type

/** M-MED-02 */
export const MediaSource = Schema.Literals(["customer", "inbound_provider"]).annotate({
  description: "customer: you uploaded it. inbound_provider: it came with an inbound message."
})
export type MediaSource = typeof MediaSource.Type

/** M-MED-07 */
export const MediaStatus = Schema.Literals(["pending", "ready", "consumed", "failed", "expired", "deleted"]).annotate({
  description:
    "pending: its bytes are awaited. ready: it can be sent. consumed: it was sent, or stored with an inbound message."
})
export type MediaStatus = typeof MediaStatus.Type

const instantOrNull = (description: string) => Schema.NullOr(Timestamp).annotate({ description })
const textOrNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** A file as reads return it: never bytes, base64 or storage keys. M-MED-01..11, M-MED-22 */
export class MediaAsset extends Schema.Class<MediaAsset>("MediaAsset")({
  id: id("mda"),
  object: Schema.Literal("media_asset"),
  source: MediaSource,
  provider: textOrNull("Provider that holds or rendered the file; null for your own uploads."),
  provider_media_id: textOrNull("The provider's id of the file."),
  kind: MediaKind,
  lifecycle: MediaLifecycle,
  filename: textOrNull("Name of the file, as given."),
  mime_type: Schema.String.annotateKey({ description: "Media type, under its own name." }),
  byte_length: Schema.Int.annotate({ description: "Size in bytes." }),
  status: MediaStatus,
  download: Schema.NullOr(
    Schema.Struct({
      method: Schema.Literal("GET"),
      path: Schema.String.annotateKey({ description: "Path of this service." })
    })
  ).annotate({ description: "Request that creates a download URL, while the file can be downloaded." }),
  expires_at: instantOrNull("Time at which the file is deleted; null while none is set."),
  upload_expires_at: instantOrNull("Time until which the bytes may be uploaded."),
  completed_at: instantOrNull("Time at which the upload was completed."),
  consumed_at: instantOrNull("Time at which the file was first sent, or stored with an inbound message."),
  consumed_by_message_id: textOrNull("Id of the message that first sent the file or brought it."),
  deleted_at: instantOrNull("Time of deletion."),
  failure_code: textOrNull("Code of the failure; new codes may appear."),
  failure_message: textOrNull("The failure in a sentence."),
  trace_id: Schema.NullOr(TraceId),
  created_at: Timestamp,
  updated_at: Timestamp
}) {}

/** Body of POST /v1/media/uploads, in the order its fields are checked. M-MED-17, M-MED-18, M-MED-19 */
export const CreateMediaUpload = Schema.Struct({
  kind: MediaKind,
  lifecycle: nullableOptional(MediaLifecycle).annotate({
    description: "Lifecycle of the file; single_use by default."
  }),
  filename: nullableOptional(
    text(1, 255).annotate({ description: "Name shown to the recipient of a document, 1 to 255 characters." })
  ),
  mime_type: text(1, 255).annotate({
    description: "Media type of the bytes, such as image/png; parameters are allowed and not compared."
  }),
  byte_length: Schema.Int.annotate({ description: "Exact size in bytes, within the limit for files of this type." })
}).annotate({
  examples: [{ kind: "audio", lifecycle: "library", filename: "greeting.ogg", mime_type: "audio/ogg", byte_length: 64 }]
})
export type CreateMediaUpload = typeof CreateMediaUpload.Type

const url = Schema.String.annotate({ description: "Call it unchanged; it needs no key.", format: "uri" })

/** M-MED-12 */
export class MediaUpload extends Schema.Class<MediaUpload>("MediaUpload")({
  id: id("mda"),
  object: Schema.Literal("media_upload"),
  upload_url: url,
  upload_method: Schema.Literal("PUT"),
  upload_headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Headers to send with the PUT."
  }),
  expires_at: Timestamp.annotate({
    description: "Time until which the bytes may be uploaded and the upload completed."
  }),
  trace_id: TraceId
}) {}

/** M-MED-13 */
export class MediaDownload extends Schema.Class<MediaDownload>("MediaAssetDownload")({
  id: id("mda"),
  object: Schema.Literal("media_asset_download"),
  download_url: url,
  expires_at: Timestamp.annotate({ description: "Time until which the URL works; request another afterwards." }),
  trace_id: TraceId
}) {}

/** M-MED-14 */
export class MediaStorageUsage extends Schema.Class<MediaStorageUsage>("MediaStorageUsage")({
  object: Schema.Literal("media_storage_usage"),
  used_bytes: Schema.Int.annotate({ description: "Stored bytes, plus those announced by open uploads." }),
  limit_bytes: Schema.Int.annotate({ description: "Storage limit of the environment." }),
  available_bytes: Schema.Int.annotate({ description: "Storage left, 0 or more." }),
  percent_used: Schema.Finite.annotate({ description: "Used share in percent with two decimals; it may exceed 100." }),
  trace_id: TraceId
}) {}

/** M-MED-15 */
export const DeletedMediaAsset = Schema.Struct({
  id: id("mda"),
  object: Schema.Literal("media_asset"),
  deleted: Schema.Literal(true),
  trace_id: TraceId
}).annotate({ identifier: "DeletedMediaAsset" })

/** M-MED-16 */
export const UploadedBytes = Schema.Struct({ ok: Schema.Literal(true), trace_id: TraceId }).annotate({
  identifier: "UploadedBytes"
})

/** Query of GET /v1/media. M-MED-31, M-LIM-06 */
export const listMediaQuery = {
  ...pageQuery(),
  lifecycle: Schema.optionalKey(MediaLifecycle),
  status: Schema.optionalKey(MediaStatus),
  kind: Schema.optionalKey(MediaKind),
  source: Schema.optionalKey(MediaSource)
}

/**
 * Returns the id of the asset that holds the speech of a message's text; reads of the message name it. gaps-2 F "TTS"
 */
export const speechAsset = (messageId: string): string => messageId.replace(/^msg_/, "mda_")
