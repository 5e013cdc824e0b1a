import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { Metadata } from "../messages/Metadata.ts"
import { isOpaqueId } from "../messages/SendMessage.ts"
import { Channel } from "../messages/Vocabulary.ts"

const ProviderType = Schema.String.check(Schema.isPattern(/^[a-z0-9_]{1,64}$/u))

/** Types the simulation takes today; a type whose named object may be left out has a default. M-SBX-06..08 */
export const simulatedTypes = ["text", "interactive", "flow", "unsupported", "unknown"] as const

/** A tap as the customer's app would report it. M-INB-10, M-INB-11, gaps-2 J "Inbound simulation shapes" */
export const SimulatedInteractive = Schema.Struct({
  type: Schema.Literals(["button_reply", "list_reply"]),
  button_reply: nullableOptional(Schema.Struct({ id: text(1, 256), title: text(1, 256) })),
  list_reply: nullableOptional(
    Schema.Struct({ id: text(1, 256), title: text(1, 256), description: nullableOptional(text(0, 1024)) })
  )
}).check(
  Schema.makeFilter((reply) =>
    reply[reply.type] ? undefined : { path: [reply.type], issue: `required with ${reply.type}` }
  )
)

/** Body of POST /v1/sandbox/inbound-messages. M-SBX-04..12, gaps-2 J "Inbound simulation shapes" */
export const SimulateInbound = Schema.Struct({
  channel: Channel,
  from: Schema.String.annotate({ description: "The customer: a phone number, or an opaque id on the other channels" }),
  to: Schema.String.annotate({ description: "Id of the sandbox phone number or account that receives" }),
  type: Schema.Literals(simulatedTypes),
  text: nullableOptional(Schema.Struct({ body: text(1, 4096) })),
  interactive: nullableOptional(SimulatedInteractive),
  flow: nullableOptional(
    Schema.Struct({
      name: nullableOptional(text(1, 128)),
      response: Schema.Record(Schema.String, Schema.Unknown),
      flow_token: nullableOptional(text(1, 256))
    })
  ),
  unsupported: nullableOptional(Schema.Struct({ provider_type: nullableOptional(ProviderType) })),
  unknown: nullableOptional(Schema.Struct({ provider_type: nullableOptional(ProviderType) })),
  metadata: nullableOptional(Metadata),
  profile_name: nullableOptional(text(1, 255))
})
  .check(
    Schema.makeFilter((body) => {
      // A phone has its own codes, so only opaque senders are judged here. M-SBX-15
      if (body.channel !== "chatapp" && !isOpaqueId(body.from)) {
        return { path: ["from"], issue: "1 to 255 characters" }
      }
      if (body.type === "unsupported" || body.type === "unknown" || body[body.type]) return undefined
      return { path: [body.type], issue: `required with type ${body.type}` }
    })
  )
  .annotate({ identifier: "SimulateInbound" })
export type SimulateInbound = typeof SimulateInbound.Type
