import { Schema } from "effect"
import { MediaKind } from "./content/MediaContent.ts"

const NamedMessage = {
  message_id: Schema.NullOr(Schema.String).annotate({
    description: "Id of the message, if this service knows it.",
    examples: ["msg_01kah7v3m8q6x2r9d4t5w0y1z3"]
  }),
  provider_message_id: Schema.String.annotate({ description: "The provider's id of the message." })
}

/** The content of a corrected message: the text, or the caption under a file. U-INB-03 */
export const CorrectedContent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("text"),
    text: Schema.Struct({ body: Schema.String.annotate({ description: "The corrected text." }) }).annotate({
      description: "The text."
    })
  }).annotate({ identifier: "CorrectedText" }),
  Schema.Struct({
    type: Schema.Literal("media"),
    media: Schema.Struct({
      kind: MediaKind,
      caption: Schema.NullOr(Schema.String).annotate({ description: "The corrected caption; null without one." })
    }).annotate({ description: "The file, which stays as it was." })
  }).annotate({ identifier: "CorrectedCaption" })
]).annotate({ identifier: "CorrectedContent" })
export type CorrectedContent = typeof CorrectedContent.Type

/** The correction of an earlier message. U-INB-03 */
export const MessageEdit = Schema.Struct({
  ...NamedMessage,
  content: Schema.NullOr(CorrectedContent).annotate({
    description: "The corrected content; null for a type that this service does not interpret."
  })
}).annotate({
  identifier: "MessageEdit",
  examples: [
    {
      message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3",
      provider_message_id: "wamid.A",
      content: { type: "text", text: { body: "Amanhã às 10h" } }
    }
  ]
})
export type MessageEdit = typeof MessageEdit.Type

/** The withdrawal of an earlier message. U-INB-03 */
export const MessageRevoke = Schema.Struct(NamedMessage).annotate({
  identifier: "MessageRevoke",
  examples: [{ message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3", provider_message_id: "wamid.A" }]
})
export type MessageRevoke = typeof MessageRevoke.Type

const CustomerNames = Schema.Struct({
  phone: Schema.NullOr(Schema.String).annotate({ description: "The phone number; null when it is not named." }),
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "The platform's id of the customer; null when it is not named."
  })
})

/** What the platform says of a customer who changed. U-INB-03 */
export const SystemNotice = Schema.Struct({
  change: Schema.String.annotateKey({
    description: "phone or user_id: what the customer changed. Other words are the provider's own; new ones may appear."
  }),
  previous: Schema.NullOr(CustomerNames).annotate({ description: "The customer before; null when it is not told." }),
  current: Schema.NullOr(CustomerNames).annotate({ description: "The customer since then; null when it is not told." })
}).annotate({
  identifier: "SystemNotice",
  examples: [
    {
      change: "phone",
      previous: { phone: "+5511912345678", user_id: null },
      current: { phone: "+5511987654321", user_id: null }
    }
  ]
})
export type SystemNotice = typeof SystemNotice.Type
