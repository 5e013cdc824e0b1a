import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { variants } from "../conventions/Variants.ts"
import { MediaKind } from "../messages/content/MediaContent.ts"
import { Emoji } from "../messages/content/ReactionContent.ts"
import { Metadata } from "../messages/Metadata.ts"
import { isOpaqueId } from "../messages/SendMessage.ts"
import { Channel, isUserId, userIdRule } from "../messages/Vocabulary.ts"
import { SimulatedContext, SimulatedMessageId, SimulatedReferral } from "./SimulatedContext.ts"
import { ProviderType, SimulatedUnknown } from "./SimulatedUnknown.ts"

/** Types that the simulation accepts; a type whose object is optional has a default. M-SBX-06..08 */
export const simulatedTypes = ["text", "media", "interactive", "flow", "reaction", "unsupported", "unknown"] as const

const choiceId = text(1, 256).annotate({ description: "The id you would have given it." })
const choiceTitle = text(1, 256).annotate({ description: "The title the customer would have seen." })

/** A tap as the customer's app would report it. M-INB-10, M-INB-11, gaps-2 J "Inbound simulation shapes" */
export const SimulatedInteractive = Schema.Struct({
  type: Schema.Literals(["button_reply", "list_reply"]).annotate({ description: "Kind of tap." }),
  button_reply: nullableOptional(
    Schema.Struct({ id: choiceId, title: choiceTitle }).annotate({ description: "The tapped button." })
  ),
  list_reply: nullableOptional(
    Schema.Struct({
      id: choiceId,
      title: choiceTitle,
      description: nullableOptional(text(0, 1024).annotate({ description: "The second line of the row." }))
    }).annotate({ description: "The chosen row." })
  )
})
  .annotate({
    description: "The simulated tap.",
    ...variants("type", {
      button_reply: { schema: "SimulatedButtonReply", requires: ["button_reply"] },
      list_reply: { schema: "SimulatedListReply", requires: ["list_reply"] }
    })
  })
  .check(
    Schema.makeFilter((reply) =>
      reply[reply.type] ? undefined : { path: [reply.type], issue: `required with ${reply.type}` }
    )
  )

/**
 * A file as the customer sends it. Without `asset_id` the service uses its own bytes for each kind. gaps-2 J "Inbound
 * simulation shapes"
 */
export const SimulatedMedia = Schema.Struct({
  kind: MediaKind,
  mime_type: nullableOptional(
    text(1, 255).annotate({ description: "Media type; the usual one of the kind by default." })
  ),
  filename: nullableOptional(text(1, 255).annotate({ description: "Name of the file." })),
  caption: nullableOptional(
    text(0, 1024).annotate({
      description: "Text under an image, video or document; the descriptor and the payload show it."
    })
  ),
  voice: nullableOptional(Schema.Boolean.annotate({ description: "Audio only: true for a voice note." })),
  asset_id: nullableOptional(
    Schema.String.check(Schema.isPattern(/^mda_[0-9a-z]{1,60}$/u, { expected: "the id of a file (mda_…)" })).annotate({
      description: "Id of a file of your media library whose bytes the customer sends."
    })
  )
})
  .annotate({ description: "The file that the customer sends." })
  .check(
    Schema.makeFilter(({ kind, voice }) =>
      voice !== undefined && kind !== "audio" ? { path: ["voice"], issue: "only with kind audio" } : undefined
    )
  )

/** Body of POST /v1/sandbox/inbound-messages. M-SBX-04..12, gaps-2 J "Inbound simulation shapes" */
export const SimulateInbound = Schema.Struct({
  channel: Channel,
  from: Schema.String.annotate({
    description:
      "Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone.",
    examples: ["+5511912345678"]
  }),
  user_id: nullableOptional(
    Schema.String.annotate({
      description: "chatapp only: the platform's id of the customer for your business.",
      examples: ["BR.13491208655302741918"]
    }).check(Schema.makeFilter(isUserId, { expected: userIdRule }))
  ),
  username: nullableOptional(text(1, 255).annotate({ description: "Username of the customer.", examples: ["@maria"] })),
  to: Schema.String.annotate({
    description: "Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it.",
    examples: ["pn_01kah7v3m8q6x2r9d4t5w0y1z3"]
  }),
  type: Schema.Literals(simulatedTypes).annotate({
    description: "Type of the content; the member of that name holds it."
  }),
  text: nullableOptional(
    Schema.Struct({ body: text(1, 4096).annotate({ description: "The text, 1 to 4096 characters." }) }).annotate({
      description: "Text of the customer."
    })
  ),
  interactive: nullableOptional(SimulatedInteractive),
  flow: nullableOptional(
    Schema.Struct({
      name: nullableOptional(text(1, 128).annotate({ description: "Name of the flow." })),
      response: Schema.Record(Schema.String, Schema.Unknown).annotate({
        description: "Answers of the customer."
      }),
      flow_token: nullableOptional(text(1, 256).annotate({ description: "The token the flow was sent with." }))
    }).annotate({ description: "The flow the customer completed." })
  ),
  media: nullableOptional(SimulatedMedia),
  reaction: nullableOptional(
    Schema.Struct({
      message_id: SimulatedMessageId.annotate({ description: "Id of the message that the reaction is for." }),
      emoji: Emoji
    }).annotate({ description: "The reaction." })
  ),
  unsupported: nullableOptional(
    Schema.Struct({ provider_type: nullableOptional(ProviderType) }).annotate({
      description: "Content that the provider does not deliver."
    })
  ),
  unknown: nullableOptional(SimulatedUnknown),
  group_id: nullableOptional(
    Schema.String.check(Schema.isPattern(/^grp_[0-9a-z]{26}$/u, { expected: "the id of a group (grp_…)" })).annotate({
      description: "Id of an active group of the number, in which the customer writes."
    })
  ),
  context: nullableOptional(SimulatedContext),
  referral: nullableOptional(SimulatedReferral),
  metadata: nullableOptional(Metadata),
  profile_name: nullableOptional(text(1, 255).annotate({ description: "Profile name of the customer." }))
})
  .annotate({
    examples: [
      {
        channel: "chatapp",
        from: "+5511912345678",
        to: "pn_01kah7v3m8q6x2r9d4t5w0y1z3",
        type: "text",
        text: { body: "Hello" }
      },
      {
        channel: "chatapp",
        from: "",
        user_id: "BR.13491208655302741918",
        username: "@maria",
        to: "pn_01kah7v3m8q6x2r9d4t5w0y1z3",
        type: "text",
        text: { body: "Hello" }
      }
    ],
    ...variants("type", {
      text: { schema: "SimulateText", requires: ["text"] },
      media: { schema: "SimulateMedia", requires: ["media"] },
      interactive: { schema: "SimulateInteractive", requires: ["interactive"] },
      flow: { schema: "SimulateFlow", requires: ["flow"] },
      reaction: { schema: "SimulateReaction", requires: ["reaction"] },
      unsupported: { schema: "SimulateUnsupported", takes: ["unsupported"] },
      unknown: { schema: "SimulateUnknown", takes: ["unknown"] }
    })
  })
  .check(
    Schema.makeFilter((body) => {
      // A phone has its own codes, so only opaque senders are checked here. M-SBX-15
      if (body.channel !== "chatapp" && !isOpaqueId(body.from)) {
        return { path: ["from"], issue: "1 to 255 characters" }
      }
      if (body.channel !== "chatapp" && body.user_id !== undefined) {
        return { path: ["user_id"], issue: "only on chatapp" }
      }
      if (body.type === "unsupported" || body.type === "unknown" || body[body.type]) return undefined
      return { path: [body.type], issue: `required with type ${body.type}` }
    })
  )
  .annotate({ identifier: "SimulateInbound" })
export type SimulateInbound = typeof SimulateInbound.Type
