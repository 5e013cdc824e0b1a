import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SandboxOnlyRoute } from "../access/AccessErrors.ts"
import { EnvironmentKind, KeyScope, Traits } from "../conventions/Access.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { MessageRecipient, MessageSender } from "../messages/Message.ts"
import { InvalidMessageRequest, InvalidPhoneE164 } from "../messages/MessageErrors.ts"
import { Channel, MessageType } from "../messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "../phone-numbers/PhoneNumberErrors.ts"
import { InvalidSandboxRequest } from "./SandboxErrors.ts"
import { SimulateInbound } from "./SimulateInbound.ts"

/** Everything an integrator needs for the first sandbox send. M-SBX-02, gaps-2 J "Quickstart content" */
export class SandboxQuickstart extends Schema.Class<SandboxQuickstart>("SandboxQuickstart")({
  object: Schema.Literal("sandbox_quickstart"),
  environment: EnvironmentKind,
  api_key: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    key_prefix: Schema.String,
    scopes: Schema.Array(KeyScope)
  }),
  sender: Schema.Struct({
    phone_number_id: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String),
    display_name: Schema.NullOr(Schema.String),
    type: Schema.Literal("chatapp_phone_number"),
    status: Schema.NullOr(Schema.String)
  }),
  webhooks: Schema.Struct({ endpoint_count: Schema.Int, listen_path: Schema.String }),
  templates: Schema.Struct({
    items: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        language: Schema.String,
        category: Schema.String,
        status: Schema.String
      })
    )
  }),
  capabilities: Schema.Struct({
    channels: Schema.Array(Schema.String),
    inbound_types: Schema.Array(Schema.String),
    scenarios: Schema.Array(Schema.String),
    llm_failure: Schema.Array(Schema.String)
  }),
  missing_scopes: Schema.Array(KeyScope),
  trace_id: Schema.String
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
  id: Schema.String,
  object: Schema.Literal("message"),
  direction: Schema.Literal("inbound"),
  channel: Channel,
  type: MessageType,
  status: Schema.Literal("received"),
  environment: EnvironmentKind,
  sender: MessageSender,
  recipient: MessageRecipient,
  provider: Schema.NullOr(Schema.String),
  provider_message_id: Schema.NullOr(Schema.String),
  payload: Schema.Unknown,
  trace_id: Schema.String,
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
      .annotate(OpenApi.Description, "Any sandbox key. Says which sender to use and which scopes the key misses.")
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
      .annotate(OpenApi.Description, "Arrives as a customer's message would, with its window, its events and webhooks.")
  )
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Tools of sandbox keys; production keys are refused.") {}
