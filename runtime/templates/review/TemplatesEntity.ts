import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./TemplateItems.ts"

/**
 * All templates of one environment, by its id: names are taken, versions are made and reviews move here, in one order.
 * Architecture, section 2
 */
export const TemplatesEntity = defineOwner("EnvironmentTemplates", {
  Create: batch(Items.CreateItem, Items.Answered),
  Duplicate: batch(Items.DuplicateItem, Items.Answered),
  Update: batch(Items.UpdateItem, Items.Answered),
  Submit: batch(Items.OneItem, Items.Answered),
  Delete: batch(Items.OneItem, Items.Answered),
  SetStatus: batch(Items.SetStatusItem, Items.Answered),
  /** Takes a notice of the provider's webhook; one about a template that is not here changes nothing. gaps-2 E "Inbound upstream webhook" */
  Review: batch(Items.ReviewItem, Schema.Void)
})
