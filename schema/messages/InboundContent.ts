import { Schema } from "effect"

/** A stored file as reads and events describe it. M-INB-04..09, gaps-2 B "Inner read shapes" */
export const MediaDescriptor = Schema.Struct({
  asset_id: Schema.String,
  provider_media_id: Schema.NullOr(Schema.String),
  kind: Schema.Literals(["image", "document", "audio", "video", "sticker"]),
  voice: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True for a voice note, false for ordinary audio, left out when unknown"
  }),
  mime_type: Schema.NullOr(Schema.String),
  byte_length: Schema.NullOr(Schema.Int),
  filename: Schema.NullOr(Schema.String),
  status: Schema.Literals(["pending", "ready", "consumed", "failed", "expired", "deleted"]),
  failure: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  download: Schema.NullOr(Schema.Struct({ method: Schema.Literal("GET"), path: Schema.String }))
}).annotate({ identifier: "MediaDescriptor" })
export type MediaDescriptor = typeof MediaDescriptor.Type

/** A tap on a button, a template's quick reply, or a row of a list. M-INB-10..12 */
export const InteractiveReply = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("button_reply"),
    button_reply: Schema.Struct({ id: Schema.String, title: Schema.String })
  }),
  Schema.Struct({
    type: Schema.Literal("list_reply"),
    list_reply: Schema.Struct({ id: Schema.String, title: Schema.String, description: Schema.NullOr(Schema.String) })
  })
])
export type InteractiveReply = typeof InteractiveReply.Type

/** A message the provider refused to deliver; its content never arrives. M-INB-13..15 */
export const UnsupportedContent = Schema.Struct({
  provider_type: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.Struct({ code: Schema.Int, message: Schema.String }))
})

/** A delivered type that is not projected; its content is in the raw payload. M-INB-16 */
export const UnknownContent = Schema.Struct({ provider_type: Schema.String })

/** What a customer sent, told apart by `type`. M-INB-01, M-INB-02, gaps-2 E "Inbound type map" */
export const InboundContent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.Struct({ body: Schema.String }) }),
  Schema.Struct({ type: Schema.Literal("media"), media: MediaDescriptor }),
  Schema.Struct({ type: Schema.Literal("interactive"), interactive: InteractiveReply }),
  Schema.Struct({
    type: Schema.Literal("flow"),
    flow: Schema.Struct({
      name: Schema.NullOr(Schema.String),
      response: Schema.Record(Schema.String, Schema.Unknown),
      provider_token: Schema.NullOr(Schema.String)
    })
  }),
  Schema.Struct({
    type: Schema.Literal("reaction"),
    reaction: Schema.Struct({
      message_id: Schema.NullOr(Schema.String),
      provider_message_id: Schema.String,
      emoji: Schema.String
    })
  }),
  Schema.Struct({ type: Schema.Literal("unsupported"), unsupported: UnsupportedContent }),
  Schema.Struct({ type: Schema.Literal("unknown"), unknown: UnknownContent })
]).annotate({ identifier: "InboundContent" })
export type InboundContent = typeof InboundContent.Type

/** The pair an undeliverable message always carries. M-SBX-10, gaps-2 J "Fixed 131051 message" */
export const unsupportedReason = { code: 131051, message: "Message type is currently not supported." } as const
