import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { strictStruct } from "../../conventions/StrictStruct.ts"
import { text } from "../../conventions/Text.ts"

const ReplyButton = Schema.Struct({
  type: Schema.Literal("reply"),
  reply: Schema.Struct({
    id: text(1, 256).annotate({ description: "Id that a tap returns; unique among the buttons." }),
    title: text(1, 20).annotate({ description: "Label of the button; unique among the buttons." })
  }).annotate({ description: "The button." })
})

/** Returns the index of the first value that repeats an earlier one. */
const repeated = (values: ReadonlyArray<string>): number | undefined => {
  const at = values.findIndex((value, index) => values.indexOf(value) < index)
  return at < 0 ? undefined : at
}

/** A text with one to three buttons to reply with. M-MSG-48..50, gaps-2 B "Content bounds and optional fields" */
export const ButtonMessage = Schema.Struct({
  type: Schema.Literal("button"),
  header: optional(
    Schema.Struct({
      type: optional(Schema.Literal("text").annotate({ description: "Type of the header; only text, the default." })),
      text: text(1, 60).annotate({ description: "Line above the text." })
    }).annotate({ description: "Header of the message." })
  ),
  body: Schema.Struct({ text: text(1, 1024).annotate({ description: "The text." }) }).annotate({
    description: "The text."
  }),
  footer: optional(
    Schema.Struct({ text: text(1, 60).annotate({ description: "Line below the text." }) }).annotate({
      description: "Footer of the message."
    })
  ),
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

/** Content for the customer to tap; `type` gives its shape. M-MSG-48..58 */
export const InteractiveContent = Schema.Union([ButtonMessage, OrderDetailsMessage]).annotate({
  identifier: "InteractiveContent",
  description: "Content for the customer to tap: reply buttons, or an order to pay."
})
export type InteractiveContent = typeof InteractiveContent.Type
