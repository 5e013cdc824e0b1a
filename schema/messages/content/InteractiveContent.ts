import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { strictStruct } from "../../conventions/StrictStruct.ts"
import { text } from "../../conventions/Text.ts"
import { isWebAddress } from "./MediaContent.ts"

/** Returns the index of the first value that repeats an earlier one. */
const repeated = (values: ReadonlyArray<string>): number | undefined => {
  const at = values.findIndex((value, index) => values.indexOf(value) < index)
  return at < 0 ? undefined : at
}

/** The text of content to tap. */
const InteractiveBody = Schema.Struct({
  text: text(1, 1024).annotate({ description: "The text." })
}).annotate({ description: "The text." })

/** The line below it. */
const InteractiveFooter = Schema.Struct({
  text: text(1, 60).annotate({ description: "Line below the text." })
}).annotate({ description: "Footer of the message." })

/** The line above it, of content that takes no file there. */
const TextHeader = Schema.Struct({
  type: optional(Schema.Literal("text").annotate({ description: "Type of the header; only text, the default." })),
  text: text(1, 60).annotate({ description: "Line above the text." })
}).annotate({ description: "Header of the message." })

/** The file of a header: exactly one of `asset_id`, `link`, `id`. U-SND-06, gaps-2 B "Media source shapes" */
const HeaderFile = Schema.Struct({
  asset_id: optional(text(1, 64).annotate({ description: "Id of a file of your media library." })),
  link: optional(
    text(1, 2048)
      .annotate({ description: "Address from which this service fetches the file." })
      .check(Schema.makeFilter(isWebAddress, { expected: "an http or https address" }))
  ),
  id: optional(text(1, 255).annotate({ description: "The upstream platform's handle of the file." })),
  filename: optional(text(1, 255).annotate({ description: "Name shown with a document." }))
})
  .annotate({ description: "The file of the header: exactly one of asset_id, link and id." })
  .check(
    Schema.makeFilter(({ asset_id, id, link }) =>
      [asset_id, id, link].filter((source) => typeof source === "string").length === 1
        ? undefined
        : { path: [], issue: "exactly one of asset_id, link, id" }
    )
  )

/** A line or a file above the text. U-SND-03, U-SND-06 */
const InteractiveHeader = Schema.Struct({
  type: optional(
    Schema.Literals(["text", "image", "video", "document"]).annotate({
      description: "Type of the header: text, the default, or the kind of its file."
    })
  ),
  text: optional(text(1, 60).annotate({ description: "Line above the text, of a header of type text." })),
  media: optional(HeaderFile)
})
  .annotate({ description: "Header of the message: a line, or a file." })
  .check(
    Schema.makeFilter(({ media, text, type }) => {
      const isText = (type ?? "text") === "text"
      const isWritten = typeof text === "string"
      if (isText && !isWritten) return { path: ["text"], issue: "required with type text" }
      if (isText) return media ? { path: ["media"], issue: "nothing: the header is a text" } : undefined
      if (isWritten) return { path: ["text"], issue: `nothing: the header is a file of type ${type}` }
      if (!media) return { path: ["media"], issue: `required with type ${type}` }
      return typeof media.filename === "string" && type !== "document"
        ? { path: ["media", "filename"], issue: "only with type document" }
        : undefined
    })
  )

const ReplyButton = Schema.Struct({
  type: Schema.Literal("reply"),
  reply: Schema.Struct({
    id: text(1, 256).annotate({ description: "Id that a tap returns; unique among the buttons." }),
    title: text(1, 20).annotate({ description: "Label of the button; unique among the buttons." })
  }).annotate({ description: "The button." })
})

/** A text with one to three buttons to reply with. M-MSG-48..50, gaps-2 B "Content bounds and optional fields" */
export const ButtonMessage = Schema.Struct({
  type: Schema.Literal("button"),
  header: optional(InteractiveHeader),
  body: InteractiveBody,
  footer: optional(InteractiveFooter),
  action: Schema.Struct({
    buttons: Schema.Array(ReplyButton)
      .check(Schema.isMinLength(1), Schema.isMaxLength(3))
      .annotate({ description: "One to three buttons." })
  })
    .annotate({ description: "Buttons that the customer can tap." })
    .check(
      Schema.makeFilter(({ buttons }) => {
        const id = repeated(buttons.map(({ reply }) => reply.id))
        if (id !== undefined) return { path: ["buttons", id, "reply", "id"], issue: "unique among the buttons" }
        const title = repeated(buttons.map(({ reply }) => reply.title))
        return title === undefined
          ? undefined
          : { path: ["buttons", title, "reply", "title"], issue: "unique among the buttons" }
      })
    )
}).annotate({ identifier: "ButtonMessage", description: "A text with buttons to reply with." })
export type ButtonMessage = typeof ButtonMessage.Type

const Row = Schema.Struct({
  id: text(1, 200).annotate({ description: "Id that a tap returns; unique in the list." }),
  title: text(1, 24).annotate({ description: "Label of the row." }),
  description: optional(text(1, 72).annotate({ description: "Line below the label." }))
})

const Section = Schema.Struct({
  title: optional(text(1, 24).annotate({ description: "Heading of the section; required in a list of several." })),
  rows: Schema.Array(Row)
    .check(Schema.isMinLength(1), Schema.isMaxLength(10))
    .annotate({ description: "Rows of the section." })
})

/** The most rows of a list, in all of its sections. */
const mostRows = 10

/** A text with a list that a button opens. U-SND-06 */
const ListMessage = Schema.Struct({
  type: Schema.Literal("list"),
  header: optional(TextHeader),
  body: InteractiveBody,
  footer: optional(InteractiveFooter),
  action: Schema.Struct({
    button: text(1, 20).annotate({ description: "Label of the button that opens the list." }),
    sections: Schema.Array(Section)
      .check(Schema.isMinLength(1), Schema.isMaxLength(10))
      .annotate({ description: "1 to 10 sections with 1 to 10 rows in all." })
  })
    .annotate({ description: "The list." })
    .check(
      Schema.makeFilter(({ sections }) => {
        const untitled = sections.length > 1 ? sections.findIndex(({ title }) => typeof title !== "string") : -1
        if (untitled >= 0) return { path: ["sections", untitled, "title"], issue: "required with several sections" }
        const rows = sections.flatMap((section, at) => section.rows.map(({ id }, row) => ({ at, row, id })))
        if (rows.length > mostRows) return { path: ["sections"], issue: "at most 10 rows in all sections" }
        const again = rows[repeated(rows.map(({ id }) => id)) ?? -1]
        return again === undefined
          ? undefined
          : { path: ["sections", again.at, "rows", again.row, "id"], issue: "unique in the list" }
      })
    )
}).annotate({ identifier: "ListMessage", description: "A text with a list of rows to choose from." })

/** A text with a button that opens an address. U-SND-06 */
const AddressMessage = Schema.Struct({
  type: Schema.Literal("cta_url"),
  header: optional(InteractiveHeader),
  body: InteractiveBody,
  footer: optional(InteractiveFooter),
  action: Schema.Struct({
    name: Schema.Literal("cta_url"),
    parameters: Schema.Struct({
      display_text: text(1, 20).annotate({ description: "Label of the button." }),
      url: text(1, 2000)
        .annotate({ description: "The address that a tap opens." })
        .check(Schema.makeFilter(isWebAddress, { expected: "an http or https address" }))
    }).annotate({ description: "The button." })
  }).annotate({ description: "The button that opens an address." })
}).annotate({ identifier: "AddressMessage", description: "A text with a button that opens an address." })

/** A text with a button by which the customer sends their location. U-SND-06 */
const LocationRequestMessage = Schema.Struct({
  type: Schema.Literal("location_request"),
  body: InteractiveBody
}).annotate({
  identifier: "LocationRequestMessage",
  description: "A text with a button by which the customer sends their location."
})

const PaymentSetting = strictStruct({
  type: Schema.Literal("pix_dynamic_code"),
  pix_dynamic_code: strictStruct({
    code: text(1, 1024).annotate({ description: "The Pix code to copy and paste." }),
    merchant_name: text(1, 255).annotate({ description: "Name of the payee." }),
    key: text(1, 255).annotate({ description: "The Pix key." }),
    key_type: Schema.Literals(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]).annotate({
      description: "Kind of the key: a tax number, an e-mail address, a phone number or, EVP, a random key."
    })
  }).annotate({ description: "A dynamic Pix code." })
})

/** The unit of order_details amounts: hundredths of a real. gaps-2 B "Content bounds and optional fields" */
const centavos = Schema.Literal(100)

/**
 * An order to review and pay by Pix. It is a strict shape that is passed on unchanged: no payment id is resolved into
 * it. M-MSG-51..55, M-MSG-58, gaps-2 B "Content bounds and optional fields"
 */
export const OrderDetailsMessage = strictStruct({
  type: Schema.Literal("order_details"),
  body: strictStruct({ text: text(1, 1024).annotate({ description: "The text." }) }).annotate({
    description: "The text."
  }),
  action: strictStruct({
    name: Schema.Literal("review_and_pay"),
    parameters: strictStruct({
      reference_id: text(1, 35).annotate({ description: "Your id of the order." }),
      type: Schema.Literal("digital-goods"),
      payment_type: Schema.Literal("br"),
      payment_settings: Schema.Array(PaymentSetting)
        .check(Schema.isMinLength(1), Schema.isMaxLength(10))
        .annotate({ description: "Accepted ways of payment." }),
      currency: Schema.Literal("BRL"),
      total_amount: strictStruct({
        value: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "The amount in centavos." }),
        offset: centavos
      }).annotate({ description: "The amount." })
    }).annotate({ description: "The order." })
  }).annotate({ description: "The order and its payment." })
}).annotate({ identifier: "OrderDetailsMessage", description: "An order to review and pay by Pix." })
export type OrderDetailsMessage = typeof OrderDetailsMessage.Type

/** Content for the customer to tap; `type` gives its shape. M-MSG-48..58, U-SND-06 */
export const InteractiveContent = Schema.Union([
  ButtonMessage,
  ListMessage,
  AddressMessage,
  LocationRequestMessage,
  OrderDetailsMessage
]).annotate({
  identifier: "InteractiveContent",
  description:
    "Content for the customer to tap: reply buttons, a list, an address to open, a request for their location, or an order to pay."
})
export type InteractiveContent = typeof InteractiveContent.Type
