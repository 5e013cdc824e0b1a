import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { TranscriptionErrorCode } from "./MediaEvents.ts"

/** Body of POST /v1/media/{asset_id}/transcriptions. gaps-2 F "Transcription" */
export const CreateTranscription = Schema.Struct({
  language: nullableOptional(
    text(2, 8).annotate({ description: "Spoken language, such as pt_BR; recognised by default." })
  ),
  provider: nullableOptional(
    Schema.Literals(["speechprov1"]).annotate({ description: "Provider of the transcription." })
  )
}).annotate({ examples: [{ language: "pt_BR" }] })
export type CreateTranscription = typeof CreateTranscription.Type

const textOrNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** A transcription as reads return it. gaps-2 F "Transcription" */
export class MediaTranscription extends Schema.Class<MediaTranscription>("MediaTranscription")({
  id: id("mtr"),
  object: Schema.Literal("media_transcription"),
  media_asset_id: id("mda"),
  status: Schema.Literals(["queued", "processing", "succeeded", "failed"]).annotate({
    description: "Status of the transcription."
  }),
  text: textOrNull("The text; null before it is known, and once erasure or retention removed it."),
  language: textOrNull("Recognised language."),
  duration_seconds: Schema.NullOr(Schema.Finite).annotate({ description: "Duration in seconds." }),
  provider: Schema.String.annotateKey({ description: "Provider of the transcription." }),
  model: textOrNull("The provider's model."),
  error_code: Schema.NullOr(TranscriptionErrorCode).annotate({ description: "Code of the failure." }),
  trace_id: TraceId,
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of success or failure." })
}) {}
export type TranscriptionStatus = MediaTranscription["status"]
