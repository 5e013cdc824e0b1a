import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { InvalidMediaQuery, TranscriptionNotFound } from "./MediaErrors.ts"

/** What people look up of files beside the API: the file of a transcription by its id alone. Decision 0155 */
export class MediaLookupsApi extends HttpApiGroup.make("mediaLookups")
  .add(
    HttpApiEndpoint.get("ofTranscription", "/transcriptions/:transcription_id", {
      params: { transcription_id: pathId("mtr") },
      success: Schema.Struct({
        object: Schema.Literal("transcribed_media_asset"),
        asset_id: id("mda"),
        trace_id: TraceId
      }),
      error: TranscriptionNotFound.wire
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["messages:read"],
      rate: "read",
      validation: InvalidMediaQuery.code
    })
  )
  .prefix("/people/media") {}
