import { Schema } from "effect"
import { id, TraceId } from "../conventions/Ids.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { TranscriptionErrorCode } from "./MediaEvents.ts"

/** Body of POST /v1/media/{asset_id}/transcriptions. gaps-2 F "Transcription" */
export const CreateTranscription = Schema.Struct({
  language: nullableOptional(
    text(2, 8).annotate({ description: "Language that is spoken, such as pt_BR; left out, it is recognized." })
  ),
  provider: nullableOptional(Schema.Literals(["speechprov1"]).annotate({ description: "Who writes it down." }))
}).annotate({ examples: [{ language: "pt_BR" }] })
export type CreateTranscription = typeof CreateTranscription.Type

const textOrNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** A transcription as reads show it. gaps-2 F "Transcription" */
export class MediaTranscription extends Schema.Class<MediaTranscription>("MediaTranscription")({
  id: id("mtr"),
  object: Schema.Literal("media_transcription"),
  media_asset_id: id("mda"),
  status: Schema.Literals(["queued", "processing", "succeeded", "failed"]).annotate({
    description: "How far it has come."
  }),
  text: textOrNull("What was said; null before it is known, and once erasure or retention removed it."),
  language: textOrNull("The language that was heard."),
  duration_seconds: Schema.NullOr(Schema.Finite).annotate({ description: "How long it is, in seconds." }),
  provider: Schema.String.annotateKey({ description: "Who writes it down." }),
  model: textOrNull("The provider's model."),
  error_code: Schema.NullOr(TranscriptionErrorCode).annotate({ description: "Why it failed." }),
  trace_id: TraceId,
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "When it succeeded or failed." })
}) {}
export type TranscriptionStatus = MediaTranscription["status"]
