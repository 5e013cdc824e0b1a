import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./TemplateItems.ts"

/** The owner of all templates of one environment, by its id: names, versions and reviews change here, in one order. */
export const TemplatesEntity = defineOwner("EnvironmentTemplates", {
  Create: batch(Items.CreateItem, Items.StoredResponse),
  Duplicate: batch(Items.DuplicateItem, Items.StoredResponse),
  Update: batch(Items.UpdateItem, Items.StoredResponse),
  Submit: batch(Items.OneItem, Items.StoredResponse),
  Delete: batch(Items.OneItem, Items.StoredResponse),
  Import: batch(Items.ImportItem, Items.StoredResponse),
  SetStatus: batch(Items.SetStatusItem, Items.StoredResponse),
  /**
   * Handles a notice of the provider's webhook; a notice about an unknown template changes nothing. gaps-2 E "Inbound
   * upstream webhook"
   */
  Review: batch(Items.ReviewItem, Schema.Void)
})
