import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./TemplateItems.ts"

/** The owner of all templates of one environment, by its id: names, versions and reviews change here, in one order. */
export const TemplatesEntity = defineOwner("EnvironmentTemplates", {
  Create: batch(Items.CreateItem, Items.Answered),
  Duplicate: batch(Items.DuplicateItem, Items.Answered),
  Update: batch(Items.UpdateItem, Items.Answered),
  Submit: batch(Items.OneItem, Items.Answered),
  Delete: batch(Items.OneItem, Items.Answered),
  Import: batch(Items.ImportItem, Items.Answered),
  SetStatus: batch(Items.SetStatusItem, Items.Answered),
  /**
   * Handles a notice of the provider's webhook; a notice about an unknown template changes nothing. gaps-2 E "Inbound
   * upstream webhook"
   */
  Review: batch(Items.ReviewItem, Schema.Void)
})
