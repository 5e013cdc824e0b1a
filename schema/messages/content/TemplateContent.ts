import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

/** One value of a header, of a button's address, or of a button that copies a coupon. M-MSG-31, U-SND-04 */
export const TemplateParameter = Schema.Struct({
  type: Schema.Literals(["text", "coupon_code"]).annotate({
    description: "text, or coupon_code for a button that copies one; the member of that name holds the value."
  }),
  parameter_name: optional(
    text(1, 64).annotate({
      description: "Name of the header's variable; only a template with NAMED variables has one."
    })
  ),
  text: optional(
    text(0, 1024).annotate({ description: "The value, 1 to 1024 characters; an empty one is a mismatch." })
  ),
  coupon_code: optional(text(0, 20).annotate({ description: "The code that a tap copies, 1 to 20 characters." }))
})
  .annotate({ description: "One value." })
  .check(
    Schema.makeFilter((parameter) =>
      typeof parameter[parameter.type] === "string"
        ? undefined
        : { path: [parameter.type], issue: `required with type ${parameter.type}` }
    )
  )
export type TemplateParameter = typeof TemplateParameter.Type

/**
 * Values of a text header, of a button that opens an address, or of one that copies a coupon. M-MSG-31, U-SND-04,
 * gaps-2 B "Template parameter check details"
 */
export const TemplateComponent = Schema.Struct({
  type: Schema.Literals(["header", "button"]).annotate({ description: "Part of the template that takes the values." }),
  sub_type: optional(
    Schema.Literals(["url", "copy_code"]).annotate({
      description: "Kind of button: one with a variable address, or one that copies a coupon. Others take no values."
    })
  ),
  index: optional(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
      Schema.String.check(Schema.isPattern(/^[0-9]$/u, { expected: "a digit" }))
    ]).annotate({
      identifier: "ButtonIndex",
      description: "Index of the button among the template's buttons, from 0, as a number or a text."
    })
  ),
  parameters: Schema.Array(TemplateParameter)
    .check(Schema.isMaxLength(10))
    .annotate({ description: "The values, in the order of the variables." })
})
  .annotate({ description: "Values of a text header, of a button's address or of a coupon." })
  .check(
    Schema.makeFilter((component) => {
      if (component.type !== "button") return undefined
      if (typeof component.sub_type !== "string") return { path: ["sub_type"], issue: "required with type button" }
      return component.index === undefined || component.index === null
        ? { path: ["index"], issue: "required with type button" }
        : undefined
    })
  )
export type TemplateComponent = typeof TemplateComponent.Type

/** The file of a media header: exactly one of `asset_id`, `link`, `id`. M-MSG-32, gaps-2 B "Media source shapes" */
export const TemplateHeaderMedia = Schema.Struct({
  kind: Schema.Literals(["image", "video", "document"]).annotate({ description: "Kind of file." }),
  asset_id: optional(text(1, 64).annotate({ description: "Id of a file of your media library." })),
  link: optional(text(1, 2048).annotate({ description: "Address from which the file is fetched." })),
  id: optional(text(1, 255).annotate({ description: "The upstream platform's handle of the file." })),
  filename: optional(text(1, 255).annotate({ description: "Name shown with a document." }))
})
  .annotate({ description: "The file of a template with a media header: exactly one of asset_id, link and id." })
  .check(
    Schema.makeFilter(({ asset_id, id, link }) =>
      [asset_id, id, link].filter((source) => typeof source === "string").length === 1
        ? undefined
        : { path: [], issue: "exactly one of asset_id, link, id" }
    )
  )
export type TemplateHeaderMedia = typeof TemplateHeaderMedia.Type

/**
 * An approved template and the values of its variables. The values are checked against the approved version, which also
 * decides between POSITIONAL and NAMED. M-MSG-26..37
 */
export const TemplateContent = Schema.Struct({
  name: text(1, 512).annotate({ description: "Name of an approved template.", examples: ["welcome"] }),
  language: text(1, 32).annotate({ description: "Language code of the template.", examples: ["pt_BR"] }),
  variables: optional(
    Schema.Record(Schema.String, text(0, 1024)).annotate({
      description:
        'Values of the body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch.'
    })
  ),
  components: optional(
    Schema.Array(TemplateComponent)
      .check(Schema.isMaxLength(11))
      .annotate({ description: "Values of a text header, of buttons with a variable address and of coupons." })
  ),
  header_media: optional(TemplateHeaderMedia)
}).annotate({ description: "An approved template with its values. It needs no open service window." })
export type TemplateContent = typeof TemplateContent.Type
