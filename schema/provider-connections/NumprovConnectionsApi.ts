import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import {
  IdempotencyKeyConflict,
  IdempotencyKeyRequired,
  InvalidCursor,
  InvalidQuery
} from "../conventions/SharedErrors.ts"
import { label, text } from "../conventions/Text.ts"
import { NumprovConnection, NumprovOperation, NumprovResource } from "./NumprovConnection.ts"
import * as Errors from "./NumprovErrors.ts"
import { InvalidProviderConnectionRequest, ProviderConnectionNotFound } from "./ProviderConnectionErrors.ts"
import { connectionRead } from "./ProviderConnectionsApi.ts"

const ApiKey = text(1, 4096).annotate({ description: "Your key at the provider; it is stored sealed." })
const WebhookSecret = nullableOptional(
  text(1, 1024).annotate({ description: "What signs the provider's calls about your account." })
)

/** Body of POST /v1/provider-connections/numprov. */
export const RegisterNumprov = Schema.Struct({
  display_name: label(1, 255).annotate({ description: "What you call it." }),
  account_id: text(1, 255).annotate({ description: "The account at the provider." }),
  api_key: ApiKey,
  webhook_secret: WebhookSecret
}).annotate({
  identifier: "RegisterNumprov",
  examples: [{ display_name: "Our numbers", account_id: "acc_1", api_key: "key-of-the-account" }]
})
export type RegisterNumprov = typeof RegisterNumprov.Type

/** Body of POST /{numprov_connection_id}/rotate. */
export const RotateNumprov = Schema.Struct({ api_key: ApiKey, webhook_secret: WebhookSecret }).annotate({
  identifier: "RotateNumprov",
  examples: [{ api_key: "the-next-key" }]
})
export type RotateNumprov = typeof RotateNumprov.Type

const answered = <Fields extends Schema.Struct.Fields>(struct: Schema.Struct<Fields>, identifier: string) =>
  Schema.Struct({ ...struct.fields, trace_id: TraceId }).annotate({ identifier })
const AnsweredConnection = answered(NumprovConnection, "AnsweredNumprovConnection")
const AnsweredOperation = answered(NumprovOperation, "AnsweredNumprovOperation")

const action: OperationTraits = {
  scopes: ["provider_connections:write"],
  rate: "write",
  validation: InvalidProviderConnectionRequest.code,
  idempotency: "optional",
  restrictedWithoutCredit: true
}
const writing: OperationTraits = {
  ...action,
  idempotency: "required",
  missingKeyCode: "idempotency_key_required",
  strictBody: true
}
const writeErrors = [
  InvalidProviderConnectionRequest.wire,
  IdempotencyKeyRequired.wire,
  IdempotencyKeyConflict.wire,
  Errors.NumprovByokUnavailable.wire
] as const
const params = { numprov_connection_id: pathId("npc") }

/** Accounts of the calling key's environment at the number provider. gaps-2 L "Number-provider connections" */
export class NumprovConnectionsApi extends HttpApiGroup.make("numprovConnections")
  .annotate(OpenApi.Identifier, "providerConnections.numprov")
  .add(
    HttpApiEndpoint.post("register", "/", {
      payload: RegisterNumprov,
      success: AnsweredConnection.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, Errors.NumprovConnectionAlreadyExists.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Register an account of your own")
      .annotate(OpenApi.Description, "The key is proven afterwards: poll the operation. Its numbers are listed then."),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(NumprovConnection),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...connectionRead, strictQuery: true })
      .annotate(OpenApi.Summary, "List number-provider connections")
      .annotate(OpenApi.Description, "Those of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:numprov_connection_id", {
      params,
      success: AnsweredConnection,
      error: ProviderConnectionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a number-provider connection")
      .annotate(OpenApi.Description, "Its state and what was asked of the provider last; never its key."),
    HttpApiEndpoint.post("rotate", "/:numprov_connection_id/rotate", {
      params,
      payload: RotateNumprov,
      success: AnsweredOperation.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, ProviderConnectionNotFound.wire, Errors.NumprovConnectionUnavailable.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Rotate the key of an account")
      .annotate(OpenApi.Description, "The new key takes the place of the present one once it was proven."),
    HttpApiEndpoint.post("discover", "/:numprov_connection_id/discoveries", {
      params,
      success: AnsweredOperation.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, ProviderConnectionNotFound.wire, Errors.NumprovConnectionUnavailable.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "List the numbers of an account anew")
      .annotate(OpenApi.Description, "Numbers listed more than 24 hours ago cannot be imported."),
    HttpApiEndpoint.post("disconnect", "/:numprov_connection_id/disconnect", {
      params,
      success: AnsweredConnection,
      error: [IdempotencyKeyConflict.wire, ProviderConnectionNotFound.wire]
    })
      .annotate(Traits, action)
      .annotate(OpenApi.Summary, "Disconnect an account")
      .annotate(
        OpenApi.Description,
        "Its key is erased, and its numbers that were imported stay. Disconnecting once more changes nothing."
      ),
    HttpApiEndpoint.get("operation", "/:numprov_connection_id/operations/:numprov_operation_id", {
      params: { ...params, numprov_operation_id: pathId("npo") },
      success: AnsweredOperation,
      error: ProviderConnectionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read an operation")
      .annotate(OpenApi.Description, "What came of a registration, a rotation or a discovery."),
    HttpApiEndpoint.get("resources", "/:numprov_connection_id/resources", {
      params,
      query: pageQuery(),
      success: pageOf(NumprovResource),
      error: [ProviderConnectionNotFound.wire, InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...connectionRead, strictQuery: true })
      .annotate(OpenApi.Summary, "List the numbers of an account")
      .annotate(OpenApi.Description, "As they were last listed at the provider.")
  )
  .prefix("/v1/provider-connections/numprov")
  .annotate(OpenApi.Title, "Number-provider connections")
  .annotate(OpenApi.Description, "Accounts of your own at the number provider, whose numbers can be imported.") {}
