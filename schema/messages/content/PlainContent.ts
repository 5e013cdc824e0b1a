import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

/** Free text of a message. M-MSG-25, gaps-2 B "Content bounds and optional fields" */
export const TextContent = Schema.Struct({
  body: text(1, 4096).annotate({ description: "The text, 1 to 4096 characters." }),
  preview_url: optional(Schema.Boolean.annotate({ description: "Whether the first link has a preview." }))
}).annotate({ description: "Free text; the customer must have written within the last 24 hours." })
export type TextContent = typeof TextContent.Type

/** A location to show on a map. U-SND-06 */
export const LocationContent = Schema.Struct({
  latitude: Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 })).annotate({
    description: "Degrees north of the equator, negative to the south."
  }),
  longitude: Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 })).annotate({
    description: "Degrees east of Greenwich, negative to the west."
  }),
  name: optional(text(1, 1000).annotate({ description: "Name of the location." })),
  address: optional(text(1, 1000).annotate({ description: "Address of the location." }))
}).annotate({
  identifier: "LocationContent",
  description: "A location to show on a map.",
  examples: [{ latitude: -23.5614, longitude: -46.6559, name: "MASP", address: "Avenida Paulista, 1578" }]
})
export type LocationContent = typeof LocationContent.Type

/** A card of an address book, in the members of those that customers send. U-SND-06, U-INB-02 */
const ContactCard = Schema.Struct({
  name: text(1, 1000).annotate({ description: "Full name on the card." }),
  phones: optional(
    Schema.Array(text(1, 40))
      .check(Schema.isMaxLength(10))
      .annotate({ description: "Phone numbers, as the card shows them." })
  ),
  emails: optional(
    Schema.Array(text(1, 255)).check(Schema.isMaxLength(10)).annotate({ description: "Email addresses." })
  ),
  organization: optional(text(1, 1000).annotate({ description: "Company on the card." }))
}).annotate({
  identifier: "ContactCard",
  description: "A card of an address book.",
  examples: [{ name: "Ana Souza", phones: ["+55 11 91234-5678"], emails: ["ana@example.com"], organization: "Padaria" }]
})

/** One to five cards. U-SND-06 */
export const ContactsContent = Schema.Array(ContactCard)
  .check(Schema.isMinLength(1), Schema.isMaxLength(5))
  .annotate({ description: "One to five cards of an address book." })
export type ContactsContent = typeof ContactsContent.Type
