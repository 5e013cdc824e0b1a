import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { FeatureDisabled, IdempotencyKeyConflict, InvalidCursor, InvalidQuery } from "../conventions/SharedErrors.ts"
import { label, text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import {
  FlowNotDeletable,
  FlowNotDeprecatable,
  FlowNotEditable,
  FlowNotFound,
  FlowNotPublishable,
  InvalidFlowJson,
  InvalidFlowRequest
} from "./FlowErrors.ts"
import { FlowStatus } from "./FlowEvents.ts"
import { FlowJson } from "./FlowJson.ts"

const flowFields = {
  id: id("flw"),
  object: Schema.Literal("flow"),
  name: Schema.String.annotateKey({ description: "Name of the flow; a send may refer to it." }),
  status: FlowStatus,
  provider_flow_id: Schema.NullOr(Schema.String).annotate({
    description: "The provider's id, which a send may refer to; null before the provider assigns it."
  }),
  rejection_reason: Schema.NullOr(Schema.String).annotate({ description: "Reason for the rejection; null otherwise." }),
  categories: Schema.Array(Schema.String).annotate({ description: "Categories of the flow, as you sent them." }),
  environment: EnvironmentKind,
  created_at: Timestamp,
  updated_at: Timestamp,
  published_at: Schema.NullOr(Timestamp).annotate({ description: "Time of publication; null before it." })
}

/** A flow as lists return it. gaps-2 G "Flow routes" */
export const FlowEntry = Schema.Struct(flowFields).annotate({ identifier: "FlowEntry" })
export type FlowEntry = typeof FlowEntry.Type

/**
 * True for a flow that was never published, or was refused: it may still be changed and published. gaps-2 G "Flow
 * routes"
 */
export const isUnpublished = ({ status }: Pick<FlowEntry, "status">): boolean =>
  status === "draft" || status === "rejected"

const detail = {
  ...flowFields,
  flow_json: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "The definition as you sent it." }),
  trace_id: TraceId
}

/** A flow with its definition. gaps-2 G "Flow routes" */
export const Flow = Schema.Struct(detail).annotate({ identifier: "Flow" })
export type Flow = typeof Flow.Type

const FlowName = label(1, 128).annotate({ description: "Name of the flow, 1 to 128 characters after trimming." })
const FlowCategories = Schema.Array(text(1, 64))
  .check(Schema.isMinLength(1), Schema.isMaxLength(5))
  .annotate({
    description: "Categories of the flow: 1 to 5 of the provider's terms, such as SURVEY.",
    examples: [["SURVEY"]]
  })

/** Body of POST /v1/flows. gaps-2 G "Flow routes" */
export const CreateFlow = Schema.Struct({
  name: FlowName,
  flow_json: FlowJson,
  categories: nullableOptional(FlowCategories)
}).annotate({
  identifier: "CreateFlow",
  examples: [
    {
      name: "Appointment",
      categories: ["APPOINTMENT_BOOKING"],
      flow_json: { version: "7.2", screens: [{ id: "DATE", title: "When?", terminal: true }] }
    }
  ]
})
export type CreateFlow = typeof CreateFlow.Type

/** Body of PATCH /v1/flows/{flow_id}: at least one field. gaps-2 G "Flow routes" */
export const UpdateFlow = Schema.Struct({
  name: Schema.optionalKey(FlowName),
  flow_json: Schema.optionalKey(FlowJson),
  categories: Schema.optionalKey(FlowCategories)
})
  .annotate({ identifier: "UpdateFlow", examples: [{ name: "Appointment 2026" }] })
  .check(Schema.makeFilter((body) => Object.keys(body).length > 0, { expected: "at least one field to change" }))
export type UpdateFlow = typeof UpdateFlow.Type

/** The response to DELETE. gaps-2 G "Flow routes" */
export const DeletedFlow = Schema.Struct({
  id: id("flw"),
  object: Schema.Literal("flow"),
  deleted: Schema.Literal(true),
  trace_id: TraceId
}).annotate({ identifier: "DeletedFlow" })

const flowRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["templates:write"],
  rate: "write",
  validation: InvalidFlowRequest.code,
  restrictedWithoutCredit: true,
  ...traits
})
const readRoute: OperationTraits = {
  scopes: ["templates:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true,
  strictQuery: true
}
const params = { flow_id: pathId("flw") }

/** Flows of the calling key's environment. M-FLOW, gaps-2 G "Flow routes" */
export class FlowsApi extends HttpApiGroup.make("flows")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateFlow,
      success: Flow.pipe(HttpApiSchema.status(201)),
      error: [InvalidFlowRequest.wire, InvalidFlowJson.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, flowRoute({ idempotency: "optional", strictBody: true }))
      .annotate(OpenApi.Summary, "Create a flow")
      .annotate(OpenApi.Description, "Creates a draft; publish it before a message opens it."),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(FlowEntry),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, readRoute)
      .annotate(OpenApi.Summary, "List flows")
      .annotate(OpenApi.Description, "Flows of the calling key's environment without their definitions, newest first."),
    HttpApiEndpoint.get("get", "/:flow_id", { params, success: Flow, error: FlowNotFound.wire })
      .annotate(Traits, { ...readRoute, strictQuery: false })
      .annotate(OpenApi.Summary, "Read a flow")
      .annotate(OpenApi.Description, "Returns the flow with its definition."),
    HttpApiEndpoint.patch("update", "/:flow_id", {
      params,
      payload: UpdateFlow,
      success: Flow,
      error: [InvalidFlowRequest.wire, InvalidFlowJson.wire, FlowNotFound.wire, FlowNotEditable.wire]
    })
      .annotate(Traits, flowRoute({ strictBody: true }))
      .annotate(OpenApi.Summary, "Change a flow")
      .annotate(
        OpenApi.Description,
        "Only drafts and rejected flows can be changed; a rejected flow becomes a draft again."
      ),
    HttpApiEndpoint.post("publish", "/:flow_id/publish", {
      params,
      success: [Flow, Flow.pipe(HttpApiSchema.status(202))],
      error: [FeatureDisabled.wire, FlowNotFound.wire, FlowNotPublishable.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, flowRoute({ idempotency: "optional", capability: "messaging" }))
      .annotate(OpenApi.Summary, "Publish a flow")
      .annotate(
        OpenApi.Description,
        "In the sandbox the flow is published immediately (200). In production the provider reviews it (202): its status is publishing until it is published or rejected."
      ),
    HttpApiEndpoint.post("deprecate", "/:flow_id/deprecate", {
      params,
      success: Flow,
      error: [FlowNotFound.wire, FlowNotDeprecatable.wire]
    })
      .annotate(Traits, flowRoute({}))
      .annotate(OpenApi.Summary, "Deprecate a flow")
      .annotate(
        OpenApi.Description,
        "Only for published flows: messages can no longer open the flow. This cannot be undone."
      ),
    HttpApiEndpoint.delete("delete", "/:flow_id", {
      params,
      success: DeletedFlow,
      error: [FlowNotFound.wire, FlowNotDeletable.wire]
    })
      .annotate(Traits, flowRoute({}))
      .annotate(OpenApi.Summary, "Delete a flow")
      .annotate(OpenApi.Description, "Drafts only.")
  )
  .prefix("/v1/flows")
  .annotate(OpenApi.Title, "Flows")
  .annotate(OpenApi.Description, "Forms with several screens that a message opens in the chat.") {}
