import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { InvalidQuery } from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidDataRetentionRequest } from "./ContactErrors.ts"

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 365 }))
const exportEnabled = "Whether contacts and failures of batches can be exported."
const mediaDays = "Days for which inbound media is kept, 1 to 365."
const payloadDays = "Days for which the content of messages and of their events is kept, 1 to 365; events at most 30."

/** The retention periods of an environment. gaps-2 I "Data retention" */
export const DataRetentionPolicy = Schema.Struct({
  object: Schema.Literal("data_retention_policy"),
  data_export_enabled: Schema.Boolean.annotateKey({ description: exportEnabled }),
  media_retention_days: Schema.Int.annotateKey({ description: mediaDays }),
  payload_retention_days: Schema.Int.annotateKey({ description: payloadDays }),
  updated_at: Timestamp,
  trace_id: TraceId
}).annotate({ identifier: "DataRetentionPolicy" })

/** Body of PATCH /v1/data-retention: at least one field. M-CON-10, gaps-2 I "Data retention" */
export const UpdateDataRetention = Schema.Struct({
  data_export_enabled: Schema.optionalKey(Schema.Boolean.annotate({ description: exportEnabled })),
  media_retention_days: Schema.optionalKey(Days.annotate({ description: mediaDays })),
  payload_retention_days: Schema.optionalKey(Days.annotate({ description: payloadDays }))
})
  .annotate({ identifier: "UpdateDataRetention", examples: [{ payload_retention_days: 30 }] })
  .check(Schema.makeFilter((body) => Object.keys(body).length > 0, { expected: "at least one field to change" }))
export type UpdateDataRetention = typeof UpdateDataRetention.Type

/** Routes of the retention policy of the calling key's environment. gaps-2 I "Data retention" */
export class DataRetentionApi extends HttpApiGroup.make("dataRetention")
  .add(
    HttpApiEndpoint.get("get", "/", { success: DataRetentionPolicy })
      .annotate(Traits, {
        scopes: ["contacts:read"],
        rate: "read",
        validation: InvalidQuery.code,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Read the data retention policy")
      .annotate(OpenApi.Description, "Retention periods of this environment."),
    HttpApiEndpoint.patch("update", "/", {
      payload: UpdateDataRetention,
      success: DataRetentionPolicy,
      error: InvalidDataRetentionRequest.wire
    })
      .annotate(Traits, {
        scopes: ["contacts:write"],
        rate: "write",
        validation: InvalidDataRetentionRequest.code,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Change the data retention policy")
      .annotate(
        OpenApi.Description,
        "Data older than a shortened period is deleted within a day and cannot be restored."
      )
  )
  .prefix("/v1/data-retention")
  .annotate(OpenApi.Title, "Data retention")
  .annotate(OpenApi.Description, "Retention of customer data in an environment.") {}
