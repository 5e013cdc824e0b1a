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

const ApiKey = text(1, 4096).annotate({ description: "Your API key at the provider; it is stored encrypted." })
const WebhookSecret = nullableOptional(
  text(1, 1024).annotate({ description: "Secret that signs the provider's calls about your account." })
)

/** Body of POST /v1/provider-connections/numprov. */
export const RegisterNumprov = Schema.Struct({
  display_name: label(1, 255).annotate({ description: "Your name for the account." }),
  account_id: text(1, 255).annotate({ description: "Id of the account at the provider." }),
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

/** Routes of number-provider accounts of the calling key's environment. gaps-2 L "Number-provider connections" */
export class NumprovConnectionsApi extends HttpApiGroup.make("numprovConnections")
  .annotate(OpenApi.Identifier, "providerConnections.numprov")
  .add(
    HttpApiEndpoint.post("register", "/", {
      payload: RegisterNumprov,
      success: AnsweredConnection.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, Errors.NumprovConnectionAlreadyExists.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Register your own account")
      .annotate(
        OpenApi.Description,
        "The key is verified afterwards: poll the operation. The numbers of the account are listed then."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(NumprovConnection),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...connectionRead, strictQuery: true })
      .annotate(OpenApi.Summary, "List number-provider connections")
      .annotate(OpenApi.Description, "Connections of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:numprov_connection_id", {
      params,
      success: AnsweredConnection,
      error: ProviderConnectionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a number-provider connection")
      .annotate(OpenApi.Description, "Returns the connection with its latest operation; never its key."),
    HttpApiEndpoint.post("rotate", "/:numprov_connection_id/rotate", {
      params,
      payload: RotateNumprov,
      success: AnsweredOperation.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, ProviderConnectionNotFound.wire, Errors.NumprovConnectionUnavailable.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Rotate the key of an account")
      .annotate(OpenApi.Description, "The new key replaces the present one once the provider accepts it."),
    HttpApiEndpoint.post("discover", "/:numprov_connection_id/discoveries", {
      params,
      success: AnsweredOperation.pipe(HttpApiSchema.status(202)),
      error: [...writeErrors, ProviderConnectionNotFound.wire, Errors.NumprovConnectionUnavailable.wire]
    })
      .annotate(Traits, writing)
      .annotate(OpenApi.Summary, "Refresh the numbers of an account")
      .annotate(
        OpenApi.Description,
        "Lists the numbers at the provider again. Numbers listed more than 24 hours ago cannot be imported."
      ),
    HttpApiEndpoint.post("disconnect", "/:numprov_connection_id/disconnect", {
      params,
      success: AnsweredConnection,
      error: [IdempotencyKeyConflict.wire, ProviderConnectionNotFound.wire]
    })
      .annotate(Traits, action)
      .annotate(OpenApi.Summary, "Disconnect an account")
      .annotate(OpenApi.Description, "Erases the key; imported numbers stay. Disconnecting again changes nothing."),
    HttpApiEndpoint.get("operation", "/:numprov_connection_id/operations/:numprov_operation_id", {
      params: { ...params, numprov_operation_id: pathId("npo") },
      success: AnsweredOperation,
      error: ProviderConnectionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read an operation")
      .annotate(OpenApi.Description, "Returns the result of a registration, a rotation or a discovery."),
    HttpApiEndpoint.get("resources", "/:numprov_connection_id/resources", {
      params,
      query: pageQuery(),
      success: pageOf(NumprovResource),
      error: [ProviderConnectionNotFound.wire, InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...connectionRead, strictQuery: true })
      .annotate(OpenApi.Summary, "List the numbers of an account")
      .annotate(OpenApi.Description, "Numbers as they were last listed at the provider.")
  )
  .prefix("/v1/provider-connections/numprov")
  .annotate(OpenApi.Title, "Number-provider connections")
  .annotate(OpenApi.Description, "Your own accounts at the number provider, whose numbers can be imported.") {}
