import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

/** Free text of a message. M-MSG-25, gaps-2 B "Content bounds and optional fields" */
export const TextContent = Schema.Struct({
  body: text(1, 4096).annotate({ description: "The text, 1 to 4096 characters." }),
  preview_url: optional(Schema.Boolean.annotate({ description: "Whether the first link has a preview." }))
}).annotate({ description: "Free text; the customer must have written within the last 24 hours." })
export type TextContent = typeof TextContent.Type
