import { Schema } from "effect"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { TemplateCategory } from "./Template.ts"

const data = <const Status extends "approved" | "rejected" | "paused" | "disabled">(status: Status) =>
  Schema.Struct({
    template_id: id("tpl"),
    name: Schema.String.annotateKey({ description: "Name of the template." }),
    language: Schema.String.annotateKey({ description: "Its language, such as pt_BR." }),
    status: Schema.Literal(status),
    rejection_reason: Schema.NullOr(Schema.String).annotate({
      description: "Reason for the rejection, if one was given."
    })
  })

/** gaps-1 K "Event catalog", gaps-2 G "Template and batch events" */
export const TemplateApproved = defineEvent("template.approved", data("approved"), {
  source_type: "template",
  description: "A template was approved and can be sent."
})

/** gaps-2 G "Template and batch events" */
export const TemplateRejected = defineEvent("template.rejected", data("rejected"), {
  source_type: "template",
  description: "A template was rejected; rejection_reason holds the reason if one was given."
})

/** gaps-2 G "Template and batch events" */
export const TemplatePaused = defineEvent("template.paused", data("paused"), {
  source_type: "template",
  description: "A template was paused and cannot be sent for a while."
})

/** gaps-2 G "Template and batch events" */
export const TemplateDisabled = defineEvent("template.disabled", data("disabled"), {
  source_type: "template",
  description: "A template was disabled and can no longer be sent."
})

/** Guards and prices follow the new category from the next send on. U-TPL-06 */
export const TemplateCategoryUpdated = defineEvent(
  "template.category_updated",
  Schema.Struct({
    template_id: id("tpl"),
    name: Schema.String.annotateKey({ description: "Name of the template." }),
    language: Schema.String.annotateKey({ description: "Its language, such as pt_BR." }),
    category: TemplateCategory,
    previous_category: TemplateCategory
  }),
  {
    source_type: "template",
    description: "The provider moved a template to another category, which later sends are guarded and priced by."
  }
)
