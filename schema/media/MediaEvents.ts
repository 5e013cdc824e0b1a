import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { MediaDescriptor } from "../messages/InboundContent.ts"
import { EventSender } from "../messages/MessageEvents.ts"

/** The failures of a transcription, as in its resource. gaps-2 F "Transcription" */
export const TranscriptionErrorCode = Schema.Literals([
  "transcription_provider_error",
  "transcription_timeout",
  "transcription_audio_invalid"
]).annotate({ identifier: "TranscriptionErrorCode", description: "Code of the failure." })

/** M-EVT-03, M-EVT-05, M-EVT-06, gaps-2 F "Transcription" */
export const MessageMediaTranscribed = defineEvent(
  "message.media_transcribed",
  Schema.Struct({
    media_asset_id: id("mda"),
    text: Schema.NullOr(Schema.String).annotate({
      description: "The text; null once erasure or retention removed it."
    }),
    language: Schema.NullOr(Schema.String).annotate({ description: "Recognised language." }),
    duration: Schema.NullOr(Schema.Finite).annotate({ description: "Duration in seconds." }),
    duration_seconds: Schema.NullOr(Schema.Finite).annotate({
      description: "Equal to `duration`, under its name on the transcription."
    }),
    provider: Schema.String.annotateKey({ description: "Provider of the transcription." }),
    model: Schema.NullOr(Schema.String).annotate({ description: "The provider's model." }),
    sender: EventSender
  }),
  { source_type: "message", description: "A voice message was transcribed." }
)

/** A file that could not be fetched at first, and was fetched later. U-MED-02 */
export const MessageMediaStored = defineEvent(
  "message.media_stored",
  Schema.Struct({
    message_id: id("msg"),
    media: MediaDescriptor.annotateKey({ description: "The file, as a read of the message shows it now." })
  }),
  { source_type: "message", description: "A customer's file that could not be fetched at first was stored later." }
)

/** The data holds no speech and no text from the provider. M-EVT-03, M-EVT-07 */
export const MessageMediaTranscriptionFailed = defineEvent(
  "message.media_transcription_failed",
  Schema.Struct({ media_asset_id: id("mda"), error_code: TranscriptionErrorCode, sender: EventSender }),
  { source_type: "message", description: "A voice message could not be transcribed." }
)
