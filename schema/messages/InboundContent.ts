import { Schema } from "effect"
import { MediaKind } from "./content/MediaContent.ts"
import { MessageEdit, MessageRevoke, SystemNotice } from "./MessageChanges.ts"

/** A stored file in reads and events. M-INB-04..09, gaps-2 B "Inner read shapes" */
export const MediaDescriptor = Schema.Struct({
  asset_id: Schema.NullOr(Schema.String).annotate({
    description: "Id of the stored file; null on your own send of a file outside your library."
  }),
  provider_media_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the file." }),
  kind: MediaKind,
  voice: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True for a voice note, false for other audio, absent when unknown."
  }),
  mime_type: Schema.NullOr(Schema.String).annotate({ description: "Media type, once known." }),
  byte_length: Schema.NullOr(Schema.Int).annotate({ description: "Size in bytes, once known." }),
  filename: Schema.NullOr(Schema.String).annotate({ description: "Name given by the sender." }),
  caption: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "Text that the customer wrote under an image, video or document; null without one, else absent.",
    examples: ["comprovante do pedido 123"]
  }),
  status: Schema.Literals(["pending", "ready", "consumed", "failed", "expired", "deleted"]).annotate({
    description: "ready: it can be downloaded. pending: it is still being fetched."
  }),
  failure: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotateKey({ description: "Code of the failure; new codes may appear." }),
      message: Schema.String.annotateKey({ description: "The failure in a sentence." })
    })
  ).annotate({
    description: "Reason why the file could not be fetched."
  }),
  download: Schema.NullOr(
    Schema.Struct({
      method: Schema.Literal("GET"),
      path: Schema.String.annotateKey({ description: "Path of this service." })
    })
  ).annotate({
    description: "Request that downloads the file, once it is ready."
  })
}).annotate({ identifier: "MediaDescriptor" })
export type MediaDescriptor = typeof MediaDescriptor.Type

/** The kinds of files under which a customer may write a text. U-MED-01 */
export const captionedKinds: ReadonlySet<MediaKind> = new Set(["image", "video", "document"])

const buttonId = Schema.String.annotate({ description: "The id you gave it." })
const buttonTitle = Schema.String.annotate({ description: "The title the customer saw." })

/** A tap on a button, a template's quick reply, or a row of a list. M-INB-10..12 */
export const InteractiveReply = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("button_reply"),
    button_reply: Schema.Struct({ id: buttonId, title: buttonTitle }).annotate({ description: "The button." })
  }).annotate({ identifier: "ButtonReply", description: "The customer tapped a button." }),
  Schema.Struct({
    type: Schema.Literal("list_reply"),
    list_reply: Schema.Struct({
      id: buttonId,
      title: buttonTitle,
      description: Schema.NullOr(Schema.String).annotate({ description: "The second line of the row." })
    }).annotate({ description: "The row." })
  }).annotate({ identifier: "ListReply", description: "The customer chose a row of a list." })
]).annotate({ identifier: "InteractiveReply" })
export type InteractiveReply = typeof InteractiveReply.Type

/** A message that the provider refused to deliver; its content never arrives. M-INB-13..15 */
export const UnsupportedContent = Schema.Struct({
  provider_type: Schema.NullOr(Schema.String).annotate({ description: "The provider's name of the type." }),
  reason: Schema.NullOr(
    Schema.Struct({
      code: Schema.Int.annotateKey({ description: "The provider's number of the reason." }),
      message: Schema.String.annotateKey({ description: "The provider's sentence." })
    })
  ).annotate({
    description: "The provider's reason."
  })
})

const textKey = (description: string) => Schema.String.annotateKey({ description })

/** A point on the map that a customer sent. U-INB-02 */
export const SharedLocation = Schema.Struct({
  latitude: Schema.Finite.annotateKey({ description: "Degrees north of the equator, negative to the south." }),
  longitude: Schema.Finite.annotateKey({ description: "Degrees east of Greenwich, negative to the west." }),
  name: Schema.optionalKey(textKey("Name of the location.")),
  address: Schema.optionalKey(textKey("Address of the location.")),
  url: Schema.optionalKey(textKey("Page about the location, as the customer sent it; not verified."))
}).annotate({
  identifier: "SharedLocation",
  examples: [{ latitude: -23.5614, longitude: -46.6559, name: "MASP", address: "Avenida Paulista, 1578" }]
})
export type SharedLocation = typeof SharedLocation.Type

/** A card of an address book that a customer sent. U-INB-02 */
export const SharedContact = Schema.Struct({
  name: Schema.optionalKey(textKey("Full name on the card.")),
  phones: Schema.Array(Schema.String).annotateKey({ description: "Phone numbers as the card spells them." }),
  emails: Schema.Array(Schema.String).annotateKey({ description: "Email addresses as the card spells them." }),
  organization: Schema.optionalKey(textKey("Company on the card."))
}).annotate({
  identifier: "SharedContact",
  examples: [{ name: "Ana Souza", phones: ["+55 11 91234-5678"], emails: ["ana@example.com"], organization: "Padaria" }]
})
export type SharedContact = typeof SharedContact.Type

/** Products of a catalog that a customer ordered. U-INB-02 */
export const SharedOrder = Schema.Struct({
  catalog_id: Schema.optionalKey(textKey("The provider's id of the catalog.")),
  text: Schema.optionalKey(textKey("Text that the customer wrote beside the order.")),
  items: Schema.Array(
    Schema.Struct({
      retailer_id: Schema.optionalKey(textKey("Your id of the product in the catalog.")),
      quantity: Schema.optionalKey(Schema.Finite.annotateKey({ description: "Ordered pieces." })),
      item_price: Schema.optionalKey(
        Schema.Finite.annotateKey({
          description: "Price of one piece in units of the currency, as the catalog had it."
        })
      ),
      currency: Schema.optionalKey(textKey("ISO 4217 code of the price's currency."))
    }).annotate({ identifier: "SharedOrderItem" })
  ).annotateKey({ description: "Ordered products." })
}).annotate({
  identifier: "SharedOrder",
  examples: [
    {
      catalog_id: "194836987003835",
      text: "Sem cebola",
      items: [{ retailer_id: "di9", quantity: 2, item_price: 30, currency: "BRL" }]
    }
  ]
})
export type SharedOrder = typeof SharedOrder.Type

/**
 * A delivered type that this service does not interpret; its content is in the raw payload, and known parts of it are in
 * the member of that name. M-INB-16, U-INB-02, U-INB-03
 */
export const UnknownContent = Schema.Struct({
  provider_type: Schema.String.annotate({ description: "The provider's name of the type." }),
  location: Schema.optionalKey(SharedLocation).annotateKey({
    description: "With provider_type location: the sent location."
  }),
  contacts: Schema.optionalKey(Schema.Array(SharedContact)).annotateKey({
    description: "With provider_type contacts: the sent cards."
  }),
  order: Schema.optionalKey(SharedOrder).annotateKey({
    description: "With provider_type order: the ordered products."
  }),
  edit: Schema.optionalKey(MessageEdit).annotateKey({
    description: "With provider_type edit: the earlier message and its corrected content."
  }),
  revoke: Schema.optionalKey(MessageRevoke).annotateKey({
    description: "With provider_type revoke: the earlier message that was withdrawn."
  }),
  system: Schema.optionalKey(SystemNotice).annotateKey({
    description: "With provider_type system: what the platform says of the customer."
  })
})
export type UnknownContent = typeof UnknownContent.Type

/** The content of a customer's message; `type` gives its shape. M-INB-01, M-INB-02, gaps-2 E "Inbound type map" */
export const InboundContent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("text"),
    text: Schema.Struct({
      body: Schema.String.annotate({ description: "Text that the customer wrote." })
    }).annotate({ description: "The text." })
  }).annotate({ identifier: "InboundText" }),
  Schema.Struct({
    type: Schema.Literal("media"),
    media: MediaDescriptor.annotateKey({ description: "The file." })
  }).annotate({ identifier: "InboundMedia" }),
  Schema.Struct({
    type: Schema.Literal("interactive"),
    interactive: InteractiveReply.annotateKey({ description: "The button or row that the customer tapped." })
  }).annotate({
    identifier: "InboundInteractive"
  }),
  Schema.Struct({
    type: Schema.Literal("flow"),
    flow: Schema.Struct({
      name: Schema.NullOr(Schema.String).annotate({ description: "Name of the flow, if the provider reports it." }),
      response: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Answers of the customer." }),
      provider_token: Schema.NullOr(Schema.String).annotate({ description: "The token the flow was sent with." })
    }).annotate({ description: "The flow the customer completed." })
  }).annotate({ identifier: "InboundFlow" }),
  Schema.Struct({
    type: Schema.Literal("reaction"),
    reaction: Schema.Struct({
      message_id: Schema.NullOr(Schema.String).annotate({
        description: "Id of the message that the reaction is for, if this service knows it."
      }),
      provider_message_id: Schema.String.annotate({ description: "The provider's id of the message." }),
      emoji: Schema.String.annotate({ description: "The emoji; empty when the reaction was removed." })
    }).annotate({ description: "The reaction." })
  }).annotate({ identifier: "InboundReaction" }),
  Schema.Struct({
    type: Schema.Literal("unsupported"),
    unsupported: UnsupportedContent.annotateKey({ description: "Known facts about the content." })
  }).annotate({
    identifier: "InboundUnsupported"
  }),
  Schema.Struct({
    type: Schema.Literal("unknown"),
    unknown: UnknownContent.annotateKey({ description: "Known facts about the content." })
  }).annotate({
    identifier: "InboundUnknown"
  })
]).annotate({ identifier: "InboundContent" })
export type InboundContent = typeof InboundContent.Type

/** The reason that every undeliverable message carries. M-SBX-10, gaps-2 J "Fixed 131051 message" */
export const unsupportedReason = { code: 131051, message: "Message type is currently not supported." } as const
