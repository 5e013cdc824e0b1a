import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { listMediaQuery, MediaAsset } from "./MediaAsset.ts"
import { InvalidMediaQuery, TranscriptionNotFound } from "./MediaErrors.ts"

/** A file as a line of a list in a file. */
export const MediaLine = Schema.Struct(
  Struct.pick(MediaAsset.fields, [
    "id",
    "filename",
    "kind",
    "mime_type",
    "byte_length",
    "status",
    "failure_code",
    "lifecycle",
    "expires_at",
    "consumed_by_message_id",
    "created_at"
  ])
)
export type MediaLine = typeof MediaLine.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["messages:read"],
  rate: "read",
  validation: InvalidMediaQuery.code
}

/** What people look up of files beside the API: the file of a transcription by its id alone. Decision 0155 */
export class MediaLookupsApi extends HttpApiGroup.make("mediaLookups")
  .add(
    /** Files newest first, as lines of a file. */
    HttpApiEndpoint.get("lines", "/lines", {
      query: { ...rowsQuery, ...Struct.omit(listMediaQuery, ["limit", "starting_after"]) },
      success: Schema.Struct({
        ...rowsOf(MediaLine).fields,
        /** The id at which the walk ended before the list did; null when no row is left beyond it. */
        walked_to: Schema.NullOr(Schema.String)
      })
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("ofTranscription", "/transcriptions/:transcription_id", {
      params: { transcription_id: pathId("mtr") },
      success: Schema.Struct({
        object: Schema.Literal("transcribed_media_asset"),
        asset_id: id("mda"),
        trace_id: TraceId
      }),
      error: TranscriptionNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/media") {}
