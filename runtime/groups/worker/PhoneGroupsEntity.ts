import { batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import * as Items from "./GroupItems.ts"

/**
 * The owner of one number's groups, by the number's id: all their changes and provider calls pass here, in one order.
 */
export const PhoneGroupsEntity = defineOwner("PhoneGroups", {
  Create: batch(Items.CreateItem, Items.Answered),
  Delete: batch(Items.GroupItem, Items.Answered),
  ResetLink: batch(Items.GroupItem, Items.Answered),
  Check: batch(Items.CheckItem, Items.Answered),
  /** Records a join or removal; a repeated report changes nothing. C-GPART-04 */
  Participate: batch(Items.ParticipantItem, Items.Answered),
  /** Applies the result of a provider's request; a group past that state does not change. C-GRP-40, C-GRP-56 */
  Report: batch(Items.ReportItem, Schema.Void)
})
