import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./GroupItems.ts"

/**
 * The owner of one number's groups, by the number's id: all their changes and provider calls pass here, in one order.
 */
export const PhoneGroupsEntity = defineOwner("PhoneGroups", {
  Create: batch(Items.CreateItem, Items.StoredResponse),
  Delete: batch(Items.GroupItem, Items.StoredResponse),
  ResetLink: batch(Items.GroupItem, Items.StoredResponse),
  Check: batch(Items.CheckItem, Items.StoredResponse),
  /** Records a join or removal; a repeated report changes nothing. C-GPART-04 */
  Participate: batch(Items.ParticipantItem, Items.StoredResponse),
  /** Applies the result of a provider's request; a group past that state does not change. C-GRP-40, C-GRP-56 */
  Report: batch(Items.ReportItem, Schema.Void)
})
