import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { strictStruct } from "../../conventions/StrictStruct.ts"
import { text } from "../../conventions/Text.ts"

const ReplyButton = Schema.Struct({
  type: Schema.Literal("reply"),
  reply: Schema.Struct({
    id: text(1, 256).annotate({ description: "What a tap sends back; another one for each button." }),
    title: text(1, 20).annotate({ description: "The label; another one for each button." })
  }).annotate({ description: "The button." })
})

/** First index whose value an earlier one has. */
const repeated = (values: ReadonlyArray<string>): number | undefined => {
  const at = values.findIndex((value, index) => values.indexOf(value) < index)
  return at < 0 ? undefined : at
}

/** A text with one to three buttons to reply with. M-MSG-48..50, gaps-2 B "Content bounds and optional fields" */
export const ButtonMessage = Schema.Struct({
  type: Schema.Literal("button"),
  header: optional(
    Schema.Struct({
      type: optional(Schema.Literal("text").annotate({ description: "May be left out: only text is taken." })),
      text: text(1, 60).annotate({ description: "Line above the text." })
    }).annotate({ description: "What stands above the text." })
  ),
  body: Schema.Struct({ text: text(1, 1024).annotate({ description: "The text." }) }).annotate({
    description: "The text."
  }),
  footer: optional(
    Schema.Struct({ text: text(1, 60).annotate({ description: "Line below the text." }) }).annotate({
      description: "What stands below the text."
    })
  ),
  action: Schema.Struct({
    buttons: Schema.Array(ReplyButton)
      .check(Schema.isMinLength(1), Schema.isMaxLength(3))
      .annotate({ description: "One to three buttons." })
  })
    .annotate({ description: "What the customer can tap." })
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
    merchant_name: text(1, 255).annotate({ description: "Who is paid." }),
    key: text(1, 255).annotate({ description: "The Pix key." }),
    key_type: text(1, 32).annotate({ description: "What the key is, such as CNPJ or EVP." })
  }).annotate({ description: "A dynamic Pix code." })
})

/** Parts of a unit an amount of order_details is counted in. gaps-2 B "Content bounds and optional fields" */
const centavos = Schema.Literal(100)

/**
 * An order to review and pay by Pix; a strict shape, passed on as it is: no payment id is resolved into it.
 * M-MSG-51..55, M-MSG-58, gaps-2 B "Content bounds and optional fields"
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
        .annotate({ description: "How it can be paid." }),
      currency: Schema.Literal("BRL"),
      total_amount: strictStruct({
        value: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "The amount in centavos." }),
        offset: centavos
      }).annotate({ description: "The amount." })
    }).annotate({ description: "The order." })
  }).annotate({ description: "What the customer can do." })
}).annotate({ identifier: "OrderDetailsMessage", description: "An order to review and pay by Pix." })
export type OrderDetailsMessage = typeof OrderDetailsMessage.Type

/** What a customer can tap, told apart by `type`. M-MSG-48..58 */
export const InteractiveContent = Schema.Union([ButtonMessage, OrderDetailsMessage]).annotate({
  identifier: "InteractiveContent",
  description: "What the customer can tap: buttons to reply with, or an order to pay."
})
export type InteractiveContent = typeof InteractiveContent.Type
