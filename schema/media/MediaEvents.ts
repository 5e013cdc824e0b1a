import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { EventSender } from "../messages/MessageEvents.ts"

/** Why a transcription failed, the same as on its receipt. gaps-2 F "Transcription" */
export const TranscriptionErrorCode = Schema.Literals([
  "transcription_provider_error",
  "transcription_timeout",
  "transcription_audio_invalid"
]).annotate({ identifier: "TranscriptionErrorCode", description: "Why the speech could not be written down." })

/** M-EVT-03, M-EVT-05, M-EVT-06, gaps-2 F "Transcription" */
export const MessageMediaTranscribed = defineEvent(
  "message.media_transcribed",
  Schema.Struct({
    media_asset_id: id("mda"),
    text: Schema.NullOr(Schema.String).annotate({
      description: "What was said; null once erasure or retention removed it."
    }),
    language: Schema.NullOr(Schema.String).annotate({ description: "The language that was heard." }),
    duration: Schema.NullOr(Schema.Finite).annotate({ description: "How long it is, in seconds." }),
    duration_seconds: Schema.NullOr(Schema.Finite).annotate({
      description: "The same as `duration`, under its name on the receipt."
    }),
    provider: Schema.String.annotateKey({ description: "Who wrote it down." }),
    model: Schema.NullOr(Schema.String).annotate({ description: "The provider's model." }),
    sender: EventSender
  }),
  { source_type: "message", description: "The speech of a voice message was written down." }
)

/** No speech and nothing of the provider's. M-EVT-03, M-EVT-07 */
export const MessageMediaTranscriptionFailed = defineEvent(
  "message.media_transcription_failed",
  Schema.Struct({ media_asset_id: id("mda"), error_code: TranscriptionErrorCode, sender: EventSender }),
  { source_type: "message", description: "The speech of a voice message could not be written down." }
)
