import { Schema } from "effect"
import { optional } from "../../conventions/RequestValidation.ts"
import { text } from "../../conventions/Text.ts"

/** One value of a header or of a button's address. M-MSG-31, gaps-2 G "Component shapes" */
export const TemplateParameter = Schema.Struct({
  type: Schema.Literal("text"),
  parameter_name: optional(
    text(1, 64).annotate({
      description: "Name of the header's variable; only a template with NAMED variables has one."
    })
  ),
  text: text(0, 1024).annotate({ description: "The value, 1 to 1024 characters; an empty one is a mismatch." })
}).annotate({ description: "One value." })
export type TemplateParameter = typeof TemplateParameter.Type

/** Values of a text header or of a button that opens an address. M-MSG-31, gaps-2 B "Template parameter check details" */
export const TemplateComponent = Schema.Struct({
  type: Schema.Literals(["header", "button"]).annotate({ description: "Part of the template that takes the values." }),
  sub_type: optional(Schema.Literal("url").annotate({ description: "Kind of button; only url takes values." })),
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
  .annotate({ description: "Values of a text header or of a button's address." })
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
      .annotate({ description: "Values of a text header and of buttons with a variable address." })
  ),
  header_media: optional(TemplateHeaderMedia)
}).annotate({ description: "An approved template with its values. It needs no open service window." })
export type TemplateContent = typeof TemplateContent.Type
