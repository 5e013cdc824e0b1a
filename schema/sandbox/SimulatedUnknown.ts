import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { text } from "../conventions/Text.ts"
import { SimulatedMessageId } from "./SimulatedContext.ts"

/** A type as providers name it. gaps-2 J "Inbound simulation shapes" */
export const ProviderType = Schema.String.check(
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

const SimulatedEdit = Schema.Struct({
  message_id: SimulatedMessageId.annotate({ description: "Id of the message that the customer corrects." }),
  content: Schema.Struct({
    type: Schema.Literal("text"),
    text: Schema.Struct({ body: text(1, 4096).annotate({ description: "The corrected text." }) }).annotate({
      description: "The text."
    })
  }).annotate({ description: "The corrected content." })
}).annotate({
  description: "The correction of an earlier message of the customer.",
  examples: [
    { message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3", content: { type: "text", text: { body: "Amanhã às 10h" } } }
  ]
})

const SimulatedRevoke = Schema.Struct({
  message_id: SimulatedMessageId.annotate({ description: "Id of the message that the customer withdraws." })
}).annotate({
  description: "The withdrawal of an earlier message of the customer.",
  examples: [{ message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3" }]
})

/** The members that hold the content of a type; each is also the name of its type. U-INB-02, U-INB-03 */
const sharedMembers = ["location", "contacts", "order", "edit", "revoke"] as const

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
  order: nullableOptional(SimulatedOrder),
  edit: nullableOptional(SimulatedEdit),
  revoke: nullableOptional(SimulatedRevoke)
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
