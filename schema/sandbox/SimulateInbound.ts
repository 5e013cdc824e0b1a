import { Schema } from "effect"
import { codePoints, text } from "../conventions/Text.ts"
import { Metadata } from "../messages/Metadata.ts"
import { Channel } from "../messages/Vocabulary.ts"

/** In create bodies null equals absent. gaps-1 A "Null for an optional field" */
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const ProviderType = Schema.String.check(Schema.isPattern(/^[a-z0-9_]{1,64}$/))

/** Types the simulation takes today; a type whose named object may be left out has a default. M-SBX-06..08 */
export const simulatedTypes = ["text", "interactive", "flow", "unsupported", "unknown"] as const

/** A tap as the customer's app would report it. M-INB-10, M-INB-11, gaps-2 J "Inbound simulation shapes" */
export const SimulatedInteractive = Schema.Struct({
  type: Schema.Literals(["button_reply", "list_reply"]),
  button_reply: optional(Schema.Struct({ id: text(1, 256), title: text(1, 256) })),
  list_reply: optional(Schema.Struct({ id: text(1, 256), title: text(1, 256), description: optional(text(0, 1024)) }))
}).check(
  Schema.makeFilter((reply) =>
    reply[reply.type] ? undefined : { path: [reply.type], issue: `required with ${reply.type}` }
  )
)

/** Body of POST /v1/sandbox/inbound-messages. M-SBX-04..12, gaps-2 J "Inbound simulation shapes" */
export const SimulateInbound = Schema.Struct({
  channel: Channel,
  from: Schema.String,
  to: Schema.String,
  type: Schema.Literals(simulatedTypes),
  text: optional(Schema.Struct({ body: text(1, 4096) })),
  interactive: optional(SimulatedInteractive),
  flow: optional(
    Schema.Struct({
      name: optional(text(1, 128)),
      response: Schema.Record(Schema.String, Schema.Unknown),
      flow_token: optional(text(1, 256))
    })
  ),
  unsupported: optional(Schema.Struct({ provider_type: optional(ProviderType) })),
  unknown: optional(Schema.Struct({ provider_type: optional(ProviderType) })),
  metadata: optional(Metadata),
  profile_name: optional(text(1, 255))
})
  .check(
    Schema.makeFilter((body) => {
      // A phone has its own codes, so only opaque senders are judged here. M-SBX-15
      if (body.channel !== "chatapp" && (body.from === "" || codePoints(body.from) > 255)) {
        return { path: ["from"], issue: "1 to 255 characters" }
      }
      if (body.type === "unsupported" || body.type === "unknown" || body[body.type]) return undefined
      return { path: [body.type], issue: `required with type ${body.type}` }
    })
  )
  .annotate({ identifier: "SimulateInbound" })
export type SimulateInbound = typeof SimulateInbound.Type
