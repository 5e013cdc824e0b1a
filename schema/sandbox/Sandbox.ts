import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { EnvironmentKind, KeyScope, Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { GroupNotFound } from "../groups/GroupErrors.ts"
import { MessageRecipient, MessageSender } from "../messages/Message.ts"
import { InvalidMessageRequest, InvalidPhoneE164 } from "../messages/MessageErrors.ts"
import { Channel, MessageType } from "../messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "../phone-numbers/PhoneNumberErrors.ts"
import { ArmedLlmFailure, ArmLlmFailure } from "./LlmFailure.ts"
import { InvalidSandboxRequest } from "./SandboxErrors.ts"
import { SimulateInbound } from "./SimulateInbound.ts"

/** The facts that an integrator needs for the first sandbox send. M-SBX-02, gaps-2 J "Quickstart content" */
export class SandboxQuickstart extends Schema.Class<SandboxQuickstart>("SandboxQuickstart")({
  object: Schema.Literal("sandbox_quickstart"),
  environment: EnvironmentKind,
  api_key: Schema.Struct({
    id: Schema.String.annotateKey({ description: "Id of the key." }),
    name: Schema.String.annotateKey({ description: "Name of the key." }),
    key_prefix: Schema.String.annotateKey({ description: "Beginning of the secret." }),
    scopes: Schema.Array(KeyScope).annotateKey({ description: "Scopes of the key." })
  }).annotate({ description: "The calling key." }),
  sender: Schema.Struct({
    phone_number_id: Schema.NullOr(Schema.String).annotate({
      description: "Value for sender.id; null while the sandbox has no number."
    }),
    phone: Schema.NullOr(Schema.String).annotate({ description: "The fictitious phone number." }),
    display_name: Schema.NullOr(Schema.String).annotate({ description: "Name shown to customers." }),
    type: Schema.Literal("chatapp_phone_number"),
    status: Schema.NullOr(Schema.String).annotate({ description: "Status of the number; active when it can send." })
  }).annotate({ description: "The number to send from." }),
  webhooks: Schema.Struct({
    endpoint_count: Schema.Int.annotateKey({ description: "Endpoints registered in this sandbox." }),
    listen_path: Schema.String.annotateKey({ description: "Route for reading events without an endpoint." })
  }).annotate({ description: "Ways of receiving events." }),
  templates: Schema.Struct({
    items: Schema.Array(
      Schema.Struct({
        id: Schema.String.annotateKey({ description: "Id of the template." }),
        name: Schema.String.annotateKey({ description: "Its name." }),
        language: Schema.String.annotateKey({ description: "Its language." }),
        category: Schema.String.annotateKey({ description: "Category of the template, such as marketing." }),
        status: Schema.String.annotateKey({ description: "Status of the template; approved when it can be sent." })
      })
    ).annotateKey({ description: "The templates." })
  }).annotate({ description: "Templates of this sandbox." }),
  capabilities: Schema.Struct({
    channels: Schema.Array(Schema.String).annotateKey({ description: "Simulated channels." }),
    inbound_types: Schema.Array(Schema.String).annotateKey({
      description: "Types that POST /v1/sandbox/inbound-messages accepts."
    }),
    scenarios: Schema.Array(Schema.String).annotateKey({ description: "Outcomes that a send can request." }),
    llm_failure: Schema.Array(Schema.String).annotateKey({
      description: "Language model failures that can be simulated."
    })
  }).annotate({ description: "Simulations that this sandbox supports." }),
  missing_scopes: Schema.Array(KeyScope).annotate({
    description: "Scopes that the calling key lacks for the first steps."
  }),
  trace_id: TraceId
}) {}

/**
 * Scopes that the quickstart expects of a key, in the order in which it reports missing ones. gaps-2 J "Quickstart
 * content"
 */
export const quickstartScopes = [
  "messages:read",
  "messages:write",
  "templates:read",
  "contacts:write",
  "phone_numbers:read",
  "webhooks:write",
  "sandbox:write"
] as const satisfies ReadonlyArray<KeyScope>

/** The 202 response to an inbound simulation: exactly these members of a message read. M-SBX-16 */
export class SimulatedInbound extends Schema.Class<SimulatedInbound>("SimulatedInbound")({
  id: Schema.String.annotateKey({ description: "Id of the message." }),
  object: Schema.Literal("message"),
  direction: Schema.Literal("inbound"),
  channel: Channel,
  type: MessageType,
  status: Schema.Literal("received"),
  environment: EnvironmentKind,
  sender: MessageSender,
  recipient: MessageRecipient,
  provider: Schema.NullOr(Schema.String).annotate({ description: "Provider of the message: the sandbox." }),
  provider_message_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the message." }),
  payload: Schema.Unknown.annotateKey({ description: "Payload as the provider would have sent it." }),
  trace_id: TraceId,
  created_at: Timestamp
}) {}

/** Routes for sandbox keys only. M-SBX-01..03 */
export class SandboxApi extends HttpApiGroup.make("sandbox")
  .add(
    HttpApiEndpoint.get("quickstart", "/v1/sandbox/quickstart", {
      success: SandboxQuickstart,
      error: SandboxOnlyRoute.wire
    })
      .annotate(Traits, { scopes: [], rate: "read", validation: InvalidSandboxRequest.code, sandboxOnly: true })
      .annotate(OpenApi.Summary, "Read the requirements of a first send")
      .annotate(
        OpenApi.Description,
        "Returns, to any sandbox key, the number to send from and the scopes that the key lacks."
      )
  )
  .add(
    HttpApiEndpoint.post("simulateInbound", "/v1/sandbox/inbound-messages", {
      payload: SimulateInbound,
      success: SimulatedInbound.pipe(HttpApiSchema.status(202)),
      error: [
        SandboxOnlyRoute.wire,
        InvalidMessageRequest.wire,
        InvalidPhoneE164.wire,
        PhoneNumberNotFound.wire,
        GroupNotFound.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "inbound_simulation",
        validation: InvalidMessageRequest.code,
        idempotency: "optional",
        sandboxOnly: true,
        bodyBeforeRate: true,
        warning: "invalid_phone_number"
      })
      .annotate(OpenApi.Summary, "Simulate an inbound message")
      .annotate(
        OpenApi.Description,
        "Creates an inbound message like a customer's: it opens the service window and raises events."
      )
  )
  .add(
    HttpApiEndpoint.post("armLlmFailure", "/v1/sandbox/llm/failure", {
      payload: ArmLlmFailure,
      success: Schema.Struct({ ...ArmedLlmFailure.fields, trace_id: TraceId }),
      error: [SandboxOnlyRoute.wire, InvalidSandboxRequest.wire]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "write",
        validation: InvalidSandboxRequest.code,
        idempotency: "optional",
        sandboxOnly: true
      })
      .annotate(OpenApi.Summary, "Simulate a language model failure")
      .annotate(
        OpenApi.Description,
        "The next call to a language model fails this way, or every call for a while. A further request replaces the previous one. The provider is not called."
      )
  )
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Tools for sandbox keys; production keys are refused.") {}
