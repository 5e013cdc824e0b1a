import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { variants } from "../conventions/Variants.ts"
import { MediaKind } from "../messages/content/MediaContent.ts"
import { Emoji } from "../messages/content/ReactionContent.ts"
import { Metadata } from "../messages/Metadata.ts"
import { isOpaqueId } from "../messages/SendMessage.ts"
import { Channel, isUserId, userIdRule } from "../messages/Vocabulary.ts"

/** A type as providers name it. gaps-2 J "Inbound simulation shapes" */
const ProviderType = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,64}$/u, { expected: "1 to 64 lowercase letters, digits and underscores" })
).annotate({
  description: "The provider's name of the type."
})

const degrees = (most: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum: -most, maximum: most })).annotate({
    description: `Degrees, from -${most} to ${most}.`
  })

const SimulatedLocation = Schema.Struct({
  latitude: degrees(90),
  longitude: degrees(180),
  name: nullableOptional(text(1, 1000).annotate({ description: "Name of the location." })),
  address: nullableOptional(text(1, 1000).annotate({ description: "Address of the location." })),
  url: nullableOptional(text(1, 2000).annotate({ description: "Page about the location." }))
}).annotate({
  description: "The location that the customer sends.",
  examples: [{ latitude: -23.5614, longitude: -46.6559, name: "MASP", address: "Avenida Paulista, 1578" }]
})

const SimulatedContact = Schema.Struct({
  name: nullableOptional(text(1, 255).annotate({ description: "Full name on the card." })),
  phones: nullableOptional(
    Schema.Array(text(1, 64)).check(Schema.isMaxLength(20)).annotate({ description: "Phone numbers, at most 20." })
  ),
  emails: nullableOptional(
    Schema.Array(text(1, 320)).check(Schema.isMaxLength(20)).annotate({ description: "Email addresses, at most 20." })
  ),
  organization: nullableOptional(text(1, 255).annotate({ description: "Company on the card." }))
}).annotate({ examples: [{ name: "Ana Souza", phones: ["+55 11 91234-5678"], emails: ["ana@example.com"] }] })

const SimulatedOrder = Schema.Struct({
  catalog_id: nullableOptional(text(1, 255).annotate({ description: "The provider's id of the catalog." })),
  text: nullableOptional(text(1, 4096).annotate({ description: "Text that the customer writes beside the order." })),
  items: Schema.Array(
    Schema.Struct({
      retailer_id: text(1, 255).annotate({ description: "Your id of the product in the catalog." }),
      quantity: nullableOptional(
        Schema.Finite.check(Schema.isGreaterThan(0)).annotate({ description: "Ordered pieces." })
      ),
      item_price: nullableOptional(
        Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "Price of one piece." })
      ),
      currency: nullableOptional(text(3, 3).annotate({ description: "ISO 4217 code of the price's currency." }))
    })
  )
    .check(Schema.isMinLength(1))
    .check(Schema.isMaxLength(100))
    .annotate({ description: "Ordered products, 1 to 100." })
}).annotate({
  description: "The order that the customer sends.",
  examples: [
    { catalog_id: "194836987003835", items: [{ retailer_id: "di9", quantity: 2, item_price: 30, currency: "BRL" }] }
  ]
})

/** The members that hold the content of a type; each is also the name of its type. U-INB-02 */
const sharedMembers = ["location", "contacts", "order"] as const

/** Content of a type that this service does not interpret; known parts of it are in the member of that name. U-INB-02 */
export const SimulatedUnknown = Schema.Struct({
  provider_type: nullableOptional(ProviderType),
  location: nullableOptional(SimulatedLocation),
  contacts: nullableOptional(
    Schema.Array(SimulatedContact)
      .check(Schema.isMinLength(1))
      .check(Schema.isMaxLength(20))
      .annotate({ description: "The cards that the customer sends, 1 to 20." })
  ),
  order: nullableOptional(SimulatedOrder)
})
  .annotate({ description: "Content that this service does not interpret." })
  .check(
    Schema.makeFilter((unknown) => {
      const [first, second] = sharedMembers.filter((name) => unknown[name])
      if (second !== undefined) return { path: [second], issue: `not beside ${first}: a message has one content` }
      return first === undefined || (unknown.provider_type ?? first) === first
        ? undefined
        : { path: ["provider_type"], issue: `${first} with the member ${first}, or absent` }
    })
  )

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
      "Id of the customer: a phone number on chatapp, the channel's id elsewhere. Empty on chatapp, with user_id, for a customer who hides the phone.",
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
      message_id: Schema.String.check(
        Schema.isPattern(/^msg_[0-9a-z]{26}$/u, { expected: "the id of a message (msg_…)" })
      ).annotate({
        description: "Id of the message that the reaction is for."
      }),
      emoji: Emoji
    }).annotate({ description: "The reaction." })
  ),
  unsupported: nullableOptional(
    Schema.Struct({ provider_type: nullableOptional(ProviderType) }).annotate({
      description: "Content that the provider does not deliver."
    })
  ),
  unknown: nullableOptional(SimulatedUnknown),
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
