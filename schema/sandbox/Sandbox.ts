import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { EnvironmentKind, KeyScope, Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { MessageRecipient, MessageSender } from "../messages/Message.ts"
import { InvalidMessageRequest, InvalidPhoneE164 } from "../messages/MessageErrors.ts"
import { Channel, MessageType } from "../messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "../phone-numbers/PhoneNumberErrors.ts"
import { ArmedLlmFailure, ArmLlmFailure } from "./LlmFailure.ts"
import { InvalidSandboxRequest } from "./SandboxErrors.ts"
import { SimulateInbound } from "./SimulateInbound.ts"

/** Everything an integrator needs for the first sandbox send. M-SBX-02, gaps-2 J "Quickstart content" */
export class SandboxQuickstart extends Schema.Class<SandboxQuickstart>("SandboxQuickstart")({
  object: Schema.Literal("sandbox_quickstart"),
  environment: EnvironmentKind,
  api_key: Schema.Struct({
    id: Schema.String.annotateKey({ description: "Id of the key." }),
    name: Schema.String.annotateKey({ description: "What people call it." }),
    key_prefix: Schema.String.annotateKey({ description: "How its secret begins." }),
    scopes: Schema.Array(KeyScope).annotateKey({ description: "What it may do." })
  }).annotate({ description: "The calling key." }),
  sender: Schema.Struct({
    phone_number_id: Schema.NullOr(Schema.String).annotate({
      description: "Send it as sender.id; null while the sandbox has no number."
    }),
    phone: Schema.NullOr(Schema.String).annotate({ description: "The number itself, which nobody owns." }),
    display_name: Schema.NullOr(Schema.String).annotate({ description: "The name customers see." }),
    type: Schema.Literal("chatapp_phone_number"),
    status: Schema.NullOr(Schema.String).annotate({ description: "active when it can send." })
  }).annotate({ description: "The number to send from." }),
  webhooks: Schema.Struct({
    endpoint_count: Schema.Int.annotateKey({ description: "Endpoints registered in this sandbox." }),
    listen_path: Schema.String.annotateKey({ description: "Where events can be read without an endpoint." })
  }).annotate({ description: "How to hear of events." }),
  templates: Schema.Struct({
    items: Schema.Array(
      Schema.Struct({
        id: Schema.String.annotateKey({ description: "Id of the template." }),
        name: Schema.String.annotateKey({ description: "Its name." }),
        language: Schema.String.annotateKey({ description: "Its language." }),
        category: Schema.String.annotateKey({ description: "Its category, such as marketing." }),
        status: Schema.String.annotateKey({ description: "approved when it can be sent." })
      })
    ).annotateKey({ description: "The templates." })
  }).annotate({ description: "Templates of this sandbox." }),
  capabilities: Schema.Struct({
    channels: Schema.Array(Schema.String).annotateKey({ description: "Channels that are simulated." }),
    inbound_types: Schema.Array(Schema.String).annotateKey({
      description: "Types that POST /v1/sandbox/inbound-messages takes."
    }),
    scenarios: Schema.Array(Schema.String).annotateKey({ description: "Outcomes that a send can ask for." }),
    llm_failure: Schema.Array(Schema.String).annotateKey({
      description: "Failures of a language model that can be asked for."
    })
  }).annotate({ description: "What this sandbox can play." }),
  missing_scopes: Schema.Array(KeyScope).annotate({
    description: "Scopes that the first steps need and the calling key lacks."
  }),
  trace_id: TraceId
}) {}

/** Scopes the quickstart expects of a key, in the order it reports the missing ones. gaps-2 J "Quickstart content" */
export const quickstartScopes = [
  "messages:read",
  "messages:write",
  "templates:read",
  "contacts:write",
  "phone_numbers:read",
  "webhooks:write",
  "sandbox:write"
] as const satisfies ReadonlyArray<KeyScope>

/** The 202 of an inbound simulation: exactly these members of a message read. M-SBX-16 */
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
  provider: Schema.NullOr(Schema.String).annotate({ description: "Who brought it: the sandbox." }),
  provider_message_id: Schema.NullOr(Schema.String).annotate({ description: "Its id at the provider." }),
  payload: Schema.Unknown.annotateKey({ description: "What the provider would have told." }),
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
      .annotate(OpenApi.Summary, "Read what a first send needs")
      .annotate(OpenApi.Description, "Tells any sandbox key which number to send from and which scopes it misses.")
  )
  .add(
    HttpApiEndpoint.post("simulateInbound", "/v1/sandbox/inbound-messages", {
      payload: SimulateInbound,
      success: SimulatedInbound.pipe(HttpApiSchema.status(202)),
      error: [SandboxOnlyRoute.wire, InvalidMessageRequest.wire, InvalidPhoneE164.wire, PhoneNumberNotFound.wire]
    })
      .annotate(Traits, {
        scopes: ["sandbox:write"],
        rate: "inbound_simulation",
        validation: InvalidMessageRequest.code,
        idempotency: "optional",
        sandboxOnly: true,
        bodyBeforeRate: true
      })
      .annotate(OpenApi.Summary, "Simulate an inbound message")
      .annotate(
        OpenApi.Description,
        "Arrives as a customer's message would: it opens the service window and raises its events."
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
      .annotate(OpenApi.Summary, "Let calls of a language model fail")
      .annotate(
        OpenApi.Description,
        "The next call fails this way, or every call for a while; arming again replaces what was armed. No provider is called."
      )
  )
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Tools of sandbox keys; production keys are refused.") {}
