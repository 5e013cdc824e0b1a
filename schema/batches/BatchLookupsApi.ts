import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { integerParam, rowsOf } from "../conventions/Page.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { PhoneNumberNotFound } from "../phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound, TemplateParamMismatch } from "../templates/TemplateErrors.ts"
import { Batch, BatchCommand, BatchFailure, BatchPacing, BatchRecipient } from "./Batch.ts"
import { AudienceNotFound, BatchNotFound, InvalidBatchRequest } from "./BatchErrors.ts"
import { CreateBatch } from "./CreateBatch.ts"

/** A batch with the commands that change it as it stands. gaps-2 H "Pause, resume, cancel" */
const CommandedBatch = Schema.Struct({ ...Batch.fields, offered_commands: Schema.Array(BatchCommand) })

/** A part of a batch's recipients in the order in which they were given, each with its position. */
const sliceOf = <Fields extends Schema.Struct.Fields>(item: Schema.Struct<Fields>) =>
  Schema.Struct({
    object: Schema.Literal("batch_slice"),
    batch: CommandedBatch,
    /** Null for a batch that waits for nothing. */
    waits: Schema.NullOr(BatchWait),
    data: Schema.Array(Schema.Struct({ ...item.fields, position: Schema.Int })),
    trace_id: TraceId
  })

/** What a batch waits for, beside the pace of its number. */
const BatchWait = Schema.Struct({
  reason: Schema.Literals(["start", "resume", "daily_allowance", "guards"]),
  /** When it goes on, or tries to, by itself; null where nothing tells. */
  until: Schema.NullOr(Timestamp),
  /** Recipients who wait so, the first 10,000 of them; null where all do. */
  recipient_count: Schema.NullOr(Schema.Int)
})
export type BatchWait = typeof BatchWait.Type

/** How many recipients a batch failed for with one code and guard. M-BAT-24 */
export const FailureReason = Schema.Struct({
  error_code: Schema.NullOr(Schema.String),
  guard_reason: Schema.NullOr(Schema.String),
  /** Time from which the guard allows the first of them again. */
  next_allowed_at: Schema.NullOr(Timestamp),
  count: Schema.Int
})
export type FailureReason = typeof FailureReason.Type

/** Why a recipient gets no message. */
const RecipientRefusal = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  param: Schema.NullOr(Schema.String),
  guard_reason: Schema.NullOr(Schema.String)
})

/** The forecast of a batch that nobody has started, at the instant of the request. Decision 0071 */
export const BatchPlan = Schema.Struct({
  object: Schema.Literal("batch_plan"),
  /** Customers that it would be for, each once; a batch with a faulty recipient is refused as a whole. */
  recipient_count: Schema.Int,
  /** How many of them were looked at: of an audience the first 10,000. */
  judged_count: Schema.Int,
  /** Inline recipients that no batch takes, by their index in the body. */
  faulty: Schema.Array(Schema.Struct({ index: Schema.Int, error: RecipientRefusal })),
  /** The indexes of inline recipients whose customer stands further up already. */
  repeated: Schema.Array(Schema.Int),
  /** Recipients that the number would refuse as things stand; `phone` is as the batch addresses them. */
  held: Schema.Array(Schema.Struct({ phone: Schema.String, error: RecipientRefusal })),
  pacing: Schema.NullOr(BatchPacing),
  /** The category by which its messages are priced. */
  category: Schema.Literals(["marketing", "utility", "authentication"]),
  trace_id: TraceId
})
export type BatchPlan = typeof BatchPlan.Type

const reading: OperationTraits = {
  authentication: "person",
  scopes: ["messages:read"],
  rate: "read",
  validation: InvalidQuery.code
}
const params = { batch_id: pathId("bat") }
const slice = {
  params,
  query: {
    limit: integerParam(1, 251),
    /** The position before the slice; the start of the batch without it. */
    after: Schema.optionalKey(integerParam(0, 999_999))
  },
  error: BatchNotFound.wire
}

/** Reads of batches for people, beside the API: positions, commands, reasons, and a forecast. Decision 0155 */
export class BatchLookupsApi extends HttpApiGroup.make("batchLookups")
  .add(
    HttpApiEndpoint.get("recipients", "/:batch_id/recipients", {
      ...slice,
      success: sliceOf(BatchRecipient)
    }).annotate(Traits, reading),
    HttpApiEndpoint.get("failures", "/:batch_id/failures", {
      ...slice,
      success: sliceOf(BatchFailure)
    }).annotate(Traits, reading),
    HttpApiEndpoint.get("reasons", "/:batch_id/reasons", {
      params,
      success: Schema.Struct({
        ...rowsOf(FailureReason).fields,
        /** Failures are counted among so many first recipients, so that one look stays short. */
        counted_recipients: Schema.Int
      }),
      error: BatchNotFound.wire
    }).annotate(Traits, reading),
    /** Saved audiences by name, newest first, without the count of their contacts. */
    HttpApiEndpoint.get("audiences", "/audiences", {
      query: { limit: integerParam(1, 251) },
      success: rowsOf(Schema.Struct({ id: Schema.String, name: Schema.String }))
    }).annotate(Traits, { ...reading, scopes: ["contacts:read"] }),
    /** Refuses what concerns the batch as a whole as its acceptance would, and starts nothing. */
    HttpApiEndpoint.post("plan", "/plan", {
      payload: CreateBatch,
      success: BatchPlan,
      error: [
        InvalidBatchRequest.wire,
        TemplateNotFound.wire,
        TemplateNotApproved.wire,
        TemplateParamMismatch.wire,
        PhoneNumberNotFound.wire,
        AudienceNotFound.wire
      ]
    }).annotate(Traits, { ...reading, scopes: ["messages:write"], validation: InvalidBatchRequest.code })
  )
  .prefix("/people/batches") {}
