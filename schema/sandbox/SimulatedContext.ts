import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"

/** The id of one of this environment's messages. */
export const SimulatedMessageId = Schema.String.check(
  Schema.isPattern(/^msg_[0-9a-z]{26}$/u, { expected: "the id of a message (msg_…)" })
)

/** The source from which the customer writes. U-INB-04 */
export const SimulatedReferral = Schema.Struct({
  source_type: nullableOptional(text(1, 64).annotate({ description: "Kind of the source, such as ad or post." })),
  source_id: nullableOptional(text(1, 255).annotate({ description: "The provider's id of the source." })),
  source_url: nullableOptional(text(1, 2000).annotate({ description: "Page of the source." })),
  headline: nullableOptional(text(1, 1000).annotate({ description: "Headline of the source." })),
  body: nullableOptional(text(1, 4096).annotate({ description: "Text of the source." })),
  click_id: nullableOptional(text(1, 2000).annotate({ description: "Id of the click." }))
}).annotate({
  description: "The advertisement or post from which the customer writes.",
  examples: [{ source_type: "ad", source_id: "120226305854810726", headline: "Agende hoje", click_id: "Aff-x" }]
})

/** The message that the customer quotes, marks of forwarding, and the product asked about. U-INB-05 */
export const SimulatedContext = Schema.Struct({
  reply_to: nullableOptional(
    Schema.Struct({
      message_id: SimulatedMessageId.annotate({ description: "Id of the quoted message." })
    }).annotate({ description: "The quoted message." })
  ),
  forwarded: nullableOptional(Schema.Boolean.annotate({ description: "Whether the message is forwarded." })),
  frequently_forwarded: nullableOptional(
    Schema.Boolean.annotate({ description: "Whether the message is forwarded many times." })
  ),
  referred_product: nullableOptional(
    Schema.Struct({
      catalog_id: nullableOptional(text(1, 255).annotate({ description: "The provider's id of the catalog." })),
      retailer_id: text(1, 255).annotate({ description: "Your id of the product in the catalog." })
    }).annotate({ description: "The product of a catalog that the customer asks about." })
  )
}).annotate({
  description: "Quoted message, forwarding and product.",
  examples: [{ reply_to: { message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3" } }]
})
